import { useState } from 'react';
import { useSearch } from 'wouter';
import { useCall } from '../../client/index.ts';
import { Page, PageHeader, ProblemBanner } from '../../ui/index.ts';
import { CataloguePanel } from './CataloguePanel.tsx';
import { ConfigurationPanel } from './ConfigurationPanel.tsx';
import { componentOf } from './components.ts';
import classes from './costs.module.css';
import { SessionsPanel } from './SessionsPanel.tsx';
import { useSpec } from './useSpec.ts';
import { ValueChart } from './ValueChart.tsx';

/** `/costs`, or `/costs?session=ID` to begin with what that session has. */
export function CostsView() {
  const asked = Number(new URLSearchParams(useSearch()).get('session') ?? Number.NaN);
  const from = Number.isInteger(asked) ? asked : undefined;
  const [selected, setSelected] = useState<readonly number[]>(from === undefined ? [] : [from]);
  const { spec, setSpec, evaluation } = useSpec(from);
  const catalogue = useCall('costs.catalogue', {});
  return (
    <Page>
      <PageHeader
        title="Costs"
        subtitle={
          catalogue.data
            ? `Compiled on ${catalogue.data.compiled}; each price has its own date. ${catalogue.data.disclaimer}`
            : 'What a system costs, and what its work costs.'
        }
      />
      {catalogue.error && <ProblemBanner problem={catalogue.error.problem} />}
      <div className={classes.columns}>
        <ConfigurationPanel
          spec={spec}
          result={evaluation.result}
          problem={evaluation.problem}
          entries={catalogue.data?.entries ?? []}
          onChange={setSpec}
        />
        <CataloguePanel
          entries={catalogue.data?.entries}
          onAdd={(entry) =>
            setSpec({
              ...spec,
              currency: spec.components.length === 0 ? entry.currency : spec.currency,
              components: [...spec.components, componentOf(entry)],
            })
          }
        />
      </div>
      <SessionsPanel
        spec={spec}
        perHour={evaluation.result?.perHour}
        selected={selected}
        onSelect={setSelected}
        onUse={setSpec}
      />
      <ValueChart selected={selected} />
    </Page>
  );
}

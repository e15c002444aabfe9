import { useState } from 'react';
import { useSearch } from 'wouter';
import { useCall } from '../../client/index.ts';
import { Page, PageHeader, ProblemBanner } from '../../ui/index.ts';
import { CataloguePanel } from './CataloguePanel.tsx';
import { ConfigurationPanel } from './ConfigurationPanel.tsx';
import classes from './costs.module.css';
import { componentOf, EMPTY_SPEC, useDraft } from './draft.ts';
import { SessionsPanel } from './SessionsPanel.tsx';
import { SideBySide } from './SideBySide.tsx';

/** `/costs`, or `/costs?session=ID` to edit that session's price. */
export function CostsView() {
  const asked = Number(new URLSearchParams(useSearch()).get('session') ?? Number.NaN);
  const from = Number.isInteger(asked) ? asked : undefined;
  const [selected, setSelected] = useState<readonly number[]>(from === undefined ? [] : [from]);
  const { draft, setDraft, pricing } = useDraft(from);
  const { spec } = draft;
  const catalogue = useCall('costs.catalogue', {});
  const configurations = useCall('costs.configurations', {});
  const sessions = useCall('sessions.list', {});
  const problem = (catalogue.error ?? configurations.error ?? sessions.error)?.problem;
  const whole = (sessions.data ?? []).filter(({ damaged }) => !damaged);
  const saved = configurations.data ?? [];
  const comparison = (saved.length > 0 || whole.some(({ costPerHour }) => costPerHour !== undefined)) && (
    <SideBySide configurations={saved} sessions={whole} selected={selected} onEdit={setDraft} />
  );
  return (
    <Page>
      <PageHeader
        title="Costs"
        subtitle={
          catalogue.data
            ? `Compiled on ${catalogue.data.compiled}; each price is dated. ${catalogue.data.disclaimer}`
            : 'Price systems and compare cost per operation.'
        }
      />
      {problem && <ProblemBanner problem={problem} />}
      {from === undefined && comparison}
      <div className={classes.columns}>
        <ConfigurationPanel
          draft={draft}
          pricing={pricing}
          entries={catalogue.data?.entries ?? []}
          saved={saved}
          onChange={setDraft}
        />
        <CataloguePanel
          entries={catalogue.data?.entries}
          onAdd={(entry) =>
            setDraft({
              ...draft,
              spec: {
                ...spec,
                currency: spec.components.length === 0 ? entry.currency : spec.currency,
                components: [...spec.components, componentOf(entry)],
              },
            })
          }
        />
      </div>
      <SessionsPanel
        sessions={sessions.data ? whole : undefined}
        spec={spec}
        perHour={pricing.priced?.total?.perHour}
        selected={selected}
        onSelect={setSelected}
        onUse={(next) => setDraft({ spec: next })}
        onAssigned={() => setDraft({ spec: { ...EMPTY_SPEC, currency: spec.currency } })}
      />
      {from !== undefined && comparison}
    </Page>
  );
}

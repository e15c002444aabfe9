import { useState } from 'react';
import { useSearch } from 'wouter';
import { componentOf, sideBySide } from '../../../shared/costs/index.ts';
import { useCall } from '../../client/index.ts';
import { Page, PageHeader, ProblemBanner } from '../../ui/index.ts';
import { CataloguePanel } from './CataloguePanel.tsx';
import { ConfigurationPanel } from './ConfigurationPanel.tsx';
import classes from './costs.module.css';
import { EMPTY_SPEC, useDraft } from './draft.ts';
import { GoalPanel } from './GoalPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { SideBySide } from './SideBySide.tsx';
import { useGoal, useWork } from './work.ts';

/** `/costs`, or `/costs?session=ID` to edit that session's price. */
export function CostsView() {
  const sessionId = Number(new URLSearchParams(useSearch()).get('session') ?? Number.NaN);
  const from = Number.isInteger(sessionId) ? sessionId : undefined;
  const [selected, setSelected] = useState<readonly number[]>(from === undefined ? [] : [from]);
  const { draft, setDraft, pricing } = useDraft(from);
  const { spec } = draft;
  const catalogue = useCall('costs.catalogue', {});
  const configurations = useCall('costs.configurations', {});
  const sessions = useCall('sessions.list', {});
  const problem = (catalogue.error ?? configurations.error ?? sessions.error)?.problem;
  const whole = (sessions.data ?? []).filter(({ damaged }) => !damaged);
  const saved = configurations.data ?? [];
  const asked = useGoal(whole);
  const work = useWork(saved, whole, selected, asked);
  const rows = sideBySide(saved, work.scale, work.assumed ? work.left : []);
  const comparison = (
    <SideBySide
      {...{ configurations: saved, work, rows, asked }}
      entries={catalogue.data?.entries ?? []}
      onEdit={setDraft}
    />
  );
  return (
    <Page>
      <PageHeader
        title="Costs"
        subtitle={
          catalogue.data
            ? `Prices compiled on ${catalogue.data.compiled}, each with its date. ${catalogue.data.disclaimer}`
            : 'Price systems and compare cost per operation.'
        }
      />
      {problem && <ProblemBanner problem={problem} />}
      <GoalPanel {...{ asked, work, rows, configurations: saved }} />
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

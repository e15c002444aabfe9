import { Button, Select } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import type { Session } from '../../../shared/model/session.ts';
import { formatDateTime } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { MetricSelect } from '../../domain/index.ts';
import { BlockSkeleton, EmptyState, Page, PageHeader, Panel, ProblemBanner, useCrumbs } from '../../ui/index.ts';
import { ComparisonBody } from './ComparisonBody.tsx';
import './compare.css';

const NONE: readonly Session[] = [];

/** Two sessions, one of them the baseline. What is compared stands in the address. */
export function CompareView() {
  const [parameters, setParameters] = useSearchParams();
  const list = useCall('sessions.list', {});
  const baseline = idOf(parameters.get('baseline'));
  const other = idOf(parameters.get('other'));
  const metric = parameters.get('metric') ?? undefined;
  const chosen = baseline !== undefined && other !== undefined && baseline !== other;
  const comparison = useCall(
    'results.compare',
    { baselineId: baseline ?? 0, otherId: other ?? 0, ...(metric ? { metric } : {}) },
    { enabled: chosen, placeholderData: (before) => before },
  );
  useCrumbs([{ label: 'Compare' }]);
  const put = (changes: Readonly<Record<string, string | undefined>>): void =>
    setParameters((now) => {
      const next = new URLSearchParams(now);
      for (const [name, value] of Object.entries(changes))
        value === undefined ? next.delete(name) : next.set(name, value);
      return next;
    });
  const sessions = (list.data ?? NONE).filter(({ damaged }) => !damaged);
  return (
    <Page>
      <PageHeader title="Compare" />
      <div className="kp-bar">
        <SessionSelect label="Baseline" sessions={sessions} id={baseline} onChange={(id) => put({ baseline: id })} />
        <Button
          variant="default"
          mt="auto"
          leftSection={<IconArrowsExchange size={16} />}
          disabled={!chosen}
          onClick={() => put({ baseline: String(other), other: String(baseline) })}
        >
          Swap
        </Button>
        <SessionSelect label="Compared with it" sessions={sessions} id={other} onChange={(id) => put({ other: id })} />
        {comparison.data ? (
          <div style={{ marginTop: 'auto' }}>
            <MetricSelect
              metrics={comparison.data.metrics}
              metric={comparison.data.metric}
              onChange={(value) => put({ metric: value })}
            />
          </div>
        ) : null}
      </div>
      {chosen ? null : <NothingChosen twice={baseline !== undefined && baseline === other} />}
      {chosen && comparison.error ? <ProblemBanner problem={comparison.error.problem} /> : null}
      {chosen && comparison.isPending && !comparison.error ? <BlockSkeleton height={420} /> : null}
      {chosen && comparison.data && !comparison.error ? <ComparisonBody comparison={comparison.data} /> : null}
    </Page>
  );
}

const NothingChosen = ({ twice }: { twice: boolean }) => (
  <Panel>
    <EmptyState title={twice ? 'This is the same session twice' : 'Choose two sessions'}>
      Ratios refer to the baseline. A difference is called real only when the repeats of both sides say so.
    </EmptyState>
  </Panel>
);

const idOf = (text: string | null): number | undefined =>
  text === null || !/^\d+$/.test(text) ? undefined : Number(text);

interface SelectProperties {
  label: string;
  sessions: readonly Session[];
  id: number | undefined;
  onChange: (id: string) => void;
}

const SessionSelect = ({ label, sessions, id, onChange }: SelectProperties) => (
  <Select
    label={label}
    w={320}
    searchable
    allowDeselect={false}
    placeholder="Choose a session"
    data={sessions.map((session) => ({
      value: String(session.id),
      label: `${formatDateTime(session.createdAt)} · ${session.name}`,
    }))}
    value={id === undefined ? null : String(id)}
    onChange={(value) => value && onChange(value)}
  />
);

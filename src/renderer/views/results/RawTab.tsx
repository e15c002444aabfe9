import { Select } from '@mantine/core';
import { useState } from 'react';
import { formatLevels } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { RawOutput } from '../../parts/index.ts';
import { EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import type { TabProperties } from './useResults.ts';

/** What the tool printed in each run. */
export function RawTab({ state }: TabProperties) {
  const query = useCall('sessions.runs', { id: state.id });
  const [chosen, setChosen] = useState<string | null>(null);
  if (query.error) return <ProblemBanner problem={query.error.problem} />;
  if (!query.data) return <TableSkeleton />;
  const runs = query.data.filter((run) => run.startedAt !== undefined);
  const run = runs.find((entry) => String(entry.id) === chosen) ?? runs[0];
  return (
    <Panel
      title="Raw output"
      actions={
        <Select
          aria-label="Run"
          w={340}
          searchable
          allowDeselect={false}
          data={runs.map((entry) => ({
            value: String(entry.id),
            label: `Trial ${entry.trial + 1}: ${formatLevels(entry.levels)}, repeat ${entry.repeat + 1}`,
          }))}
          value={run ? String(run.id) : null}
          onChange={setChosen}
        />
      }
    >
      {run ? (
        <RawOutput key={run.id} run={run} following={run.endedAt === undefined} maxHeight={560} />
      ) : (
        <EmptyState title="No trial has been started yet">Its output is kept here as it came.</EmptyState>
      )}
    </Panel>
  );
}

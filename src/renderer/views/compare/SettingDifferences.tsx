import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Comparison } from '../../../shared/model/result.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { type Column, DataTable, Panel, type RowGroup } from '../../ui/index.ts';

type Difference = Comparison['settings'][number];

const GROUPS: Readonly<Record<Difference['rank'], RowGroup>> = {
  matters: { label: 'Relevant to results', order: 0 },
  other: { label: 'Others', order: 1 },
  start: { label: 'Different by nature in each start', order: 2 },
};
/** Others that are shown without being asked for. */
const SHORT = 8;

/** Settings of the two targets that differ: those that matter at once, the long rest on demand. */
export function SettingDifferences({ comparison: { settings, baseline, other } }: { comparison: Comparison }) {
  const [whole, setWhole] = useState(false);
  if (settings.length === 0) return null;
  const plain = settings.filter(({ rank }) => rank !== 'start');
  const short = plain.length <= SHORT ? plain : settings.filter(({ rank }) => rank === 'matters');
  const left = settings.length - short.length;
  const columns: Column<Difference>[] = [
    {
      id: 'name',
      header: 'Setting',
      value: ({ name }) => name,
      cell: ({ name, why }) => (
        <code className="kp-mono" title={why ?? name}>
          {name}
        </code>
      ),
    },
    sideColumn('baseline', 'Baseline', baseline.name),
    { ...sideColumn('other', 'Compared', other.name), grow: true },
  ];
  return (
    <Panel
      title="Settings of the targets that differ"
      note={formatCount(settings.length, 'setting')}
      flush
      actions={
        left > 0 && (
          <Button variant="subtle" size="compact-sm" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? 'Show fewer' : `Show ${left} more`}
          </Button>
        )
      }
    >
      <DataTable
        label="Settings of the targets that differ"
        columns={columns}
        rows={whole ? settings : short}
        rowId={({ name }) => name}
        groupsOf={whole ? ({ rank }) => [GROUPS[rank]] : undefined}
        empty="None of those that matter for a result."
      />
    </Panel>
  );
}

const sideColumn = (side: 'baseline' | 'other', header: string, hint: string): Column<Difference> => ({
  id: side,
  header,
  hint,
  value: (difference) => difference[side],
  cell: (difference) => (
    <span className="kp-compare-value" title={difference[side]}>
      {difference[side]}
    </span>
  ),
});

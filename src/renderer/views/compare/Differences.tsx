import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Comparison } from '../../../shared/model/result.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { type Column, DataTable, Panel, type RowGroup } from '../../ui/index.ts';

type Setting = Comparison['settings'][number];
interface Difference extends Setting {
  /** A setting of a target: its name is the server's own. */
  isSetting: boolean;
}

const GROUPS: Readonly<Record<Setting['rank'], RowGroup>> = {
  matters: { label: 'Relevant to results', order: 0 },
  other: { label: 'Other settings of the targets', order: 1 },
  start: { label: 'Different for every server', order: 2 },
};
/** Number of other settings shown by default. */
const SHORT = 8;

/** All recorded differences in one table: set-up and relevant settings first, the long rest on demand. */
export function Differences({ comparison }: { comparison: Comparison }) {
  const [whole, setWhole] = useState(false);
  const { baseline, other } = comparison;
  const rows = rowsOf(comparison);
  const plain = rows.filter(({ rank }) => rank !== 'start');
  const others = plain.filter(({ rank }) => rank === 'other');
  const short = others.length <= SHORT ? plain : rows.filter(({ rank }) => rank === 'matters');
  const remaining = rows.length - short.length;
  const columns: Column<Difference>[] = [
    {
      id: 'what',
      header: 'What',
      value: ({ name }) => name,
      cell: ({ name, why, isSetting }) =>
        isSetting ? (
          <code className="kp-mono" title={why ?? name}>
            {name}
          </code>
        ) : (
          name
        ),
    },
    sideColumn('baseline', 'Baseline', baseline.name),
    { ...sideColumn('other', 'Compared', other.name), grow: true },
  ];
  return (
    <Panel
      title="Differences"
      note={rows.length > 0 ? formatCount(rows.length, 'difference') : ''}
      flush
      actions={
        remaining > 0 && (
          <Button variant="subtle" size="compact-sm" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? 'Show fewer' : `Show ${remaining} more`}
          </Button>
        )
      }
    >
      <DataTable
        label="Differences"
        columns={columns}
        rows={whole ? rows : short}
        rowId={({ name, isSetting }) => `${isSetting} ${name}`}
        groupsOf={whole ? ({ rank }) => [GROUPS[rank]] : undefined}
        empty={remaining > 0 ? 'No known relevant differences.' : 'No recorded differences.'}
      />
    </Panel>
  );
}

/** Relevant settings come first, as they most often cause a difference in the figures. */
function rowsOf({ settings, differences }: Comparison): Difference[] {
  const ofServer = settings.map((setting) => ({ ...setting, isSetting: true }));
  const ofSetup = differences.map(
    ({ what, ...sides }): Difference => ({ name: what, ...sides, rank: 'matters', isSetting: false }),
  );
  const relevant = ofServer.filter(({ rank }) => rank === 'matters');
  return [...relevant, ...ofSetup, ...ofServer.filter(({ rank }) => rank !== 'matters')];
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

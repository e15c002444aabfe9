import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import { formatChange, formatCount, formatNumber, formatShort, NO_VALUE } from '../../../../shared/util/format.ts';
import { type Column, DataTable, Panel } from '../../../ui/index.ts';
import { differenceName } from './overlay-lanes.ts';

/** Number of rows shown by default. */
const SHORT = 12;

interface TableProperties {
  rows: readonly SeriesDifference[];
  comparison: Comparison;
  /** Content of the head: choice of sessions and cell. */
  choice: ReactNode;
  /** Why there are no rows, or not yet. */
  without: string | undefined;
}

/** The largest differences first; the rest is folded. */
export function DifferencesTable({ rows, comparison, choice, without }: TableProperties) {
  const [whole, setWhole] = useState(false);
  const significant = rows.filter((row) => row.sure).length;
  const remaining = rows.length - SHORT;
  return (
    <Panel
      title="Differences on hosts and servers"
      note={
        without ??
        `${formatCount(rows.length, 'series', 'series')}; ${significant} ${significant === 1 ? 'differs' : 'differ'} significantly`
      }
      flush
      actions={
        <>
          {choice}
          {remaining > 0 ? (
            <Button variant="subtle" size="compact-sm" aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? 'Show fewer' : `Show ${remaining} more`}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        label="Differences on hosts and servers"
        columns={columnsOf(comparison)}
        rows={whole ? rows : rows.slice(0, SHORT)}
        rowId={({ one, other }) => `${one.source} ${one.id} ${other.source} ${other.id}`}
      />
    </Panel>
  );
}

/** Multiples of a series' own variation from which on a difference does not look like chance: there are too few values to be certain. */
const LARGE = 3;

const chanceWords = ({ sure, effect }: SeriesDifference): string =>
  sure ? 'significant' : Math.abs(effect) >= LARGE ? 'large, but too few repeats or seconds' : 'not significant';

const columnsOf = ({ baseline, other }: Comparison): Column<SeriesDifference>[] => [
  { id: 'series', header: 'Series', value: differenceName, cell: differenceName },
  {
    id: 'of',
    header: 'Host or server',
    value: (row) => row.one.source,
    cell: (row) => (row.one.source === row.other.source ? row.one.source : `${row.one.source} → ${row.other.source}`),
  },
  { id: 'unit', header: 'Unit', cell: ({ unit }) => unit },
  {
    id: 'from',
    header: 'Baseline',
    hint: baseline.name,
    align: 'right',
    value: ({ from }) => from,
    cell: ({ from }) => formatShort(from),
  },
  {
    id: 'to',
    header: 'Compared',
    hint: other.name,
    align: 'right',
    value: ({ to }) => to,
    cell: ({ to }) => formatShort(to),
  },
  {
    id: 'change',
    header: 'Change',
    align: 'right',
    value: ({ change }) => change,
    cell: ({ change }) => (change === undefined ? NO_VALUE : formatChange(change)),
  },
  {
    id: 'effect',
    header: 'Effect',
    hint: 'Difference of the means ÷ variation between blocks of seconds: beyond ±1 it exceeds that variation',
    align: 'right',
    value: ({ effect }) => Math.abs(effect),
    cell: ({ effect }) => formatNumber(effect, 1).replace('-', '−'),
  },
  {
    id: 'sure',
    header: 'Significance',
    hint: 'Corrected for the number of series',
    grow: true,
    value: ({ sure }) => Number(sure),
    cell: chanceWords,
  },
];

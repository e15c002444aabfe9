import { Button, Select } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { CellResult, ComparedCell, Comparison } from '../../../../shared/model/result.ts';
import type { Session } from '../../../../shared/model/session.ts';
import {
  formatChange,
  formatCount,
  formatLevels,
  formatNumber,
  formatShort,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner } from '../../../ui/index.ts';
import { differenceName } from './difference-name.ts';
import { WatchedOverlay } from './WatchedOverlay.tsx';

/** Rows that are shown without being asked for. */
const SHORT = 12;
const MOST_RUNS = 50;
const NONE: readonly SeriesDifference[] = [];

const runsOf = (cell: Pick<CellResult, 'runs'> | undefined): number[] =>
  (cell?.runs ?? []).slice(0, MOST_RUNS).map(({ runId }) => runId);

/** Cells with runs on both sides, the one whose figures differ most first. */
export const pairsOf = (cells: readonly ComparedCell[]): ComparedCell[] =>
  cells
    .filter(({ baseline, other }) => runsOf(baseline).length > 0 && runsOf(other).length > 0)
    .sort((one, another) => distance(another) - distance(one));

const distance = ({ ratio = 1 }: ComparedCell): number => Math.abs(Math.log(ratio > 0 ? ratio : 1));

interface DifferencesProperties {
  comparison: Comparison;
  /** The sessions of each side; the runs of one of them are looked at. */
  sessions: Record<Side, readonly Pick<Session, 'id' | 'name'>[]>;
}

type Side = 'baseline' | 'other';

/** What differs on hosts and servers in the two sides of a cell, the largest differences first, and their seconds over one another. */
export function WatchedDifferences({ comparison, sessions }: DifferencesProperties) {
  const pairs = useMemo(() => pairsOf(comparison.cells), [comparison.cells]);
  const [chosen, setChosen] = useState<string>();
  const nameOf = ({ levels }: ComparedCell): string => formatLevels(levels) || 'the only cell';
  const cell = pairs.find((each) => nameOf(each) === chosen) ?? pairs[0];
  const [one, other] = [useSide('baseline', cell, comparison), useSide('other', cell, comparison)];
  const isKnown = one.runs.length > 0 && other.runs.length > 0;
  const differences = useCall(
    'results.seriesDifferences',
    { one: one.runs, other: other.runs, warmup: comparison.warmup.other },
    { enabled: isKnown, placeholderData: (before) => before },
  );
  const error = one.error ?? other.error ?? differences.error;
  if (error) return <ProblemBanner problem={error.problem} />;
  const data = differences.data ?? NONE;
  const isChoice = sessions.baseline.length > 1 || sessions.other.length > 1;
  // Nothing was watched in both: there is nothing to say, but of other sessions there may be.
  if (!cell || (data.length === 0 && !(isChoice && differences.data))) return null;
  return (
    <>
      <DifferencesTable
        rows={data}
        comparison={comparison}
        choice={
          <>
            <SessionChoice label="Session of the baseline" sessions={sessions.baseline} side={one} />
            <SessionChoice label="Session that is compared" sessions={sessions.other} side={other} />
            {pairs.length > 1 ? (
              <Select
                aria-label="Cell whose runs are looked at"
                w={260}
                allowDeselect={false}
                searchable
                data={pairs.map(nameOf)}
                value={nameOf(cell)}
                onChange={(value) => setChosen(value ?? undefined)}
              />
            ) : null}
          </>
        }
      />
      {data.length > 0 && isKnown ? (
        <WatchedOverlay
          key={`${nameOf(cell)} ${one.sessionId} ${other.sessionId}`}
          comparison={comparison}
          differences={data}
          one={{ sessionId: one.sessionId, runId: one.runs[0] ?? 0 }}
          other={{ sessionId: other.sessionId, runId: other.runs[0] ?? 0 }}
        />
      ) : null}
    </>
  );
}

/** The runs of a cell in the session of a side that is looked at: the first one, until another is chosen. */
function useSide(side: Side, cell: ComparedCell | undefined, comparison: Comparison) {
  const first = comparison[side].id;
  const [sessionId, choose] = useState(first);
  const isFirst = sessionId === first;
  const { metric, warmup } = comparison;
  const own = useCall('results.session', { sessionId, metric, warmup: warmup[side] }, { enabled: !isFirst });
  const levels = JSON.stringify(cell?.[side]?.levels);
  const found = isFirst ? cell?.[side] : own.data?.cells.find((each) => JSON.stringify(each.levels) === levels);
  return { sessionId, choose, runs: runsOf(found), error: own.error };
}

interface ChoiceProperties {
  label: string;
  sessions: readonly Pick<Session, 'id' | 'name'>[];
  side: { sessionId: number; choose: (id: number) => void };
}

/** Which of several sessions of a side is looked at. */
const SessionChoice = ({ label, sessions, side }: ChoiceProperties) =>
  sessions.length > 1 ? (
    <Select
      aria-label={label}
      title={label}
      w={200}
      allowDeselect={false}
      data={sessions.map(({ id, name }) => ({ value: String(id), label: `${id} · ${name}` }))}
      value={String(side.sessionId)}
      onChange={(value) => value && side.choose(Number(value))}
    />
  ) : null;

interface TableProperties {
  rows: readonly SeriesDifference[];
  comparison: Comparison;
  choice: ReactNode;
}

function DifferencesTable({ rows, comparison, choice }: TableProperties) {
  const [whole, setWhole] = useState(false);
  const sure = rows.filter((row) => row.sure).length;
  const left = rows.length - SHORT;
  return (
    <Panel
      title="What differs on hosts and servers"
      note={`${formatCount(rows.length, 'series', 'series')}; ${sure} differ by more than chance`}
      flush
      actions={
        <>
          {choice}
          {left > 0 ? (
            <Button variant="subtle" size="compact-sm" aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? 'Show fewer' : `Show ${left} more`}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        label="What differs on hosts and servers"
        columns={columnsOf(comparison)}
        rows={whole ? rows : rows.slice(0, SHORT)}
        rowId={({ one, other }) => `${one.source} ${one.id} ${other.source} ${other.id}`}
      />
    </Panel>
  );
}

const columnsOf = ({ baseline, other }: Comparison): Column<SeriesDifference>[] => [
  { id: 'series', header: 'Series', value: differenceName, cell: differenceName },
  {
    id: 'of',
    header: 'Of',
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
    hint: 'Difference of the means over what blocks of seconds vary by themselves: beyond ±1 it is larger than that',
    align: 'right',
    value: ({ effect }) => Math.abs(effect),
    cell: ({ effect }) => formatNumber(effect, 1).replace('-', '−'),
  },
  {
    id: 'sure',
    header: 'Chance',
    hint: 'Corrected for how many series are looked at',
    grow: true,
    value: ({ sure }) => Number(sure),
    cell: ({ sure }) => (sure ? 'more than chance' : 'may be chance'),
  },
];

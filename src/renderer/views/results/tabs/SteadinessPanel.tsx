import { nameOfCell } from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { CellResult, CellSteadiness, SessionResult } from '../../../../shared/model/result.ts';
import { formatChange, formatDuration, formatNumber, NO_VALUE } from '../../../../shared/util/format.ts';
import { type Column, DataTable, Panel, Status, type Tone } from '../../../ui/index.ts';
import { type LevelFilter, passes } from '../useResults.ts';

interface Row {
  name: string;
  cell: CellResult;
  steady: CellSteadiness | undefined;
}

const TONES: Readonly<Record<CellSteadiness['verdict'], Tone>> = {
  settled: 'ok',
  trend: 'warn',
  step: 'warn',
  uneven: 'warn',
  unknown: 'idle',
};

/** Level of its throughput after the cut, in a few words. */
function levelWords({ verdict, change, at, until }: CellSteadiness): string {
  const size = change === undefined ? '' : ` ${formatChange(change)}`;
  if (verdict === 'settled') return 'one level';
  if (verdict === 'trend') return `still changing:${size}`;
  if (verdict === 'step') return `step of${size} at ${formatDuration(Math.round(at ?? 0))}`;
  if (verdict === 'uneven')
    return `${size.trim()} from ${formatDuration(Math.round(at ?? 0))} to ${formatDuration(Math.round(until ?? 0))}`;
  return 'unclear';
}

const dipShare = ({ steady }: Row): number | undefined => steady?.dips && steady.dips.length / steady.dips.period;

const seconds = (id: string, header: string, hint: string, value: (row: Row) => number | undefined): Column<Row> => ({
  ...{ id, header, hint, value, align: 'right' },
  cell: (row) => {
    const known = value(row);
    return known === undefined ? NO_VALUE : formatNumber(known, 1);
  },
});

const share = (id: string, header: string, hint: string, value: (row: Row) => number | undefined): Column<Row> => ({
  ...{ id, header, hint, value, align: 'right' },
  cell: (row) => {
    const known = value(row);
    return known === undefined ? NO_VALUE : formatNumber(100 * known, 1);
  },
});

const COLUMNS: readonly Column<Row>[] = [
  { id: 'cell', header: 'Cell', grow: true, value: ({ name }) => name },
  {
    id: 'level',
    header: 'Level after the cut',
    value: ({ steady }) => steady?.verdict,
    cell: ({ steady }) => (steady ? <Status tone={TONES[steady.verdict]}>{levelWords(steady)}</Status> : NO_VALUE),
  },
  {
    id: 'stalls',
    header: 'Stalls',
    hint: 'Periods without completed events, in all complete runs',
    align: 'right',
    value: ({ cell }) => cell.stalls?.count,
  },
  seconds('longest', 'Longest (s)', 'The longest stall', ({ cell }) => longestOf(cell)),
  share('stalled', 'Stalled (%)', 'Share of the time without completed events', ({ cell }) => cell.stalls?.share),
  seconds('period', 'Dips every (s)', 'Dips that come at regular intervals', ({ steady }) => steady?.dips?.period),
  share('depth', 'Depth (%)', 'Share of the throughput lost in a dip', ({ steady }) => steady?.dips?.depth),
  seconds('length', 'Dip length (s)', 'Half of the dips are longer', ({ steady }) => steady?.dips?.length),
  share('dipping', 'In dips (%)', 'Share of the time', dipShare),
];

const longestOf = ({ stalls }: CellResult): number | undefined => (stalls?.count ? stalls.longest : undefined);

const MOST_HEIGHT = 320;

interface SteadinessProperties {
  result: SessionResult;
  filter: LevelFilter;
}

/** Steadiness of each cell: its level, its stalls and its regular dips. Renders nothing for metrics that are not rates. */
export function SteadinessPanel({ result, filter }: SteadinessProperties) {
  const rows = result.cells
    .filter(({ levels }) => passes(levels, filter))
    .map(
      (cell): Row => ({
        cell,
        name: nameOfCell(result.factors, cell.levels),
        steady: result.steadiness?.find((each) => each.cell === cell.cell),
      }),
    )
    .filter(({ cell, steady }) => cell.stalls !== undefined || steady !== undefined);
  if (rows.length === 0) return null;
  return (
    <Panel title="Steadiness" note={`${metricOf(result.metric).label}, seconds after the warm-up cut`} flush>
      <DataTable
        label="Steadiness"
        columns={COLUMNS}
        rows={rows}
        rowId={({ cell }) => String(cell.cell)}
        maxHeight={MOST_HEIGHT}
      />
    </Panel>
  );
}

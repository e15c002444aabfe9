import { metricOf } from '../../shared/metrics/index.ts';
import type { HostFacts } from '../../shared/model/host.ts';
import type { Run, RunGenerator } from '../../shared/model/session.ts';
import { type FactRow, factName, factValue } from '../../shared/model/session-words.ts';
import { formatNumber, formatValue } from '../../shared/util/format.ts';
import { type Column, DataTable, type Pair, Status } from '../ui/index.ts';
import { exitWords } from './RunsTable.tsx';

const COLUMNS: readonly Column<FactRow>[] = [
  { id: 'place', header: 'Place', value: ({ place }) => `${place.kind} ${place.name}` },
  {
    id: 'what',
    header: 'Setting',
    value: ({ what }) => what,
    cell: ({ what }) => <code className="kp-mono">{what}</code>,
  },
  { id: 'wanted', header: 'Desired', value: ({ wanted }) => wanted },
  {
    id: 'found',
    header: 'Read back',
    hint: 'Right before the tool started',
    value: ({ found }) => factValue(found),
    cell: ({ found, matches }) =>
      matches === false ? <Status tone="bad">{factValue(found)}</Status> : factValue(found),
  },
  {
    id: 'first',
    header: 'Before the session',
    hint: 'Value to restore',
    value: ({ first }) => factValue(first),
  },
];

/** Number of runs with these values. */
const RUNS: Column<FactRow> = { id: 'runs', header: 'Runs', align: 'right', value: ({ runs }) => runs.length };

/** Settings of hosts and servers for the levels of runs, and the values read back; with several runs, their number. */
export const FactsTable = ({ rows, counted = false }: { rows: readonly FactRow[]; counted?: boolean }) => (
  <DataTable
    label="Set on hosts and servers"
    columns={counted ? [...COLUMNS, RUNS] : COLUMNS}
    rows={rows}
    rowId={(row) => `${factName(row)} ${row.wanted} ${row.found} ${row.first}`}
  />
);

/** Record of each of several generators in a run: its start, its duration, its summary. */
export function GeneratorsTable({ run, metric }: { run: Run; metric: string }) {
  const generators = run.generators ?? [];
  const first = Math.min(...generators.flatMap(({ startedAt }) => startedAt ?? []));
  const measure = metricOf(metric);
  const columns: Column<RunGenerator>[] = [
    { id: 'host', header: 'Generator', value: ({ host }) => host },
    {
      id: 'start',
      header: 'Start',
      hint: 'Delay after the first one, and the uncertainty of the host’s clock',
      align: 'right',
      value: ({ startedAt }) => startedAt,
      cell: ({ startedAt, clockErrorMs }) =>
        startedAt === undefined
          ? formatNumber(undefined)
          : `+${formatNumber(startedAt - first)} ms${clockErrorMs === undefined ? '' : ` ± ${formatNumber(Math.ceil(clockErrorMs))}`}`,
    },
    { id: 'seconds', header: 'Seconds', align: 'right', value: ({ seconds }) => seconds },
    {
      id: 'figure',
      header: measure.label,
      hint: 'Final figure reported by the tool, including warm-up',
      align: 'right',
      value: ({ summary }) => summary[metric],
      cell: ({ summary }) => formatValue(summary[metric], measure),
    },
    { id: 'exit', header: 'Exit', value: ({ exit }) => exitWords(exit) },
    { id: 'missing', header: 'Missing', value: ({ message }) => message ?? '' },
  ];
  return <DataTable label="Generators" columns={columns} rows={generators} rowId={({ host }) => host} empty="" />;
}

/** Settings of a host that affect results, under the names of the factors that set them. */
export const hostSettings = (facts: HostFacts): Pair[] => [
  ['CPU governor', facts.cpuGovernor],
  ['CPU boost', facts.cpuBoost === undefined ? undefined : facts.cpuBoost ? 'on' : 'off'],
  ['CPU features', facts.cpuFeatures?.join(' ')],
  ['Transparent huge pages', facts.hugePages],
];

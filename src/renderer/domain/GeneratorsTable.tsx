import { metricOf } from '../../shared/metrics/index.ts';
import type { Run, RunGenerator } from '../../shared/model/session.ts';
import { formatNumber, formatValue } from '../../shared/util/format.ts';
import { type Column, DataTable } from '../ui/index.ts';
import { exitWords } from './RunsTable.tsx';

/** What each of several generators did in a run: when it began, how long it continued, what it summed up. */
export function GeneratorsTable({ run, metric }: { run: Run; metric: string }) {
  const generators = run.generators ?? [];
  const first = Math.min(...generators.flatMap(({ startedAt }) => startedAt ?? []));
  const measure = metricOf(metric);
  const columns: Column<RunGenerator>[] = [
    { id: 'host', header: 'Generator', value: ({ host }) => host },
    {
      id: 'start',
      header: 'Start',
      hint: 'After the first one, and how exactly the clock of its host was known',
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
      hint: 'The tool’s own final figure, warm-up included',
      align: 'right',
      value: ({ summary }) => summary[metric],
      cell: ({ summary }) => formatValue(summary[metric], measure),
    },
    { id: 'exit', header: 'Exit', value: ({ exit }) => exitWords(exit) },
    { id: 'missing', header: 'Missing', value: ({ message }) => message ?? '' },
  ];
  return <DataTable label="Generators" columns={columns} rows={generators} rowId={({ host }) => host} empty="" />;
}

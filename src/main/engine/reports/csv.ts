import { isDerived } from '../../../shared/measures/index.ts';
import { isAveraged, metricName, metricOf } from '../../../shared/metrics/index.ts';
import { COMPARED_COSTS, costOf } from '../../../shared/model/analysis.ts';
import { damageWords, type SampleDamage } from '../../../shared/model/damage.ts';
import type { Scalar } from '../../../shared/model/experiment.ts';
import { caveatWords, errorRate } from '../../../shared/model/figure.ts';
import { canariesOf } from '../../../shared/model/repeats.ts';
import type { CellResult, CellSteadiness, SessionResult } from '../../../shared/model/result.ts';
import { excludedSentence } from '../../../shared/model/result-words.ts';
import type { Run } from '../../../shared/model/session.ts';
import { factName, factNames, factValue, foundWords } from '../../../shared/model/session-words.ts';
import { basisShort, figureTitle, lineOfCell } from '../../../shared/stats/index.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { allMetrics, allResults, type ReportData, readEach } from './data.ts';

/** A column of a file whose lines are made from `L`s; absent values are empty. */
interface Column<L> {
  name: string;
  of(from: L): Scalar | undefined;
}

/** A line per second of a generator; if stored samples are damaged, also a line per damaged part, without a second. */
interface SecondLine {
  run: Run;
  generator: number;
  second?: { t: number; values: ReadonlyMap<string, number> };
  damage?: SampleDamage;
}

/**
 * Every stored second of every run: one line per run, generator and second, one column per metric, and one for each setting of a host or
 * server, with the value read back. If trials have several steps, each line names its step. Absent values are empty. If stored samples are
 * damaged, there is an additional last column, and at the end of the run a line for each damaged part that names it.
 */
export async function secondsCsv(data: ReportData): Promise<string> {
  const metrics = allMetrics(data).filter(
    (id) => !isDerived(id) || data.runs.some((run) => data.series(run.id, id).length > 0),
  );
  const columns: Column<SecondLine>[] = [
    { name: 'session', of: () => data.detail.session.id },
    ...mechanicsColumn<SecondLine>(data),
    { name: 'run', of: ({ run }) => run.id },
    { name: 'trial', of: ({ run }) => run.trial + 1 },
    { name: 'cell', of: ({ run }) => run.cell + 1 },
    { name: 'repeat', of: ({ run }) => run.repeat + 1 },
    ...stepColumns<SecondLine>(data, ({ run }) => run.step),
    ...canaryColumn(data),
    { name: 'state', of: ({ run }) => run.state },
    { name: 'partial', of: ({ run }) => run.partial },
    ...whereExcluded(data, { name: 'excluded', of: ({ run }: SecondLine) => run.excluded?.reason }),
    ...factorNames(data).map((name) => ({ name, of: ({ run }: SecondLine) => run.levels[name] })),
    ...factNames(data.runs).map((name) => ({ name: `found ${name}`, of: ({ run }: SecondLine) => foundOf(run, name) })),
    { name: 'generator', of: ({ generator }) => generator },
    { name: 'second', of: ({ second }) => second?.t },
    { name: 'measured', of: ({ run, second }) => second && isMeasured(run, second.t, data.cut) },
    ...metrics.map((id) => ({ name: metricName(id), of: ({ second }: SecondLine) => second?.values.get(id) })),
    ...whereDamaged(data, { name: 'damage', of: ({ damage }: SecondLine) => damage && damageWords(damage) }),
  ];
  // Run by run, because a long session has many seconds and only one run has to be in memory.
  const pieces = [csvOf(columns, [])];
  for await (const run of readEach('Writing per-second values', data)) {
    const damage = data.damage.filter(({ runId }) => runId === run.id);
    const lines = [
      ...secondsOf(data, run, metrics),
      ...damage.map((entry): SecondLine => ({ run, generator: entry.generator, damage: entry })),
    ];
    pieces.push(linesOf(columns, lines));
  }
  return pieces.join('');
}

/** Marks trials that are not repeats of their cell, if the session has any. */
function canaryColumn({ detail: { plan } }: ReportData): Column<SecondLine>[] {
  const isCanary = canariesOf(plan);
  return plan.trials.some(({ canary }) => canary) ? [{ name: 'canary', of: ({ run }) => isCanary(run) }] : [];
}

/** Value of a setting read back before a run. Undefined if its levels did not set it. */
function foundOf({ facts = [] }: Run, name: string): string | undefined {
  const fact = facts.find((each) => factName(each) === name);
  return fact && factValue(fact.found);
}

/** By generator, then by time. */
function secondsOf(data: ReportData, run: Run, metrics: readonly string[]): SecondLine[] {
  const rows = new Map<string, { generator: number; t: number; values: Map<string, number> }>();
  for (const metric of metrics) {
    for (const series of data.series(run.id, metric)) {
      // A stopped tool can print the same second twice: the n-th value of a second belongs to its n-th line.
      const seen = new Map<number, number>();
      series.t.forEach((t, index) => {
        const turn = seen.get(t) ?? 0;
        seen.set(t, turn + 1);
        const key = `${series.generator} ${t} ${turn}`;
        const row = rows.get(key) ?? { generator: series.generator, t, values: new Map() };
        rows.set(key, row);
        row.values.set(metric, series.v[index] as number);
      });
    }
  }
  return [...rows.values()]
    .sort((a, b) => a.generator - b.generator || a.t - b.t)
    .map(({ generator, t, values }) => ({ run, generator, second: { t, values } }));
}

/** `cut`: seconds left out at the start, if the reader has moved the end of the warm-up. */
const isMeasured = (run: Run, t: number, cut = run.warmup): boolean =>
  t > cut && Math.floor(t) <= run.warmup + run.duration;

interface CellLine {
  result: SessionResult;
  cell: CellResult;
}

/** One line per cell and metric, with the figures of the results table. If anything is damaged, a last column names it. */
export function cellsCsv(data: ReportData): string {
  const lines = allResults(data).flatMap((result) => result.cells.map((cell) => ({ result, cell })));
  const columns: Column<CellLine>[] = [
    { name: 'session', of: ({ result }) => result.sessionId },
    ...mechanicsColumn<CellLine>(data),
    { name: 'cell', of: ({ cell }) => cell.cell + 1 },
    ...factorNames(data).map((name) => ({ name, of: ({ cell }: CellLine) => cell.levels[name] })),
    ...stepColumns<CellLine>(data, ({ result }) => result.step),
    { name: 'metric', of: ({ result }) => metricName(result.metric) },
    { name: 'unit', of: ({ result }) => metricOf(result.metric).unit },
    { name: 'runs', of: ({ cell }) => cell.means.length },
    { name: 'seconds', of: ({ cell }) => cell.spread?.n ?? 0 },
    { name: 'value', of: ({ cell }) => cell.value },
    {
      name: 'value_is',
      of: ({ result, cell }) => cell.basis && figureTitle(result.metric, cell.basis.pick).toLowerCase(),
    },
    { name: 'value_from', of: ({ cell }) => cell.basis && basisShort(cell.basis) },
    // A mean over seconds is meaningless for percentiles and maxima.
    { name: 'mean', of: ({ result, cell }) => (isAveraged(result.metric) ? cell.spread?.mean : undefined) },
    { name: 'median', of: ({ cell }) => cell.spread?.median },
    { name: 'p5', of: ({ cell }) => cell.spread?.p5 },
    { name: 'p95', of: ({ cell }) => cell.spread?.p95 },
    { name: 'min', of: ({ cell }) => cell.spread?.min },
    { name: 'max', of: ({ cell }) => cell.spread?.max },
    { name: 'cv', of: ({ cell }) => cell.spread?.cv },
    { name: 'interval_low', of: ({ cell }) => cell.interval?.low },
    { name: 'interval_high', of: ({ cell }) => cell.interval?.high },
    { name: 'repeats_low', of: ({ cell }) => cell.range?.low },
    { name: 'repeats_high', of: ({ cell }) => cell.range?.high },
    { name: 'repeats', of: ({ cell }) => (cell.means.length > 0 ? cell.means.join(' ') : undefined) },
    { name: 'stalls', of: ({ cell }) => cell.stalls?.count },
    { name: 'stall_longest_s', of: ({ cell }) => cell.stalls?.longest },
    { name: 'stalled_share', of: ({ cell }) => cell.stalls?.share },
    { name: 'errors', of: ({ cell }) => cell.errors },
    { name: 'partial', of: ({ cell }) => cell.partial },
    ...whereExcluded(data, { name: 'excluded', of: ({ cell }: CellLine) => excludedSentence([cell]) }),
    { name: 'bound_by', of: ({ cell }) => cell.bound?.verdict },
    { name: 'bound_evidence', of: ({ cell }) => cell.bound?.sentence },
    { name: 'errors_per_second', of: ({ cell }) => errorRate(cell) },
    { name: 'knee_verdict', of: ({ result, cell }) => lineOfCell(result.scaling ?? [], cell)?.knee.verdict },
    { name: 'knee', of: ({ result, cell }) => lineOfCell(result.scaling ?? [], cell)?.knee.load },
    { name: 'steadiness', of: ({ result, cell }) => steadinessOf(result, cell)?.verdict },
    { name: 'steadiness_change', of: ({ result, cell }) => steadinessOf(result, cell)?.change },
    ...costColumns(data, lines),
    ...ratioColumns(data),
    ...factNames(data.runs).map((name) => ({
      name: `found ${name}`,
      of: ({ cell }: CellLine) => cell.facts?.filter((thing) => factName(thing) === name).map(foundWords)[0],
    })),
    ...(lines.some(({ cell }) => caveatWords('csv', cell))
      ? [{ name: 'caveats', of: ({ cell }: CellLine) => caveatWords('csv', cell) }]
      : []),
    ...whereDamaged(data, { name: 'damage', of: ({ result, cell }: CellLine) => damageOfCell(result, cell) }),
  ];
  return csvOf(columns, lines);
}

/** Figures per operation of hosts and servers, as the mean of the cell's complete runs; bytes are not scaled. */
function costColumns(data: ReportData, lines: readonly CellLine[]): Column<CellLine>[] {
  const valuesOf = ({ cell }: CellLine, id: string): number[] =>
    cell.runs
      .filter(({ partial, state }) => !partial && state === 'done')
      .flatMap(({ runId }) => costOf(data.costs?.(runId) ?? [], id)?.value ?? []);
  return COMPARED_COSTS.filter((id) => lines.some((line) => valuesOf(line, id).length > 0)).map((id) => ({
    name: `${id}_per_operation`,
    of: (line) => {
      const values = valuesOf(line, id);
      return values.length === 0 ? undefined : sum(values) / values.length;
    },
  }));
}

/** For each factor with a baseline: its level, ratio, interval and verdict. */
function ratioColumns(data: ReportData): Column<CellLine>[] {
  const factors = new Set(allResults(data).flatMap(({ ratios = [] }) => ratios.map(({ factor }) => factor)));
  return [...factors].flatMap((factor): Column<CellLine>[] => {
    const ratiosOf = ({ result }: CellLine) => result.ratios?.find((each) => each.factor === factor);
    const ratioOf = (line: CellLine) => ratiosOf(line)?.cells.find(({ cell }) => cell === line.cell.cell);
    return [
      { name: `ratio_${factor}`, of: (line) => ratioOf(line)?.ratio },
      { name: `ratio_${factor}_low`, of: (line) => ratioOf(line)?.interval?.low },
      { name: `ratio_${factor}_high`, of: (line) => ratioOf(line)?.interval?.high },
      { name: `ratio_${factor}_verdict`, of: (line) => ratioOf(line)?.verdict },
      { name: `ratio_${factor}_baseline`, of: (line) => ratioOf(line) && ratiosOf(line)?.level },
    ];
  });
}

const steadinessOf = ({ steadiness = [] }: SessionResult, { cell }: CellResult): CellSteadiness | undefined =>
  steadiness.find((each) => each.cell === cell);

/** Place, name and tool of a line's step, if trials have several. */
const stepColumns = <L>({ detail: { session } }: ReportData, stepOf: (line: L) => number | undefined): Column<L>[] =>
  session.steps
    ? [
        { name: 'step', of: (line) => (stepOf(line) ?? 0) + 1 },
        ...(session.steps.some(({ name }) => name !== undefined)
          ? [{ name: 'step_name', of: (line: L) => session.steps?.[stepOf(line) ?? 0]?.name }]
          : []),
        { name: 'tool', of: (line) => session.steps?.[stepOf(line) ?? 0]?.tool },
      ]
    : [];

/** A column for sessions that are mechanics only; others do not have it. */
const mechanicsColumn = <L>({ detail: { session } }: ReportData): Column<L>[] =>
  session.mechanics ? [{ name: 'mechanics', of: () => session.mechanics }] : [];

/** A column that exists only if something is damaged. */
const whereDamaged = <L>(data: ReportData, column: Column<L>): Column<L>[] => (data.damage.length > 0 ? [column] : []);

/** A column that exists only if runs are excluded. */
const whereExcluded = <L>(data: ReportData, column: Column<L>): Column<L>[] =>
  data.runs.some(({ excluded }) => excluded) ? [column] : [];

function damageOfCell(result: SessionResult, cell: CellResult): string {
  const runs = new Set(cell.runs.map((run) => run.runId));
  return (result.damage ?? [])
    .filter((entry) => runs.has(entry.runId))
    .map(damageWords)
    .join(' ');
}

const factorNames = (data: ReportData): string[] => data.detail.experiment.factors.map((factor) => factor.name);

/** The header, and a line for each of `from` (RFC 4180; each ends with a line break). */
const csvOf = <L>(columns: readonly Column<L>[], from: readonly L[]): string =>
  lineOf(columns.map(({ name }) => name)) + linesOf(columns, from);

const linesOf = <L>(columns: readonly Column<L>[], from: readonly L[]): string =>
  from.map((each) => lineOf(columns.map(({ of }) => of(each)))).join('');

const lineOf = (fields: readonly (Scalar | undefined)[]): string => `${fields.map(csvField).join(',')}\r\n`;

/** Quotes a field (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe; numbers stay numbers (CWE-1236). */
export function csvField(value: Scalar | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = String(value);
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

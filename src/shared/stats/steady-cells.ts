import { metricOf } from '../metrics/index.ts';
import type { Levels } from '../model/experiment.ts';
import type { Finding } from '../model/finding.ts';
import type { CellSteadiness, SessionResult } from '../model/result.ts';
import { formatChange, formatCount, formatDuration, formatLevels, formatPercent } from '../util/format.ts';
import { dipsOf, intervalOf, proposedCut, type RunPoints, steadinessOf } from './steady-state.ts';

/** Complete runs of a cell, each from its first second to its planned end, and the seconds cut from their start. */
export interface CellRuns {
  readonly cell: number;
  readonly levels: Levels;
  readonly runs: readonly RunPoints[];
  readonly cut: number;
}

/** A cut that leaves fewer seconds than this is no help. */
const LEAST_REMAINING = 30;

/** Steadiness of a cell from its seconds. */
export interface JudgedCell {
  readonly judged: CellSteadiness;
  /** The cut in force if the cell is settled after it, otherwise the proposed one if it is settled after that. */
  readonly settling?: number;
  /** Seconds covered by one value, and the number of values after the cut in the run with the fewest. */
  readonly interval: number;
  readonly values: number;
}

/** Only for rates is the remedy known. */
export const judgesSteadiness = (metric: string): boolean => metricOf(metric).better === 'higher';

/** Steadiness of every cell with a complete run, the cut to propose, and the findings; empty for a metric that is not a rate. */
export function steadyCells(
  metric: string,
  all: readonly CellRuns[],
): Pick<SessionResult, 'steadiness' | 'proposedCut' | 'findings'> {
  const cells = all.filter(({ runs }) => runs.some(({ v }) => v.length > 0));
  return judgesSteadiness(metric)
    ? steadySession(cells.map((cell) => ({ levels: cell.levels, ...judgeCell(cell, cells.length) })))
    : {};
}

/** A single cell. `cells`: number of cells tested together. */
export function judgeCell(cell: Omit<CellRuns, 'levels'>, cells: number): JudgedCell {
  const { runs, cut } = cell;
  const judged = judge(cell, cells);
  const settling = settlingCut({ runs, cut, judged }, cells);
  return {
    judged,
    ...(settling !== undefined && { settling }),
    interval: intervalOf(runs),
    values: Math.min(...runs.map(({ t }) => countBehind(t, cut))),
  };
}

/** Combines cells that were judged separately. */
export function steadySession(
  judged: readonly Judged[],
): Pick<SessionResult, 'steadiness' | 'proposedCut' | 'findings'> {
  if (judged.length === 0) return {};
  const cuts = judged.map(({ settling }) => settling);
  const cut = cuts.every((each) => each !== undefined) ? Math.max(...cuts.map((each) => each ?? 0)) : undefined;
  const findings = findingsOf(judged, cut);
  return {
    steadiness: judged.map((entry) => entry.judged),
    ...(cut !== undefined && { proposedCut: cut }),
    ...(findings.length > 0 && { findings }),
  };
}

function judge({ cell, runs, cut }: Omit<CellRuns, 'levels'>, cells: number): CellSteadiness {
  const steady = steadinessOf(runs, cut, cells);
  const [proposed, dips] = [proposedCut(runs), dipsOf(runs, cut)];
  return {
    cell,
    verdict: steady.verdict,
    ...(proposed !== undefined && { cut: proposed }),
    ...('change' in steady && { change: steady.change }),
    ...('at' in steady && { at: steady.at }),
    ...('until' in steady && { until: steady.until }),
    ...('approach' in steady && steady.approach && { approach: steady.approach }),
    ...(dips && { dips }),
  };
}

interface Judged extends JudgedCell {
  readonly levels: Levels;
}

function settlingCut(
  { runs, cut, judged }: Pick<CellRuns, 'runs' | 'cut'> & { judged: CellSteadiness },
  cells: number,
): number | undefined {
  if (judged.verdict === 'settled') return cut;
  const proposed = judged.cut;
  if (proposed === undefined || proposed <= cut) return undefined;
  const remaining = Math.min(...runs.map(({ t }) => countBehind(t, proposed)));
  return remaining >= LEAST_REMAINING && steadinessOf(runs, proposed, cells).verdict === 'settled'
    ? proposed
    : undefined;
}

function countBehind(t: Float64Array, cut: number): number {
  let count = 0;
  for (let index = 0; index < t.length; index++) if ((t[index] as number) > cut) count += 1;
  return count;
}

const nameOf = (levels: Levels): string => formatLevels(levels) || 'The only cell';
const alsoWords = (more: number): string => (more > 0 ? ` Also in ${formatCount(more, 'more cell')}.` : '');
const seconds = (value: number): string => formatDuration(Math.round(value));

function findingsOf(cells: readonly Judged[], cut: number | undefined): Finding[] {
  const of = (verdict: CellSteadiness['verdict']): Judged[] => cells.filter(({ judged }) => judged.verdict === verdict);
  return [
    ...worst(of('trend')).map(([first, more]) => trendFinding(first, more, cut)),
    ...worst(of('step')).map(
      ([{ levels, judged }, more]): Finding => ({
        code: 'level-change',
        severity: 'warn',
        message: `${nameOf(levels)}: throughput changes by ${formatChange(judged.change)} at second ${Math.round(judged.at ?? 0)} and stays there, so the mean mixes two levels.${alsoWords(more)}`,
        next: 'The timeline marks the moment. Check for a checkpoint, a full cache, or other load on the host.',
      }),
    ),
    ...worst(of('uneven').filter(({ judged }) => !judged.dips)).map(
      ([{ levels, judged }, more]): Finding => ({
        code: 'uneven',
        severity: 'warn',
        message: `${nameOf(levels)} is not steady: from second ${Math.round(judged.at ?? 0)} to ${Math.round(judged.until ?? 0)} throughput is ${formatPercent(Math.abs(judged.change ?? 0))} ${(judged.change ?? 0) < 0 ? 'below' : 'above'} its usual level.${alsoWords(more)}`,
        next: 'Check the series of hosts and server at that time, and measure long enough for several occurrences per run.',
      }),
    ),
    ...worst(cells.filter(({ judged }) => judged.dips)).map(
      ([{ levels, judged }, more]): Finding => ({
        code: 'periodic-dips',
        severity: 'warn',
        message: `${nameOf(levels)}: throughput falls by ${formatPercent(judged.dips?.depth)} every ${seconds(judged.dips?.period ?? 0)}, for ${seconds(judged.dips?.length ?? 0)} each time.${alsoWords(more)}`,
        next: 'Measure for several periods; otherwise the mean depends on how many it includes. Typical causes: checkpoints, flushing, garbage collection.',
      }),
    ),
    ...worst(of('unknown')).map(
      ([cell, more]): Finding => ({
        code: 'settling-unknown',
        severity: 'note',
        message: `${nameOf(cell.levels)}: unclear whether throughput had settled: ${tooLittle(cell)}.${alsoWords(more)}`,
        next: 'Use longer runs, or three or more repeats.',
      }),
    ),
  ];
}

const tooLittle = ({ interval, values }: Judged): string =>
  interval < 2
    ? 'too few seconds were measured, or they vary too much'
    : `${formatCount(values, 'value')} of ${seconds(interval)} each are too few, or vary too much`;

/** The cell with the largest change, and the number of others; empty without cells. */
function worst(cells: readonly Judged[]): [Judged, number][] {
  const size = ({ judged }: Judged): number => Math.abs(judged.change ?? judged.dips?.depth ?? 0);
  const [first] = [...cells].sort((one, other) => size(other) - size(one));
  return first ? [[first, cells.length - 1]] : [];
}

function trendFinding(
  { levels, judged: { change = 0, approach } }: Judged,
  more: number,
  cut: number | undefined,
): Finding {
  const way = change > 0 ? 'rises' : 'falls';
  const approachWords = approach
    ? ` It approaches another level with a time constant of about ${seconds(approach.tau)}, and the mean is about ${formatPercent(Math.abs(approach.bias))} ${approach.bias < 0 ? 'below' : 'above'} that.`
    : '';
  const next =
    cut !== undefined
      ? `Throughput is settled after ${seconds(cut)}: set the warm-up cut there.`
      : approach
        ? `Measure with a warm-up of ${seconds(approach.warmup)} or more.`
        : 'Measure longer: it does not settle within the measured time.';
  return {
    code: 'not-settled',
    severity: 'warn',
    message: `${nameOf(levels)} had not settled: throughput ${way} by ${formatPercent(Math.abs(change))} from the first second measured to the last.${approachWords}${alsoWords(more)}`,
    next,
  };
}

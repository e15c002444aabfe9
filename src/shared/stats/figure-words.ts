import { isRecovery, isSize, type Statistic, statisticOf, VARIATION } from '../metrics/index.ts';
import type { FigureBasis, FigureSource } from '../model/figure.ts';
import { type ChosenPick, PICK_WORDS } from '../model/measure.ts';
import type { Comparison, SessionResult } from '../model/result.ts';
import { capital } from '../util/format.ts';

const TITLES: Readonly<Record<Statistic, string>> = {
  ...{ rate: 'Mean', mean: 'Mean', level: 'Mean' },
  ...{ percentile: 'Percentile', maximum: 'Maximum', minimum: 'Minimum' },
};

/** Column title for the figures of a metric. */
export function figureTitle(metric: string, pick?: ChosenPick): string {
  const title = TITLES[statisticOf(metric)];
  if (!pick) return title;
  return title === 'Mean' ? capital(PICK_WORDS[pick]) : `${title}, ${PICK_WORDS[pick]}`;
}
/** A metric with the rule that picks its figures, as labelled on axes and in sentences. */
export const pickedMeasure = <M extends { label: string }>(measure: M, pick: ChosenPick | undefined): M =>
  pick ? { ...measure, label: `${measure.label}, ${PICK_WORDS[pick]}` } : measure;

const WHOLE = ', including warm-up (the cut does not apply)';
/** For percentiles, by their source. */
const PERCENTILES: Readonly<Record<FigureSource, string>> = {
  histogram: 'over all events of all repeats, from the tool’s histograms',
  tool: 'reported by the tool for each run; the median over several repeats',
  seconds:
    'the median of per-second percentiles, because the tool reports none for the run; not a percentile of all events',
  computed: 'calculated',
};

/** For a single repeat. */
const OF_A_RUN: Readonly<Record<FigureSource, string>> = {
  histogram: 'over all events of that repeat, from the tool’s histograms',
  tool: 'the figure of that repeat alone',
  seconds: 'the median of its per-second percentiles, because the tool reports none for the run',
  computed: 'calculated from that repeat alone',
};
const OF_ALL = 'intervals, ratios and verdicts use all repeats';

/** Source of a figure, worded to follow a colon. */
export function basisWords(metric: string, { from, wholeRun, pick }: FigureBasis): string {
  if (isSize(metric)) return `read before and after each run, so no cut applies${pick ? `; ${OF_ALL}` : ''}`;
  if (isRecovery(metric) && !pick) return 'of the events of each run, so no cut applies';
  if (pick)
    return `${OF_A_RUN[statisticOf(metric) === 'percentile' ? from : 'tool']}${wholeRun ? WHOLE : ''}; ${OF_ALL}`;
  const whole = wholeRun ? WHOLE : '';
  switch (statisticOf(metric)) {
    case 'percentile':
      return `${PERCENTILES[from]}${wholeRun ? '; over the whole run including warm-up, so the cut does not apply' : ''}`;
    case 'maximum':
    case 'minimum':
      return `the ${statisticOf(metric) === 'maximum' ? 'largest' : 'smallest'} of all repeats${whole}`;
    case 'mean':
      return from === 'tool'
        ? `over all events, as counted by the tool${whole}`
        : 'over per-second values, weighted by their events';
    default:
      if (from === 'computed') return 'calculated from per-second values after the warm-up cut';
      return from === 'tool'
        ? `as reported by the tool at the end of the run${whole}`
        : 'over per-second values after the warm-up cut, weighted by the time they cover';
  }
}

/** Sources of the figures of a result, one sentence each. */
export function basisSentences({ metric, cells }: Pick<SessionResult, 'metric' | 'cells'>): string[] {
  const words = new Set(
    cells.flatMap(({ basis }) => (basis ? [`${figureTitle(metric, basis.pick)}: ${basisWords(metric, basis)}.`] : [])),
  );
  return [...words];
}

/** The definition of a metric that is no usual one, as a sentence. */
export const definitionOf = (metric: string): string | undefined =>
  metric === VARIATION
    ? 'Variation of throughput: the standard deviation of the per-second values of a run, as a percentage of their mean.'
    : undefined;

const SOURCES: Readonly<Record<FigureSource, string>> = {
  histogram: 'histogram of all events',
  tool: 'the tool’s own figure',
  seconds: 'per-second values',
  computed: 'calculated',
};

/** The same for both sides of a comparison. */
export const comparedBasis = ({ metric, cells }: Pick<Comparison, 'metric' | 'cells'>): string[] =>
  basisSentences({ metric, cells: cells.flatMap(({ baseline, other }) => [baseline ?? [], other ?? []].flat()) });

/** The same in one or two words, for a table of data. */
export const basisShort = ({ from, wholeRun }: FigureBasis): string =>
  `${SOURCES[from]}${wholeRun ? ' of the whole run including warm-up' : ''}`;

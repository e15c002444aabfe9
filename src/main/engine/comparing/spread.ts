import { metricOf } from '../../../shared/metrics/index.ts';
import { LEAST_VARYING } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { type Judgement, judge, type Repeats } from '../../../shared/stats/index.ts';
import { formatCount, formatFigure, formatLevels, formatPercent } from '../../../shared/util/format.ts';

/** Fewer do not show how much the variation of runs varies: one that stalled by chance would be half of them. */
const LEAST_REPEATS = 3;
/** Factor between the variations, if the figures themselves are not farther apart than `alike`. */
const UNLIKE = { factor: 1.5, alike: 1.25 };

interface Varying extends Repeats {
  /** Coefficient of variation of a second, mean of the runs (geometric). */
  readonly cv: number;
}

/**
 * Cells that are about as fast, one of which varies more from second to second than its repeats do by chance: Welch's t test on the logarithms of the
 * coefficients of variation, one for each run, whose seconds then need not be independent.
 */
export function spreadFindings(cells: readonly ComparedCell[], metric: string): Finding[] {
  if (metricOf(metric).better !== 'higher') return [];
  const known = new Map<CellResult, Varying | undefined>();
  const varyingOf = (cell: CellResult | undefined): Varying | undefined => {
    if (cell && !known.has(cell)) known.set(cell, varying(cell));
    return cell && known.get(cell);
  };
  const pairs = cells.flatMap(({ levels, baseline, other }) => {
    const [one, two] = [varyingOf(baseline), varyingOf(other)];
    return one && two && areAlike(baseline, other) ? [{ levels, baseline: one, other: two }] : [];
  });
  const judged = judge(pairs, { margin: UNLIKE.factor - 1 });
  const unlike = pairs.flatMap((pair, index) => {
    const judgement = judged[index];
    return judgement?.differs && timesOf(judgement) >= UNLIKE.factor ? [{ ...pair, judgement }] : [];
  });
  const [first] = unlike.sort((one, other) => timesOf(other.judgement) - timesOf(one.judgement));
  if (!first) return [];
  const { ratio, low, high } = first.judgement;
  const where = formatLevels(first.levels);
  const more = unlike.length > 1 ? ` Also in ${formatCount(unlike.length - 1, 'more cell')}.` : '';
  const between =
    ratio > 1
      ? `${formatFigure(low, 1)} to ${formatFigure(high, 1)}`
      : `${formatFigure(1 / high, 1)} to ${formatFigure(1 / low, 1)}`;
  return [
    {
      code: 'variation-differs',
      severity: 'note',
      message: `${where === '' ? 'Seconds' : `${where}: seconds`} vary by ${formatPercent(first.baseline.cv, 1)} in the baseline and ${formatPercent(first.other.cv, 1)} in the other session, ${formatFigure(timesOf(first.judgement), 1)} times as much in ${ratio > 1 ? 'the other session' : 'the baseline'} (95 % interval ${between}), at about the same mean.${more}`,
      next: 'Check the timelines and the slowest seconds: equal means can hide instability.',
    },
  ];
}

const timesOf = ({ ratio }: Judgement): number => Math.max(ratio, 1 / ratio);

function areAlike(one: CellResult | undefined, other: CellResult | undefined): boolean {
  const times = (other?.value ?? Number.NaN) / (one?.value ?? Number.NaN);
  return Math.max(times, 1 / times) <= UNLIKE.alike;
}

function varying({ runs }: Pick<CellResult, 'runs'>): Varying | undefined {
  const spreads = runs.flatMap(({ state, partial, spread }) =>
    state === 'done' && !partial && spread && spread.n >= LEAST_VARYING && spread.cv > 0 ? [spread] : [],
  );
  if (spreads.length < LEAST_REPEATS) return undefined;
  const values = spreads.map(({ cv }) => cv);
  const seconds = spreads.reduce((sum, { n }) => sum + n, 0) / spreads.length;
  return {
    values,
    // With this many independent seconds, a standard deviation is known within this, as a share squared.
    within: 1 / (2 * seconds),
    resolution: 0,
    cv: Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length),
  };
}

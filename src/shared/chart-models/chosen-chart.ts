import { metricOf } from '../metrics/index.ts';
import { type CellSeconds, type ChartChoice, isOfSeconds, MOST_DOTS } from '../model/chart.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { pickedMeasure } from '../stats/index.ts';
import { formatLevels } from '../util/format.ts';
import { byLevels, type FactorLevels } from './levels.ts';
import type { ChartModel } from './model.ts';
import { ladderFactor, painterOf, sessionCurve } from './of-session.ts';
import { secondsDensity, secondsHistogram } from './seconds-bins.ts';
import { clippedWords, secondsDots } from './seconds-dots.ts';
import type { ChartTheme } from './theme.ts';

const ONLY: FactorLevels = { name: 'cell', levels: ['the only cell'] };

/**
 * Metric whose figures or seconds a chart draws. `named`: the metric that the chart names, undefined if it names none and so follows the one that is
 * shown; a figure of whole runs has no seconds, so seconds are then those of the metric behind it.
 */
export const metricDrawn = (
  choice: Pick<ChartChoice, 'kind'>,
  named: string | undefined,
  { metric, overTime }: Pick<SessionResult, 'metric' | 'overTime'>,
): string => named ?? (isOfSeconds(choice) ? (overTime ?? metric) : metric);

/** Title of a chart of choice: its own, else what it shows. */
export function chosenTitle(
  { title, kind, x }: ChartChoice,
  { factors, metric }: Pick<SessionResult, 'factors' | 'metric'>,
): string {
  const { label } = metricOf(metric);
  const along = x ?? ladderFactor(factors)?.name;
  if (title !== undefined) return title;
  if (kind === 'curve') return along === undefined ? label : `${label} by ${along}`;
  return { dots: `${label} by second`, density: `${label}: density`, histogram: `${label}: histogram` }[kind];
}

/** Runs whose seconds are drawn of each cell: complete ones, or partial ones where a cell has no other. */
const runsDrawn = ({ runs, partial }: Pick<CellResult, 'runs' | 'partial'>): number[] =>
  runs.filter((run) => run.spread !== undefined && run.partial === partial).map(({ runId }) => runId);

/** The question for the seconds of the cells of a result. Undefined if the chart draws none. */
export const secondsAsked = (choice: ChartChoice, { cells, metric, warmup }: SessionResult) =>
  isOfSeconds(choice)
    ? {
        groups: cells.map(runsDrawn),
        ...{ metric, warmup, points: Math.max(20, Math.floor(MOST_DOTS / Math.max(1, cells.length))) },
        ...(choice.clip !== undefined && { clip: choice.clip }),
      }
    : undefined;

/** A chart that a document or a person asks for. `seconds`: of the cells of the result, in their order; empty for a curve. */
export function chosenChart(
  choice: ChartChoice,
  result: SessionResult,
  seconds: readonly CellSeconds[],
  theme: ChartTheme,
): ChartModel {
  const { kind, x: named, log: isLog, clip, markers } = choice;
  if (kind === 'curve')
    return sessionCurve(result, theme, { x: named, markers, ...(isLog && { axis: 'log' as const }) });
  const factors: readonly FactorLevels[] = result.factors.length > 0 ? result.factors : [ONLY];
  const measure = pickedMeasure(metricOf(result.metric), undefined);
  const compare = byLevels(result.factors);
  const paint = painterOf(result.factors);
  const cells = result.cells
    .flatMap((cell, index) => {
      const own = seconds[index];
      return own && own.count > 0 ? [{ ...own, cell: cell.cell, levels: cell.levels }] : [];
    })
    .sort((one, other) => compare(one.levels, other.levels));
  if (kind === 'dots') {
    const x = factors.find(({ name }) => name === named) ?? ladderFactor(factors) ?? ONLY;
    const placed =
      result.factors.length > 0 ? cells : cells.map((cell) => ({ ...cell, levels: { cell: ONLY.levels[0] ?? '' } }));
    return secondsDots(
      { ...{ measure, x, isLog, clip, markers }, cells: placed, lines: factors.filter((factor) => factor !== x) },
      theme,
    );
  }
  const draw = kind === 'density' ? secondsDensity : secondsHistogram;
  const model = draw(
    cells.map((cell) => ({ ...cell, name: formatLevels(cell.levels) || 'the only cell', ...paint(cell.levels) })),
    measure,
    theme,
    { isLog, clip, markers },
  );
  const clipped = clippedWords(cells, clip, measure);
  return clipped ? { ...model, description: `${model.description}; ${clipped}` } : model;
}

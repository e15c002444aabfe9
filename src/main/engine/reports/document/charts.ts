import {
  alongProgress,
  areMediansFarApart,
  baselineBars,
  byLevels,
  cellsDrawn,
  chartTheme,
  chosenChart,
  chosenHeight,
  chosenTitle,
  comparisonBars,
  costBars,
  countsOf,
  curveOver,
  hasWhiskers,
  ladderFactor,
  lawWords,
  lineSlots,
  metricDrawn,
  type Painter,
  painterOf,
  partsOf,
  progressAsked,
  secondsAsked,
  sessionCurve,
  spreadOfRepeats,
  type TimelineLine,
  timeline,
  whiskerWords,
} from '../../../../shared/chart-models/index.ts';
import { lotWords, pricePerLot } from '../../../../shared/costs/index.ts';
import { definedIn, metricNamed } from '../../../../shared/measures/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { chartsOf } from '../../../../shared/model/chart.ts';
import { caveatWords } from '../../../../shared/model/figure.ts';
import { canariesOf } from '../../../../shared/model/repeats.ts';
import type { Comparison, FactorRatios, SessionResult } from '../../../../shared/model/result.ts';
import { errorSentence, hasFigure } from '../../../../shared/model/result-words.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { definitionOf } from '../../../../shared/stats/index.ts';
import { formatLevels } from '../../../../shared/util/format.ts';
import type { ReportData } from '../data.ts';
import { figure, heading, type Part, withHeading } from './parts.ts';
import { chartPicture, SCALE } from './svg.ts';

const MAX_TIMELINES = 8;
const MAX_LINES = 40;
/** Bars that fit on a page with a heading. */
const MOST_BARS = 30;
export const theme = { ...chartTheme('light'), font: 'Roboto' };

/** The load curve, as on the screen. */
export function curveFigure(result: SessionResult, height = 230): Part[] {
  const isEmpty = result.cells.every((cell) => cell.value === undefined && partsOf(cell).length === 0);
  if (result.factors.length === 0 || isEmpty) return [];
  const chart = sessionCurve(result, theme);
  const drawn = lawWords(result, ladderFactor(result.factors)?.name);
  const errors = errorSentence(result.cells);
  const spread = spreadOfRepeats(result.cells);
  const whiskers = hasWhiskers(result, spread) ? [`Whiskers: ${whiskerWords(result.metric, spread, result.pick)}`] : [];
  const below = [...whiskers, ...(drawn ? [drawn] : [])].join('; ');
  const words = [
    `${chart.description}.${below === '' ? '' : ` ${below}.`}`,
    ...[definitionOf(result.metric) ?? [], errors ?? []].flat(),
  ];
  return [figure(chartPicture(chart, height), words.join(' '))];
}

/** Charts of the document and of the session, if this step has figures of their metric. */
export function chosenFigures(data: ReportData): Part[] {
  const [shown] = data.results;
  if (!shown) return [];
  return chartsOf(data.detail).flatMap((choice): Part[] => {
    const named = choice.metric === undefined ? undefined : metricNamed(choice.metric, definedIn(data.detail));
    // A measure that was removed from the session.
    if (choice.metric !== undefined && named === undefined) return [];
    const metric = metricDrawn(choice, named, shown);
    const whole = data.results.find((each) => each.metric === metric);
    const result = whole && cellsDrawn(choice, whole);
    if (!result?.cells.some(hasFigure)) return [];
    const query = secondsAsked(choice, result);
    if (query && !data.seconds) return [];
    const { counts } = choice;
    if (counts !== undefined && result.cells.every((cell) => countsOf(cell, data.runs, counts).length === 0)) return [];
    const measured = (query && data.seconds?.(query)) ?? [];
    const way = progressAsked(choice, query);
    const seconds = way ? alongProgress(measured, data.seconds?.(way) ?? []) : measured;
    const comparison = choice.over === undefined ? undefined : data.over?.(choice.over, metric);
    const model = comparison
      ? curveOver(choice, comparison, theme)
      : chosenChart(choice, result, seconds, theme, data.runs);
    const panels = chosenHeight(choice, result);
    const picture = panels === undefined ? chartPicture(model, 220) : chartPicture(model, panels / SCALE, true);
    return withHeading(heading(chosenTitle(choice, result), 3), [figure(picture, `${model.description}.`)]);
  });
}

/** Every run over time, aligned at 0; a chart for each line of the load curve in its hue, darker for each level along it. */
export function timelineFigures(data: ReportData, result: SessionResult): Part[] {
  const along = ladderFactor(result.factors);
  const slots = lineSlots(result);
  const paint = painterOf(result.factors);
  const compare = byLevels(result.factors);
  const isCanary = canariesOf(data.detail.plan);
  const metric = result.overTime ?? result.metric;
  const { label, unit, digits } = metricOf(metric);
  return [...new Set(slots.values())].slice(0, MAX_TIMELINES).flatMap((slot): Part[] => {
    const runs = data.runs
      .filter((run) => run.step === result.step && slots.get(run.cell) === slot && !isCanary(run) && !run.excluded)
      .sort((a, b) => compare(a.levels, b.levels) || a.cell - b.cell);
    const lines = runs.slice(0, MAX_LINES).flatMap((run) => lineOf(data, run, metric, along, paint));
    if (lines.length === 0) return [];
    const isLog = areMediansFarApart(lines);
    const chart = timeline({ measure: { label, unit, digits }, lines, isLog, warmup: result.warmup }, theme);
    const others = Object.entries(runs[0]?.levels ?? {}).filter(([name]) => name !== along?.name);
    const words = formatLevels(Object.fromEntries(others));
    const left = runs.length > MAX_LINES ? ` The first ${MAX_LINES} of ${runs.length} runs.` : '';
    const several = severalWords(data.detail.session.generators.length, metric);
    const repeats = data.detail.session.repeats > 1 ? ' Repeats of a cell have the same colour.' : '';
    return [
      figure(
        chartPicture(chart, 190),
        `${label} over time${words ? `, ${words}` : ''}. The shaded warm-up is excluded from every figure.${several}${repeats}${left}`,
      ),
    ];
  });
}

function severalWords(generators: number, metric: string): string {
  if (generators < 2) return '';
  const { combine } = metricOf(metric);
  if (combine === 'none') return ` A line for each of ${generators} generators.`;
  return ` ${combine === 'sum' ? 'The sum' : 'The highest'} of ${generators} generators.`;
}

/** Ratios to the baseline with their intervals. */
export function comparisonFigure(comparison: Comparison): Part[] {
  const compared = comparison.cells.filter((cell) => cell.ratio !== undefined).length;
  if (compared === 0) return [];
  const intervals = comparison.cells.some((cell) => cell.interval) ? ', with 95 % intervals' : '';
  const cells = comparison.cells.filter((cell) => cell.ratio !== undefined);
  return Array.from({ length: Math.ceil(compared / MOST_BARS) }, (_, page) => {
    const shown = cells.slice(page * MOST_BARS, (page + 1) * MOST_BARS);
    const chart = comparisonBars({ ...comparison, cells: shown }, theme);
    return figure(chartPicture(chart, 50 + 20 * shown.length, true), `${chart.description}${intervals}.`);
  });
}

/** Ratios to the baseline of a factor, as many as fit on a page. */
export function ratiosFigure(result: SessionResult, ratios: FactorRatios): Part[] {
  const drawn = ratios.cells.filter(({ ratio }) => ratio !== undefined).slice(0, MOST_BARS);
  if (drawn.length === 0) return [];
  const chart = baselineBars(result, { ...ratios, cells: drawn }, theme);
  return [figure(chartPicture(chart, 50 + 20 * drawn.length, true), `${chart.description}, with 95 % intervals.`)];
}

/**
 * A run's line: of several generators the combined one or, if they cannot be combined, one each. Without a factor, each repeat is a
 * separate line.
 */
function lineOf(
  data: ReportData,
  run: Run,
  metric: string,
  along: SessionResult['factors'][number] | undefined,
  paint: Painter,
): TimelineLine[] {
  const all = data.seriesAndWhole(run.id, metric).filter(({ t }) => t.length > 0);
  const whole = all.filter(({ generator }) => generator === null);
  const level = along && run.levels[along.name];
  const name = along ? formatLevels({ [along.name]: level ?? '' }) : `repeat ${run.repeat + 1}`;
  const look = along ? paint(run.levels) : { slot: run.repeat };
  return (whole.length > 0 ? whole : all).map(({ generator, t, v }) => ({
    ...{ key: `${run.id}/${generator ?? 'all'}`, name, ...look, t, v },
    weight: 'normal',
  }));
}

/** Cost of the work of each cell, cheapest first. */
export function valueFigure(data: ReportData): Part[] {
  const value = data.cost?.value;
  if (!value || value.metric === null || value.rows.length === 0) return [];
  const { metric } = value;
  const shown = value.rows.slice(0, MOST_BARS);
  const bars = shown.map((row) => ({
    name: formatLevels(row.levels) || row.name,
    value: pricePerLot(metric, row) ?? 0,
    note: caveatWords('chart', row) || undefined,
    details: [],
  }));
  const label = lotWords(value);
  const chart = costBars(bars, { label, currency: value.currency }, theme, 'print');
  const left = value.rows.length > shown.length ? ` The cheapest ${shown.length} of ${value.rows.length} cells.` : '';
  return [figure(chartPicture(chart, 60 + 21 * bars.length, true), `${label}: price per hour / (rate × 3600).${left}`)];
}

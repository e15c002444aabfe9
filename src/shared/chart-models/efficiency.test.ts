import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import type { CurveSpread } from '../model/chart.ts';
import { caveatsOf } from '../model/figure.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { loadLines } from '../stats/index.ts';
import {
  baselineBars,
  type ChartModel,
  chartTheme,
  hasWhiskers,
  latencyCurve,
  lawWords,
  loadFactor,
  scalingCurve,
  scalingSentences,
  sessionBoxes,
  sessionCurve,
  spreadOfRepeats,
  whiskerWords,
} from './index.ts';

const theme = chartTheme('light');
const all = (): boolean => true;
const factors = [
  { name: 'sync', levels: ['FULL', 'OFF'] },
  { name: 'threads', levels: [1, 2, 4, 8, 16], load: 'concurrency' as const },
];

/** Cells of both lines with these means; only drawn fields are filled in. */
function measured(metric: string, means: readonly number[]): SessionResult {
  const cells = ['FULL', 'OFF'].flatMap((sync, row) =>
    means.map((value, column) => {
      const mean = value * (row + 1);
      return {
        cell: row * means.length + column,
        levels: { sync, threads: factors[1]?.levels[column] ?? 0 },
        runs: [],
        means: [0.998 * mean, mean, 1.002 * mean],
        errors: 0,
        partial: false,
        value: mean,
        spread: { n: 1, mean, median: mean, p5: mean, p25: mean, p75: mean, p95: mean, min: mean, max: mean, cv: 0 },
      };
    }),
  );
  const scaling = loadLines({ metric, factors, cells });
  return { sessionId: 1, metric, metrics: [metric], factors, warmup: 0, cells, scaling };
}

function svgOf({ option }: ChartModel): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

const sessionBoxesOf = (result: SessionResult): ChartModel => sessionBoxes(result, theme);
const rates = measured('tps', [100, 190, 300, 400, 401]);
const latencies = measured('latency_p95_ms', [1, 1.1, 1.4, 4, 40]);

it('names the factor that raises the load if its levels are numbers', () => {
  expect(loadFactor(rates)).toBe('threads');
  expect(loadFactor({ factors: [{ name: 'sync', levels: ['FULL', 'OFF'] }] })).toBeUndefined();
  expect(loadFactor({ factors: [{ name: 'threads', levels: [4], load: 'concurrency' }] })).toBeUndefined();
  expect(loadFactor({ factors: [{ name: 'buffer-pool', levels: [1, 2, 4] }] })).toBeUndefined();
});

it('plots latency against throughput, and marks the knee and the power point', () => {
  const { columns, rows } = latencyCurve(rates, latencies, theme, all).table();
  expect(columns).toEqual([
    'sync',
    'threads',
    'Transactions (tps)',
    'Latency, 95th percentile (ms)',
    'knee',
    'power point',
  ]);
  expect(rows).toHaveLength(10);
  const marked = (column: number) => rows.filter((row) => row[column] === 'yes').map((row) => row.slice(0, 2));
  expect(marked(4)).toEqual([
    ['FULL', '8'],
    ['OFF', '8'],
  ]);
  expect(marked(5)).toEqual([
    ['FULL', '4'],
    ['OFF', '4'],
  ]);
});

const early = (cell: CellResult): CellResult => ({ ...cell, ...caveatsOf({ ...cell, partial: true }) });

it('marks no power point on a cell with failed or aborted runs', () => {
  const broken = { ...rates, cells: rates.cells.map((cell) => (cell.levels.threads === 4 ? early(cell) : cell)) };
  const { rows } = latencyCurve(broken, latencies, theme, all).table();
  const marked = rows.filter((row) => row[5] === 'yes').map((row) => row[1]);
  expect(marked).toHaveLength(2);
  expect(marked).not.toContain('4');
});

it('plots latency on a log scale if it spans decades, and labels it', () => {
  expect(latencyCurve(rates, latencies, theme, all).option.yAxis).toMatchObject({
    type: 'log',
    name: 'Latency, 95th percentile (ms), log scale',
  });
  const near = measured('latency_p95_ms', [1, 1.1, 1.4, 4, 5]);
  expect(latencyCurve(rates, near, theme, all).option.yAxis).toMatchObject({ type: 'value' });
  expect(sessionCurve(latencies, theme).option.yAxis).toMatchObject({ type: 'log' });
});

it('circles the knee on the load curve and draws fit, interval and peak', () => {
  const peaked = measured('tps', [100, 190, 300, 310, 250]);
  const model = sessionCurve(peaked, theme);
  expect(svgOf(model)).toContain('stroke-dasharray');
  expect(model.table().columns).toContain('knee');
  const ids = [model.option.series].flat().map((series) => series?.id);
  for (const part of ['law', 'band', 'peak']) expect(ids).toContain(`${part} sync FULL`);
  expect(lawWords(peaked, 'threads')).toBe(
    'ringed: the knee; dashed: Universal Scalability Law, with its 95 % interval; diamond: its peak',
  );
  expect(scalingSentences(peaked, { sync: ['OFF'] })).toEqual([
    expect.stringMatching(/^sync OFF: Knee at threads 8: .* Universal Scalability Law: /),
  ]);
  // There is neither along a factor that is no load.
  expect(sessionCurve(peaked, theme, { x: 'sync' }).table().columns).not.toContain('knee');
});

it('uses the requested scale if possible', () => {
  expect(latencyCurve(rates, latencies, theme, all, { axis: 'zero' }).option.yAxis).toMatchObject({ type: 'value' });
  const near = measured('latency_p95_ms', [1, 1.1, 1.4, 4, 5]);
  expect(latencyCurve(rates, near, theme, all, { axis: 'log' }).option.yAxis).toMatchObject({ type: 'log' });
  const zero = measured('latency_p95_ms', [0, 1.1, 1.4, 4, 5]);
  expect(latencyCurve(rates, zero, theme, all, { axis: 'log' }).option.yAxis).toMatchObject({ type: 'value' });
});

it('draws a box of seconds behind each point on request, and explains it', () => {
  const ids = (boxes: boolean) =>
    [latencyCurve(rates, latencies, theme, all, { boxes }).option.series].flat().map((series) => series?.id);
  expect(ids(false)).toEqual(['sync FULL', 'sync OFF']);
  expect(ids(true)).toEqual(['boxes sync FULL', 'sync FULL', 'boxes sync OFF', 'sync OFF']);
  expect(svgOf(latencyCurve(rates, latencies, theme, all, { boxes: true }))).toContain(
    'box: quartiles, whiskers: 5th to 95th percentile of per-second values',
  );
});

it('labels the knee at its point, or that it was not reached', () => {
  const peaked = { ...measured('tps', [100, 190, 300, 310, 250]), factors };
  const [full, off] = peaked.scaling ?? [];
  const scaling = [full, off && { ...off, knee: { verdict: 'none' as const } }].filter((line) => line !== undefined);
  const svg = svgOf(sessionCurve({ ...peaked, scaling }, theme));
  expect(svg.split('>knee<')).toHaveLength(2);
  expect(svg.split('>knee not reached<')).toHaveLength(2);
});

it('draws the interval of the repeats, or the seconds on request or without an interval', () => {
  const withIntervals = {
    ...rates,
    cells: rates.cells.map((cell) => ({
      ...cell,
      interval: { low: 0.9 * (cell.value ?? 0), high: 1.1 * (cell.value ?? 0) },
      spread: { ...cell.spread, p5: 1, p95: 2, min: 0.5, max: 3 } as NonNullable<typeof cell.spread>,
    })),
  };
  const ends = (of: SessionResult, spread?: CurveSpread) =>
    sessionCurve(of, theme, { spread }).table().rows[0]?.slice(3, 5);
  expect(ends(withIntervals)).toEqual([90, 110.00000000000001]);
  expect(ends(withIntervals, 'seconds')).toEqual([1, 2]);
  expect(ends(withIntervals, 'extremes')).toEqual([0.5, 3]);
  expect(ends(rates)).toEqual([100, 100]);
  expect(whiskerWords('tps', spreadOfRepeats(withIntervals.cells))).toBe('95 % interval of the mean of the repeats');
  expect(whiskerWords('tps', spreadOfRepeats(rates.cells))).toBe('5th to 95th percentile of per-second values');
  expect(whiskerWords('tps', 'extremes')).toMatch(/^smallest to largest per-second value/);
  expect(whiskerWords('latency_p95_ms', 'repeats')).toBe('smallest to largest repeat');
  const { spread, ...whole } = rates.cells[0] as CellResult;
  expect(hasWhiskers(rates, 'seconds')).toBe(spread !== undefined);
  expect(hasWhiskers({ ...rates, cells: [whole] }, 'seconds')).toBe(false);
  expect(hasWhiskers({ ...rates, cells: [whole, ...withIntervals.cells] }, 'repeats')).toBe(true);
});

it('uses a log scale if lines of throughput are decades apart, not if one line rises', () => {
  const apart = {
    ...rates,
    cells: rates.cells.map((cell) => (cell.levels.sync === 'OFF' ? { ...cell, value: 100 * (cell.value ?? 0) } : cell)),
  };
  expect(sessionCurve(apart, theme).option.yAxis).toMatchObject({ type: 'log' });
  expect(sessionCurve(apart, theme, { axis: 'zero' }).option.yAxis).toMatchObject({ type: 'value' });
  const rising = measured('tps', [1, 10, 100, 1000, 4000]);
  expect(sessionCurve(rising, theme).option.yAxis).toMatchObject({ type: 'value' });
});

it('draws both metrics with their units and a legend', () => {
  const svg = svgOf(latencyCurve(rates, latencies, theme, all));
  for (const words of ['Latency, 95th percentile (ms)', 'Transactions (tps)', 'sync FULL', '>8<'])
    expect(svg).toContain(words);
});

it('shows scaling losses as shares of the smallest load', () => {
  const { rows } = scalingCurve(rates, theme, (cell) => cell.levels.sync === 'OFF').table();
  expect(rows.map((row) => [row[0], row[2]])).toEqual([
    ['1', 100],
    ['2', 95],
    ['4', 75],
    ['8', 50],
    ['16', 25.0625],
  ]);
});

it('names lines and boxes by the factors in which cells differ', () => {
  const sized: SessionResult = {
    ...rates,
    factors: [...factors, { name: 'size', levels: [10] }],
    cells: rates.cells.map((cell) => ({ ...cell, levels: { ...cell.levels, size: 10 } })),
  };
  for (const draw of [(result: SessionResult) => scalingCurve(result, theme, all), sessionBoxesOf])
    expect(draw(sized).table().columns).toEqual(draw(rates).table().columns);
  expect(JSON.stringify(sessionBoxesOf(sized).option.xAxis)).not.toContain('size');
});

describe('latencies of several generators that cannot be combined', () => {
  const [near, far] = [measured('latency_p95_ms', [1, 1.1, 1.4, 4, 40]), measured('latency_p95_ms', [2, 2, 3, 9, 80])];
  const spreadOf = (of: SessionResult, cell: number) => of.cells[cell]?.spread as NonNullable<CellResult['spread']>;
  const apart: SessionResult = {
    ...near,
    cells: near.cells.map(({ value: _, spread: __, ...cell }) => ({
      ...{ ...cell, means: [] },
      generators: [near, far].map((of, place) => ({
        ...{ host: `load${place + 1}`, value: of.cells[cell.cell]?.value },
        spread: spreadOf(of, cell.cell),
      })),
    })),
  };

  it('are drawn as a line for each generator against the total rate', () => {
    const model = latencyCurve(rates, apart, theme, all, { boxes: true });
    expect(svgOf(model)).toContain('sync OFF · load2');
    const { columns, rows } = model.table();
    expect(columns[2]).toBe('generator');
    expect(rows).toHaveLength(20);
    expect(rows.filter((row) => row[0] === 'OFF' && row[1] === '8').map((row) => row.slice(2, 6))).toEqual([
      ['load1', 800, 8, 'yes'],
      ['load2', 800, 18, 'yes'],
    ]);
    const drawn = [model.option.series].flat().filter((series) => series?.type === 'line');
    expect(new Set(drawn.map((series) => series?.color)).size).toBe(4);
  });

  it('are drawn as lines of the load curve and as boxes, without runs that ended early', () => {
    const { columns, rows } = sessionCurve(apart, theme).table();
    expect(columns).toContain('on generator');
    expect(rows.slice(0, 2).map((row) => row.slice(0, 4))).toEqual([
      ['1', 'FULL', 'load1', 1],
      ['1', 'FULL', 'load2', 2],
    ]);
    const boxes = sessionBoxes(apart, theme).table();
    expect(boxes.rows).toHaveLength(20);
    expect(boxes.rows.slice(0, 2).map(([name]) => name)).toEqual([
      'sync FULL · threads 1 · load1',
      'sync FULL · threads 1 · load2',
    ]);
    const broken = { ...apart, cells: apart.cells.map(early) };
    expect(sessionCurve(broken, theme).table().columns).not.toContain('on generator');
  });
});

it('names bars of ratios without the factor in the title if a level stands for itself', () => {
  const ratios = (factor: string, level: string | number) => ({
    ...{ factor, level, verdict: '' },
    cells: rates.cells.map(({ cell }) => ({ cell, baseline: 0, ratio: 1.2, verdict: 'better' as const, sentence: '' })),
  });
  const bySync = baselineBars(rates, ratios('sync', 'FULL'), theme);
  expect(svgOf(bySync)).toContain('>OFF · threads 1<');
  expect(bySync.table().rows[5]?.[0]).toBe('sync OFF · threads 1');
  expect(svgOf(baselineBars(rates, ratios('threads', 1), theme))).toContain('>sync OFF · threads 2<');
});

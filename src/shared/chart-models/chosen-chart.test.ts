import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import type { CellSeconds, ChartChoice } from '../model/chart.ts';
import type { Comparison, SessionResult } from '../model/result.ts';
import { randomFrom } from '../util/numbers.ts';
import {
  alongProgress,
  type ChartModel,
  cellsDrawn,
  chartTheme,
  chosenChart,
  chosenHeight,
  chosenTitle,
  countPatterns,
  countsOf,
  curveOver,
  metricDrawn,
  progressAsked,
  secondsAsked,
} from './index.ts';
import { optionAt } from './names.ts';
import { binsOf, densitiesOf } from './seconds-bins.ts';
import { jitterOf } from './seconds-dots.ts';

const theme = chartTheme('light');

const secondsOf = (values: readonly number[], clip = Number.POSITIVE_INFINITY): CellSeconds => ({
  count: values.length,
  above: values.filter((value) => value > clip).length,
  ascending: Float64Array.from(values.filter((value) => value <= clip)).sort(),
});

function svgOf(model: ChartModel): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 900, height: 340 });
  chart.setOption(optionAt(model, { width: 900 }));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** Normal values by Box and Muller, with a fixed seed. */
function normal(count: number, mean: number, deviation: number): number[] {
  const random = randomFrom(11);
  return Array.from(
    { length: count },
    () => mean + deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}

describe('density', () => {
  it('has an area of 1, and the height of a normal distribution at its mean', () => {
    const { at, densities } = densitiesOf([secondsOf(normal(5000, 1000, 50))]);
    const line = densities[0] ?? [];
    const step = (at[1] ?? 0) - (at[0] ?? 0);
    expect(line.reduce((sum, density) => sum + density * step, 0)).toBeCloseTo(1, 2);
    // 1 / (50 √2π); smoothing lowers it by a few per cent.
    const highest = Math.max(...line);
    expect(highest).toBeGreaterThan(0.9 / (50 * Math.sqrt(2 * Math.PI)));
    expect(highest).toBeLessThan(1.05 / (50 * Math.sqrt(2 * Math.PI)));
    expect(at[line.indexOf(highest)]).toBeGreaterThan(980);
    expect(at[line.indexOf(highest)]).toBeLessThan(1020);
  });

  it('shows two levels as two peaks, and excludes the share above the end of the axis', () => {
    const values = [...normal(600, 100, 5), ...normal(400, 300, 5)];
    const { at, densities } = densitiesOf([secondsOf(values)]);
    const near = (place: number): number => densities[0]?.[at.findIndex((value) => value >= place)] ?? Number.NaN;
    expect(near(200)).toBeLessThan(near(100) / 100);
    expect(near(300)).toBeGreaterThan(near(200) * 100);
    const cut = densitiesOf([secondsOf(values, 200)]);
    const step = (cut.at[1] ?? 0) - (cut.at[0] ?? 0);
    expect((cut.densities[0] ?? []).reduce((sum, density) => sum + density * step, 0)).toBeCloseTo(0.6, 2);
  });

  it('of a single value is one narrow peak', () => {
    const { at, densities } = densitiesOf([secondsOf([7, 7, 7])]);
    const line = densities[0] ?? [];
    expect(at[line.indexOf(Math.max(...line))]).toBeCloseTo(7, 1);
  });
});

describe('histogram', () => {
  it('has the share of seconds in each column, in all 100 % minus the share above the end', () => {
    const { edges, shares } = binsOf([secondsOf(Array.from({ length: 80 }, (_, index) => index))]);
    expect(edges).toHaveLength(41);
    expect([edges[0], edges[40]]).toEqual([0, 79]);
    for (const share of shares[0] ?? []) expect(share).toBeCloseTo(2.5, 9);
    const cut = binsOf([secondsOf([1, 2, 3, 4, 500], 10)]);
    expect(cut.shares[0]?.reduce((sum, share) => sum + share, 0)).toBeCloseTo(80, 9);
  });

  it('has columns of equal ratio on a log axis, without values that have no logarithm', () => {
    const { edges, shares } = binsOf([secondsOf([0, 1, 10, 100, 10_000])], true);
    expect(edges[0]).toBeCloseTo(1, 9);
    expect((edges[1] ?? 0) / (edges[0] ?? 1)).toBeCloseTo((edges[40] ?? 0) / (edges[39] ?? 1), 9);
    expect(edges[40]).toBeCloseTo(10_000, 5);
    expect(shares[0]?.filter((share) => share > 0)).toEqual([20, 20, 20, 20]);
  });
});

const cells = [1, 2, 4].flatMap((threads, column) =>
  ['on', 'off'].map((cache, row) => ({
    ...{ cell: 2 * column + row, levels: { threads, cache }, errors: 0, partial: false },
    ...{ value: 100 * threads, means: [100 * threads], trials: [0] },
    runs: [{ runId: 10 * column + row, repeat: 0, state: 'done', partial: false, errors: 0, spread: {} }],
  })),
);
const result = {
  ...{ sessionId: 1, metric: 'tps', metrics: ['tps'], warmup: 5, cells },
  factors: [
    { name: 'threads', levels: [1, 2, 4] },
    { name: 'cache', levels: ['on', 'off'] },
  ],
} as unknown as SessionResult;
const seconds = cells.map(({ value }) => secondsOf([value, value + 1, value + 2, 9000], 1000));

describe('a chart of the document', () => {
  const dots: ChartChoice = {
    ...{ kind: 'dots', clip: 1000 },
    markers: [
      { name: 'CPUs', level: 2 },
      { name: 'limit', value: 350 },
    ],
  };

  it('draws a dot for each second up to the end of the axis, and counts those above it', () => {
    const model = chosenChart(dots, result, seconds, theme);
    expect(model.description).toContain('6 of 24 seconds above 1,000 tps are not drawn');
    const series = [optionAt(model, { width: 900 }).series].flat();
    const counts = series.map((each) => [each?.id, Array.isArray(each?.data) ? each.data.length : 0]);
    expect(counts).toEqual([
      ['dots cache on', 9],
      ['above cache on', 3],
      ['dots cache off', 9],
      ['above cache off', 3],
      ['markers', 1],
    ]);
    const svg = svgOf(model);
    for (const words of ['CPUs', 'limit', 'cache on', 'threads']) expect(svg).toContain(`>${words}<`);
    const { columns, rows } = model.table();
    expect(columns).toEqual(['threads', 'cache', 'Transactions (tps)', 'seconds']);
    expect(rows.filter(([, , , count]) => count === 1)).toHaveLength(24);
    expect(rows).toContainEqual(['1', 'on', 'above 1000', 1]);
  });

  it('spreads dots evenly within their column', () => {
    const places = Array.from({ length: 1000 }, (_, index) => jitterOf(index));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(-0.5);
    expect(Math.max(...places)).toBeLessThan(0.5);
    for (const from of [-0.5, -0.25, 0, 0.25])
      expect(places.filter((place) => place >= from && place < from + 0.25).length).toBeCloseTo(250, -1);
  });

  it.each(['density', 'histogram'] as const)('can be a %s with a line for each cell', (kind) => {
    const model = chosenChart({ kind, log: true, markers: [{ name: 'limit', value: 350 }] }, result, seconds, theme);
    expect(svgOf(model)).toContain('>limit<');
    expect(svgOf(model)).toContain('Transactions (tps), log scale');
    expect(model.table().columns.at(-1)).toContain('threads 4 · cache off');
  });

  it('can be a curve with markers along the factor that it names', () => {
    const model = chosenChart(
      { kind: 'curve', x: 'cache', markers: [{ name: 'limit', value: 350 }] },
      result,
      [],
      theme,
    );
    expect(model.description).toContain('vs. cache');
    expect(svgOf(model)).toContain('>limit<');
  });

  it('requests the seconds of each cell, at most as many as it can draw', () => {
    expect(secondsAsked({ kind: 'curve' }, result)).toBeUndefined();
    expect(secondsAsked(dots, result)).toEqual({
      ...{ groups: [[0], [1], [10], [11], [20], [21]], metric: 'tps', warmup: 5, clip: 1000 },
      points: 1333,
    });
  });

  it.each(['curve', 'bars', 'dots', 'density', 'histogram'] as const)(
    'can be a %s in a panel for each level, with the same axes',
    (kind) => {
      const choice: ChartChoice = { kind, panels: 'cache', markers: [{ name: 'limit', value: 350 }] };
      const model = chosenChart(choice, result, seconds, theme);
      const { grid, xAxis, yAxis, series } = optionAt(model, { width: 900 });
      expect([grid, xAxis, yAxis].map((each) => [each].flat().length)).toEqual([2, 2, 2]);
      const [on, off] = [yAxis].flat().map((axis) => ({ min: axis?.min, max: axis?.max }));
      expect(on).toEqual(off);
      expect(on).toMatchObject({ min: 0, max: expect.any(Number) });
      // Each cell is in the panel of its level.
      const drawn = [series].flat().filter((each) => each?.type !== 'custom');
      expect(drawn.filter((each) => Number(Object(each).xAxisIndex) === 0)).toHaveLength(drawn.length / 2);
      const svg = svgOf(model);
      for (const words of ['cache on', 'cache off', 'limit']) expect(svg).toContain(`>${words}<`);
      expect(model.description).toContain('a panel for each cache');
      const { columns, rows } = model.table();
      expect(columns[0]).toBe('cache');
      expect(new Set(rows.map(([level]) => level))).toEqual(new Set(['cache on', 'cache off']));
      expect(chosenHeight(choice, result)).toBeGreaterThan(200);
    },
  );

  it('has comparable panels of seconds: columns and shares have the same width', () => {
    const tables = (['density', 'histogram'] as const).map((kind) =>
      chosenChart({ kind, panels: 'threads' }, result, seconds, theme),
    );
    expect(tables.map(({ description }) => description)).toEqual([
      expect.stringContaining('vertical axis: Share of per-second values per 10 tps (%)'),
      expect.stringContaining('vertical axis: Share of per-second values (%)'),
    ]);
    for (const { columns, rows } of tables.map((model) => model.table())) {
      expect(columns.filter((name) => name.includes('per ')).every((name) => name.includes('per 10 tps'))).toBe(true);
      const placesOf = (level: string) => rows.filter(([panel]) => panel === level).map(([, at]) => at);
      expect(placesOf('threads 1')).toEqual(placesOf('threads 4'));
    }
  });

  it('counts values above the end of the axis over all panels', () => {
    const model = chosenChart({ ...dots, panels: 'cache' }, result, seconds, theme);
    expect(model.description).toContain('6 of 24 seconds above 1,000 tps are not drawn');
  });

  it('shows the knees of each panel, and takes the full height without panels', () => {
    expect(chosenHeight({ kind: 'curve' }, result)).toBeUndefined();
    const knee = (cache: string, load: number) => ({
      ...{ factor: 'threads', levels: { cache }, sentences: [] },
      knee: { verdict: 'found' as const, load },
    });
    const scaling = [knee('on', 2), knee('off', 4)];
    const { columns, rows } = chosenChart(
      { kind: 'curve', panels: 'cache' },
      { ...result, scaling },
      [],
      theme,
    ).table();
    const knees = rows.filter((row) => row[columns.indexOf('knee')] === 'yes');
    expect(knees.map(([cache, threads]) => `${cache} ${threads}`)).toEqual(['cache on 2', 'cache off 4']);
  });

  it('can be stairs: the seconds of each level after those of the previous one', () => {
    const stepped = seconds.map((each, index) => ({
      ...each,
      inTime: { t: Float64Array.of(1, 2), v: Float64Array.of(cells[index]?.value ?? 0, 7) },
    }));
    const choice: ChartChoice = { kind: 'stairs', groups: ['cache'], markers: [{ name: 'limit', value: 350 }] };
    expect(secondsAsked(choice, result)).toMatchObject({ inTime: true });
    expect(chosenTitle(choice, result)).toBe('Transactions by threads');
    const model = chosenChart(choice, result, stepped, theme);
    expect(model.description).toBe('Transactions (tps) by the levels of cache, threads, one run of each');
    const lines = [optionAt(model, { width: 900 }).series].flat().filter((each) => each?.type === 'line');
    const data = [lines[0]?.data].flat().map((item) => Object(item).value);
    // Six places of two seconds, each with an end; the second one begins half a place after the first.
    expect(data).toHaveLength(18);
    expect(data.slice(0, 4)).toEqual([
      [0, 100],
      [0.5, 7],
      [0.5, '-'],
      [1, 200],
    ]);
    const svg = svgOf(model);
    for (const words of ['cache on', 'cache off', 'threads', 'limit']) expect(svg).toContain(`>${words}<`);
    const { columns, rows } = model.table();
    expect(columns).toEqual(['cache', 'threads', 'second', 'Transactions (tps)']);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toEqual(['on', '1', 1, 100]);
    const plain = chosenChart({ kind: 'stairs' }, result, stepped, theme);
    expect([optionAt(plain, { width: 900 }).series].flat().filter((each) => each?.type === 'line')).toHaveLength(2);
  });

  it('draws only the cells in its selection', () => {
    const choice: ChartChoice = { kind: 'dots', only: { threads: [1, 4], cache: ['off'] } };
    const own = cellsDrawn(choice, result);
    expect(own.cells.map(({ levels }) => levels)).toEqual([
      { threads: 1, cache: 'off' },
      { threads: 4, cache: 'off' },
    ]);
    expect(own.factors.map(({ levels }) => levels)).toEqual([[1, 4], ['off']]);
    expect(secondsAsked(choice, own)?.groups).toEqual([[1], [21]]);
    expect(cellsDrawn({}, result)).toBe(result);
  });

  it('can be a histogram of final figures along the number in their names', () => {
    const runs = cells.flatMap(({ value }, place) => {
      const id = 10 * Math.floor(place / 2) + (place % 2);
      return [
        { id, summary: { hits_of_hottest_1: value, hits_of_hottest_10: 3 * value, hits_of_hottest_100: 4 * value } },
      ];
    });
    const choice: ChartChoice = { kind: 'histogram', counts: 'hits_of_hottest_*', log: true };
    expect(secondsAsked(choice, result)).toBeUndefined();
    expect(chosenTitle(choice, result)).toBe('Hits of hottest');
    const model = chosenChart(choice, result, [], theme, runs);
    const { columns, rows } = model.table();
    expect(columns.slice(0, 3)).toEqual(['hits_of_hottest_*', 'threads 1 · cache on', 'threads 1 · cache off']);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      [1, 100],
      [10, 300],
      [100, 400],
    ]);
    // Numbers that are decades apart have a logarithmic axis.
    expect([optionAt(model, { width: 900 }).xAxis].flat()[0]?.type).toBe('log');
    expect(svgOf(model)).toContain('Hits of hottest, log scale');
    const panels = chosenChart({ ...choice, panels: 'cache' }, result, [], theme, runs);
    expect(panels.table().rows).toContainEqual(['cache on', 10, 300, 600, 1200]);
    const titled = chosenChart({ ...choice, axes: { x: 'rank', y: 'lookups' } }, result, [], theme, runs);
    expect(titled.table().columns[0]).toBe('rank');
    expect(titled.description).toMatch(/^lookups vs\. rank, /);
    expect(svgOf(titled)).toContain('>rank, log scale<');
    expect(svgOf(titled)).toContain('>lookups, log scale<');
    expect(svgOf(titled)).not.toContain('hits_of_hottest');
  });

  it('can have titles of its own on the axes', () => {
    const titles = (choice: ChartChoice) => {
      const option = optionAt(chosenChart(choice, result, seconds, theme), { width: 900 });
      const names = (axis: typeof option.xAxis | typeof option.yAxis) =>
        [axis].flat().flatMap((each) => each?.name || []);
      return { x: names(option.xAxis), y: names(option.yAxis) };
    };
    const plain = titles({ kind: 'curve' });
    expect(plain.x).toEqual(['threads']);
    expect(titles({ kind: 'curve', axes: { y: 'orders' } })).toEqual({ x: plain.x, y: ['orders'] });
    expect(titles({ kind: 'dots', clip: 1000, axes: { x: 'clients', y: 'orders' } })).toEqual({
      x: ['clients'],
      y: ['orders, axis ends at 1,000; triangles: number of seconds above it'],
    });
    const { y } = titles({ kind: 'bars', panels: 'cache', axes: { y: 'orders' } });
    expect(new Set(y)).toEqual(new Set(['orders']));
  });

  it.each(['curve', 'bars'] as const)('can have whiskers of repeats, seconds or extremes on a %s', (kind) => {
    const spread = { n: 3, mean: 100, median: 100, p5: 90, p25: 95, p75: 105, p95: 110, min: 50, max: 150, cv: 0 };
    const spreadOut = {
      ...result,
      cells: cells.map((cell) => ({ ...cell, spread, interval: { low: cell.value - 1, high: cell.value + 1 } })),
    } as unknown as SessionResult;
    const drawn = (whiskers?: ChartChoice['whiskers']) => {
      const model = chosenChart({ kind, x: 'threads', ...(whiskers && { whiskers }) }, spreadOut, [], theme);
      const series = [optionAt(model, { width: 900 }).series].flat();
      const [first] = series.filter((each) => String(each?.id ?? '').startsWith('whiskers'));
      const [point] = first && Array.isArray(first.data) ? first.data : [];
      const [words] = /whiskers: .*$/.exec(model.description) ?? [];
      return { ends: Array.isArray(point) ? point.slice(1, 3) : [], words };
    };
    expect(drawn().ends).toEqual([99, 101]);
    expect(drawn('repeats').ends).toEqual([99, 101]);
    expect(drawn('seconds').ends).toEqual([90, 110]);
    expect(drawn('extremes').ends).toEqual([50, 150]);
    if (kind === 'bars') expect(drawn('extremes').words).toContain('smallest to largest per-second value');
  });

  it('names lines by the factors in which cells differ', () => {
    const more = {
      ...result,
      factors: [...result.factors, { name: 'tables', levels: [8] }],
      cells: result.cells.map((cell) => ({ ...cell, levels: { ...cell.levels, tables: 8 } })),
    };
    const { columns, rows } = chosenChart({ kind: 'curve' }, more, [], theme).table();
    expect([columns, rows]).toEqual([...Object.values(chosenChart({ kind: 'curve' }, result, [], theme).table())]);
    expect(columns).not.toContain('tables');
    // Some cells have no level of it.
    const sparse = { ...more, factors: [...result.factors, { name: 'tables', levels: [8], sparse: true as const }] };
    expect(chosenChart({ kind: 'curve' }, sparse, [], theme).table().columns).toContain('tables');
  });

  it('finds names of final figures that differ in one number', () => {
    const ids = ['tps', 'hits_in_part_1_of_20', 'hits_in_part_2_of_20', 'hits_in_part_3_of_20', 'rows_for_50_percent'];
    expect(countPatterns([...ids, 'latency_p50_ms', 'latency_p95_ms', 'latency_p99_ms'])).toEqual([
      'hits_in_part_*_of_20',
    ]);
    const runs = [
      { id: 1, summary: { hits_1: 10, hits_2: 30 } },
      { id: 2, summary: { hits_1: 20, hits_x: 7 } },
      { id: 3, summary: { hits_1: 500 } },
    ];
    const shown = [1, 2].map((runId) => ({ runId, repeat: 0, state: 'done' as const, partial: false, errors: 0 }));
    expect(countsOf({ runs: shown, partial: false }, runs, 'hits_*')).toEqual([
      { at: 1, value: 15 },
      { at: 2, value: 30 },
    ]);
  });

  it('can be bars in groups along the axis, each with its figure', () => {
    const three = {
      ...result,
      factors: [{ name: 'range', levels: ['narrow', 'wide'] }, ...result.factors],
      cells: ['narrow', 'wide'].flatMap((range, place) =>
        cells.map(({ levels, value, ...cell }, index) => ({
          ...cell,
          ...{ cell: place * cells.length + index, value: value + place + (levels.cache === 'off' ? 10 : 0) },
          levels: { range, ...levels },
        })),
      ),
    } as unknown as SessionResult;
    const choice: ChartChoice = {
      kind: 'bars',
      x: 'cache',
      groups: ['range'],
      markers: [{ name: 'limit', value: 350 }],
    };
    const model = chosenChart(choice, three, [], theme);
    expect(model.description).toBe('Transactions (tps) by range, cache');
    const bars = [optionAt(model, { width: 900 }).series].flat().filter((each) => each?.type === 'bar');
    expect(bars.map((each) => [each?.name, [each?.data].flat().length])).toEqual([
      ['threads 1', 4],
      ['threads 2', 4],
      ['threads 4', 4],
    ]);
    const svg = svgOf(model);
    for (const words of ['range narrow', 'range wide', 'on', 'off', 'cache', 'limit', 'threads 4'])
      expect(svg).toContain(`>${words}<`);
    expect(svg.split('>range wide<')).toHaveLength(2);
    const { columns, rows } = model.table();
    expect(columns).toEqual(['range', 'cache', 'threads', 'Transactions (tps)', 'low', 'high']);
    expect(rows.map((row) => row.slice(0, 4))).toContainEqual(['wide', 'off', '2', 211]);
    expect(chosenTitle(choice, three)).toBe('Transactions by cache');
  });

  it('can be bars of ratios to a level, without one for that level', () => {
    const choice: ChartChoice = { kind: 'bars', x: 'cache', against: { threads: 1 } };
    const ratios = [
      {
        ...{ factor: 'threads', level: 1, verdict: '' },
        cells: [{ cell: 2, baseline: 0, ratio: 2, interval: { low: 1.9, high: 2.1 }, verdict: 'better', sentence: '' }],
      },
    ];
    const model = chosenChart(choice, { ...result, ratios } as SessionResult, [], theme);
    expect(model.description).toBe(
      'Transactions (tps), ratio to threads 1 by cache; whiskers: 95 % interval of the ratio',
    );
    const { columns, rows } = model.table();
    expect(columns.slice(0, 2)).toEqual(['cache', 'threads']);
    expect(rows).toEqual([
      ['on', '2', 2, 1.9, 2.1],
      ['on', '4', 4, '', ''],
      ['off', '2', 2, '', ''],
      ['off', '4', 4, '', ''],
    ]);
    expect(svgOf(model)).toContain('>×1<');
    expect(chosenTitle(choice, result)).toBe('Transactions relative to threads 1 by cache');
  });

  it('can be a table with rows by several factors and ratios to a level', () => {
    const three = {
      ...result,
      factors: [{ name: 'engine', levels: ['InnoDB', 'MyRocks'] }, ...result.factors],
      cells: ['InnoDB', 'MyRocks'].flatMap((engine, place) =>
        cells.map(({ levels, value, ...cell }, index) => ({
          ...cell,
          ...{ cell: place * cells.length + index, value: value * (place + 1), levels: { engine, ...levels } },
        })),
      ),
    } as unknown as SessionResult;
    const choice: ChartChoice = { kind: 'table', x: 'threads', against: { engine: 'InnoDB' } };
    const model = chosenChart(choice, three, [], theme);
    expect(model.description).toBe('Transactions (tps), ratio to engine InnoDB by engine, cache, threads');
    const { columns, rows } = model.table();
    const ratio = ': ratio to engine InnoDB';
    expect(columns).toEqual([
      ...['engine', 'cache', 'threads 1', `threads 1${ratio}`, 'threads 2', `threads 2${ratio}`],
      ...['threads 4', `threads 4${ratio}`],
    ]);
    expect(rows).toEqual([
      ['InnoDB', 'on', 100, '', 200, '', 400, ''],
      ['InnoDB', 'off', 100, '', 200, '', 400, ''],
      ['MyRocks', 'on', 200, 2, 400, 2, 800, 2],
      ['MyRocks', 'off', 200, 2, 400, 2, 800, 2],
    ]);
    const svg = svgOf(model);
    for (const words of ['engine MyRocks · cache off', 'threads', '800', '×2.00']) expect(svg).toContain(`>${words}<`);
    expect(chosenHeight(choice, three)).toBeGreaterThan(chosenHeight({ kind: 'table', x: 'threads' }, three) ?? 0);
    const plain = chosenChart({ kind: 'table', x: 'cache', groups: ['threads'] }, three, [], theme);
    expect(plain.table().columns).toEqual(['threads', 'engine', 'cache on', 'cache off']);
    expect(plain.table().rows[1]).toEqual(['1', 'MyRocks', 200, 200]);
  });

  it('shows the selected metric, or the seconds behind it', () => {
    const ofRuns = { metric: 'took_s', overTime: 'tps' };
    expect(metricDrawn({ kind: 'curve' }, undefined, ofRuns)).toBe('took_s');
    expect(metricDrawn({ kind: 'density' }, undefined, ofRuns)).toBe('tps');
    expect(metricDrawn({ kind: 'density' }, 'qps', ofRuns)).toBe('qps');
  });

  it('has the title from the document', () => {
    expect(chosenTitle({ kind: 'dots', title: 'Every second' }, result)).toBe('Every second');
    expect(chosenTitle({ kind: 'curve' }, result)).toBe('Transactions by threads');
  });
});

describe('a timeline', () => {
  const result = {
    ...{ sessionId: 1, metric: 'ops_insert', metrics: ['ops_insert', 'rows_inserted'], warmup: 2 },
    factors: [{ name: 'indexes', levels: [0, 3] }],
    cells: [0, 3].map((indexes, cell) => ({
      ...{ cell, levels: { indexes }, errors: 0, partial: false, means: [100], value: 100 },
      runs: [{ runId: 7 + cell, repeat: 0, state: 'done', partial: false, errors: 0, spread: { mean: 100 } }],
    })),
  } as unknown as SessionResult;
  const inTime = (t: number[], v: number[]): CellSeconds => ({
    ...secondsOf(v),
    inTime: { t: Float64Array.from(t), v: Float64Array.from(v) },
  });
  const choice: ChartChoice = {
    kind: 'timeline',
    x: 'rows_inserted',
    clip: 300,
    markers: [{ name: 'goal', value: 90 }],
  };

  it('requests the seconds of one run of each cell, and their progress', () => {
    const query = secondsAsked(choice, result);
    expect(query).toMatchObject({ groups: [[7], [8]], metric: 'ops_insert', inTime: true, clip: 300 });
    expect(progressAsked(choice, query)).toMatchObject({ groups: [[7], [8]], metric: 'rows_inserted', inTime: true });
    expect(progressAsked({ kind: 'timeline' }, query)).toBeUndefined();
  });

  it('draws each cell along the rows inserted so far', () => {
    const seconds = alongProgress(
      [inTime([1, 2, 3], [100, 200, 300]), inTime([1, 2], [10, 20])],
      // Long runs are thinned to the smallest and the largest second of each segment: values between two of them are interpolated.
      [inTime([1, 3], [100, 600]), secondsOf([])],
    );
    expect([...(seconds[0]?.inTime?.t ?? [])]).toEqual([100, 350, 600]);
    expect(seconds[1]).not.toHaveProperty('inTime');
    const model = chosenChart(choice, result, seconds, theme);
    expect(model.description).toMatch(/^Inserts .* along rows inserted since the start, one run of each cell/);
    expect(model.table().rows.map((row) => row.slice(-2))).toEqual([
      [100, 100],
      [350, 200],
      [600, 300],
    ]);
    expect(svgOf(model)).toContain('goal');
    expect(chosenTitle(choice, result)).toBe('Inserts along rows inserted since the start');
    expect(chosenTitle({ kind: 'timeline' }, result)).toBe('Inserts over time');
  });
});

it('overlays another session on a curve, dashed and named', () => {
  const cellOf = (cell: number, threads: number, value: number) => ({
    cell,
    levels: { threads },
    value,
    means: [value],
    runs: [],
    errors: 0,
    partial: false,
  });
  const comparison = {
    ...{ metric: 'tps', baseline: { id: 7, name: 'Intel' }, other: { id: 9, name: 'EPYC' } },
    cells: [
      { levels: { threads: 1 }, baseline: cellOf(0, 1, 100), other: cellOf(0, 1, 90) },
      { levels: { threads: 2 }, baseline: cellOf(1, 2, 190), other: cellOf(1, 2, 180) },
      { levels: { threads: 4 }, other: cellOf(2, 4, 350) },
    ],
  } as unknown as Comparison;
  const choice: ChartChoice = { kind: 'curve', over: 7, markers: [{ name: 'goal', value: 300 }] };
  const model = curveOver(choice, comparison, theme);
  expect(model.description).toMatch(/dashed: session 7, “Intel”$/);
  const svg = svgOf(model);
  for (const word of ['session 7', 'this session', 'goal']) expect(svg).toContain(word);
  expect(model.table().rows).toHaveLength(5);
  expect(curveOver({ ...choice, only: { threads: [4] } }, comparison, theme).table().rows).toHaveLength(1);
  expect(chosenTitle(choice, { metric: 'tps', factors: [{ name: 'threads', levels: [1, 2, 4] }] })).toBe(
    'Transactions by threads, over session 7',
  );
});

import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import { measureId } from '../metrics/index.ts';
import { spreadBoxes } from './boxes.ts';
import { costBars } from './cost-bars.ts';
import { areNames, type CurvePoint, drawnToScale, placesOf } from './curve-lines.ts';
import {
  along,
  type ChartModel,
  chartTheme,
  colourOf,
  costLines,
  curveTitle,
  frontier,
  ladderFactor,
  lineWords,
  painterOf,
  percentileCurves,
  priceScatter,
  sparklinePath,
  sparklines,
  tableToCsv,
  timeline,
  timeTicks,
} from './index.ts';
import { lineKeys } from './levels.ts';
import { loadCurve } from './load-curve.ts';
import { axisEnd } from './parts.ts';
import { shareBelow } from './percentile-curve.ts';
import { ratioBars } from './ratio-bars.ts';
import { shareBars } from './share-bars.ts';
import { areMediansFarApart, interleave, type TimelineLine } from './timeline.ts';

const theme = chartTheme('light');
const tps = { label: 'Transactions', unit: 'tps', digits: 0 };

/** Drawn as in a report: without a page, optionally after another chart. */
function svgOf(model: ChartModel, before?: ChartModel): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
  for (const { option } of before ? [before, model] : [model]) chart.setOption(option, { replaceMerge: ['series'] });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

const ladder = [1, 2, 4, 8];
const points: CurvePoint[] = ['FULL', 'OFF'].flatMap((sync, row) =>
  ladder.map((threads, column) => ({
    cell: row * ladder.length + column,
    levels: { synchronous: sync, threads },
    mean: 1000 * (row + 1) * threads,
    low: 900 * (row + 1) * threads,
    high: 1100 * (row + 1) * threads,
  })),
);
const curve = {
  measure: tps,
  points,
  x: { name: 'threads', levels: ladder },
  lines: [{ name: 'synchronous', levels: ['FULL', 'OFF'] }],
};

describe('load curve', () => {
  it('draws a line per level of the other factor in the colour of its slot, and axes with units', () => {
    const svg = svgOf(loadCurve(curve, theme));
    expect(svg).toContain('synchronous FULL');
    expect(svg).toContain('synchronous OFF');
    expect(svg).toContain('Transactions (tps)');
    expect(svg).toContain('>threads<');
    expect(svg).toContain(colourOf({ slot: 0 }, 'light'));
    expect(svg).toContain(colourOf({ slot: 1 }, 'light'));
    expect(svg).not.toContain(colourOf({ slot: 2 }, 'light'));
  });

  it('is well-formed SVG with font names', () => {
    const tags = svgOf(loadCurve(curve, theme)).match(/<\/?\w[^>]*>/g) ?? [];
    expect(tags.join('')).toContain('Segoe UI');
    const wellFormed = /^<\/?\w+(\s+[\w:-]+="[^"]*")*\s*\/?>$/;
    expect(tags.filter((tag) => !wellFormed.test(tag))).toEqual([]);
  });

  it('places levels with values to scale, or on a log scale, and joins their points', () => {
    const x = {
      name: 'volume',
      levels: ['1 TB', '2 TB', '5 TB'],
      values: { '1 TB': 1000, '2 TB': 2000, '5 TB': 5000 },
    };
    expect(placesOf(x, 1, 300)).toMatchObject({ levels: [1000, 2000, 5000] });
    const far = { ...x, values: { '1 TB': 10, '2 TB': 1000, '5 TB': 10_000 } };
    expect(placesOf(far, 1, 300)).toMatchObject({ levels: [1, 3, 4] });
    const means = x.levels.map((volume, cell) => ({ cell, levels: { volume }, mean: 1000 * (cell + 1) }));
    const valued = loadCurve({ ...curve, x, lines: [], points: means, laws: [{ levels: {}, knee: 2000 }] }, theme);
    const svg = svgOf(valued);
    for (const words of ['1 TB', '2 TB', '5 TB', 'volume', 'knee']) expect(svg).toContain(`>${words}<`);
    expect(svgOf(loadCurve({ ...curve, x: far, lines: [], points: means }, theme))).toContain('>volume, log scale<');
    expect(valued.table().rows.map((row) => row.at(-1))).toEqual(['', 'yes', '']);
    expect(curveTitle({ factors: [x], metric: 'tps' })).toBe('Transactions by volume');
    expect(ladderFactor([{ name: 'host', levels: ['a', 'b', 'c', 'd'] }, x])).toBe(x);
  });

  it('keeps the label “knee” clear of the axis title', () => {
    const falling = { ...curve, lines: [], laws: [{ levels: {}, knee: 1 }] };
    const heights = (first: number): number[] => {
      const means = ladder.map((threads, cell) => ({ cell, levels: { threads }, mean: cell === 0 ? first : 5000 }));
      const svg = svgOf(loadCurve({ ...falling, points: means }, theme));
      return ['Transactions (tps)', 'knee'].map((words) =>
        Number(/translate\([\d.]+ ([\d.]+)\)/.exec(svg.split(`>${words}<`)[0]?.split('<text').at(-1) ?? '')?.[1]),
      );
    };
    const [title = 0, knee = 0] = heights(10_000);
    expect(knee - title).toBeGreaterThan(20);
    const [lowTitle = 0, lowKnee = 0] = heights(3000);
    expect(lowKnee - lowTitle).toBeGreaterThan(20);
  });

  it('puts points of several lines 4 pixels apart at any width, within 20 pixels in all', () => {
    const places = (lines: number, width: number): number[] => {
      const { of, levels } = placesOf({ name: 'threads', levels: ladder }, lines, width);
      const pixels = width / levels.length;
      return [0, 1, lines - 1].map((line) => pixels * (of(0, line) - of(0, 0)));
    };
    for (const width of [300, 1200]) {
      expect(places(2, width)[1]).toBeCloseTo(4, 9);
      expect(places(11, width)[2]).toBeCloseTo(20, 9);
    }
  });

  it('clips an extreme whisker to an arrow, so that it does not flatten the lines', () => {
    const wide = points.map((point) => (point.cell === 0 ? { ...point, high: 1e9 } : point));
    const svg = svgOf(loadCurve({ ...curve, points: wide }, theme));
    expect(svg).toContain('>20,000<');
    expect(svg).not.toMatch(/\d,000,000/);
  });

  it('draws a whisker to its end if that is on the axis, and as an arrow to the end of the axis otherwise', () => {
    const ends = (high: number): unknown[][] => {
      const [first] = points;
      if (!first) throw new Error('There are points.');
      const { option } = loadCurve({ ...curve, lines: [], points: [{ ...first, mean: 46.8, low: 28.3, high }] }, theme);
      const drawn = [option.series].flat().find((each) => String(each?.id).startsWith('whiskers'));
      return ((drawn?.data ?? []) as unknown[][]).map((point) => point.slice(2, 5));
    };
    // 1.5 × 46.8 is 70.2: the axis ends at 80.
    expect(ends(77.3)).toEqual([[77.3, 0, 0]]);
    expect(ends(85)).toEqual([[80, 0, 1]]);
    expect([70.2, 12.4, 1.3, 0.00036, 7, 0].map((most) => Number(axisEnd(most).toPrecision(6)))).toEqual([
      80, 15, 1.5, 0.0004, 7, 0,
    ]);
  });

  it('labels an axis that does not start at zero', () => {
    expect(svgOf(loadCurve({ ...curve, axis: 'cut' }, theme))).toContain('Transactions (tps), axis cut');
    expect(svgOf(loadCurve(curve, theme))).not.toContain('axis cut');
  });

  it('draws the available points of a running session', () => {
    const half = points.map((point) => (point.cell < 3 ? point : { cell: point.cell, levels: point.levels }));
    const model = loadCurve({ ...curve, points: half }, theme);
    expect(svgOf(model)).toContain('synchronous FULL');
    expect(model.table().rows).toHaveLength(3);
  });

  it('has the same figures as a table', () => {
    const { columns, rows } = loadCurve(curve, theme).table();
    expect(columns).toEqual(['threads', 'synchronous', 'Transactions (tps)', 'low', 'high']);
    expect(rows[5]).toEqual(['2', 'OFF', 4000, 3600, 4400]);
  });

  it('groups large levels at the axis, and leaves them plain in the table', () => {
    const rows = [1_000_000, 20_000_000];
    const large = loadCurve(
      {
        ...{ measure: curve.measure, x: { name: 'rows', levels: rows }, lines: [] },
        points: rows.map((level, cell) => ({ cell, levels: { rows: level }, mean: 1000 })),
      },
      theme,
    );
    expect(svgOf(large)).toContain('>20,000,000<');
    expect(large.table().rows.map(([level]) => level)).toEqual(['1000000', '20000000']);
  });

  it('interrupts the line at partial runs, and crosses out excluded ones', () => {
    const odd = points.map((point) =>
      point.cell === 1 ? { ...point, barred: 'partial' } : point.cell === 2 ? { ...point, excluded: [7, 9] } : point,
    );
    const model = loadCurve({ ...curve, points: odd }, theme);
    const series = [model.option.series].flat() as { id?: string; data?: { value: unknown[] }[] }[];
    const valuesOf = (id: string): unknown[] =>
      series.find((each) => each.id === id)?.data?.map(({ value }) => value[1]) ?? [];
    expect(valuesOf('line synchronous FULL')).toEqual([1000, '-', 4000, 8000]);
    expect(valuesOf('barred synchronous FULL 0')).toEqual([2000]);
    expect(valuesOf('excluded synchronous FULL 0')).toEqual([7, 9]);
    const { columns, rows } = model.table();
    expect(columns.at(-1)).toBe('note');
    expect(rows.slice(0, 4).map((row) => row.at(-1))).toEqual(['', 'partial', 'excluded 7, 9', '']);
  });

  it('draws arithmetic steps to scale and ladders evenly', () => {
    expect(drawnToScale([10, 20, 30, 40])).toBe(true);
    expect(drawnToScale([1, 2, 4])).toBe(false);
    expect(drawnToScale([1, 2, 4, 8, 16])).toBe(false);
    expect(drawnToScale(['OFF', 'FULL', 'EXTRA'])).toBe(false);
    expect(drawnToScale([1, 2])).toBe(false);
  });

  it('draws points without a line if the levels are names', () => {
    const strokes = (levels: (string | number)[]): number => {
      const named = points
        .filter((point) => point.levels.synchronous === 'OFF')
        .map((point, index) => ({ ...point, levels: { variant: levels[index] ?? '' } }));
      const svg = svgOf(loadCurve({ measure: tps, points: named, x: { name: 'variant', levels }, lines: [] }, theme));
      return svg.split(`stroke="${colourOf({ slot: 0 }, 'light')}" stroke-width="2"`).length - 1;
    };
    expect(strokes([1, 2, 4, 8])).toBe(1);
    expect(strokes(['4k', '8k', '16k', '32k'])).toBe(1);
    expect(strokes(['nested loop', 'hash', 'merge', 'index'])).toBe(0);
  });

  it('draws each of several names in the hue of its runs, and is not titled as a load curve', () => {
    const factors = [{ name: 'file system', levels: ['ext4', 'XFS', 'btrfs'] }];
    const named = ['ext4', 'XFS', 'btrfs'].map((level, cell) => ({ cell, levels: { 'file system': level }, mean: 10 }));
    const [x = { name: '', levels: [] }] = factors;
    const svg = svgOf(loadCurve({ measure: tps, points: named, x, lines: [] }, theme));
    for (const { levels } of named) expect(svg).toContain(colourOf(painterOf(factors)(levels), 'light'));
    expect(new Set(named.map(({ levels }) => painterOf(factors)(levels).slot)).size).toBe(3);
    expect(curveTitle({ factors, metric: 'tps' })).toBe('Transactions by file system');
    const threads = { name: 'threads', levels: ladder, load: 'concurrency' as const };
    expect(curveTitle({ factors: [threads, ...factors], metric: 'tps' })).toBe('Load curve');
    const sizes = { name: 'table size', levels: [1000, 2000] };
    expect(curveTitle({ factors: [sizes], metric: 'tps' })).toBe('Transactions by table size');
    const rows = measureId({ label: 'rows changed', unit: 'rows', better: 'neither', statistic: 'level', digits: 0 });
    expect(curveTitle({ factors: [sizes], metric: rows })).toBe('Rows changed by table size');
    // A load is along the axis wherever its factor is in the document.
    expect(curveTitle({ factors: [threads, sizes], metric: 'tps' })).toBe('Load curve');
  });

  it('draws names as bars from zero, or as dots if zero is off the axis or bars would be thin', () => {
    const kinds = (means: readonly number[], more: Partial<Parameters<typeof loadCurve>[0]> = {}, width = 640) => {
      const levels = means.map((_, index) => `mode ${index}`);
      const named = means.map((mean, cell) => ({
        ...{ cell, levels: { mode: `mode ${cell}` }, mean, low: 0.9 * mean, high: 1.1 * mean },
      }));
      const model = loadCurve({ measure: tps, points: named, x: { name: 'mode', levels }, lines: [], ...more }, theme);
      const { series } = model.at?.(width) ?? {};
      return [series].flat().map((each) => each?.type);
    };
    expect(kinds([5000, 4900])).toEqual(['bar', 'custom', 'custom']);
    expect(kinds([5000, 4900], { axis: 'cut' })).toEqual(['line', 'custom', 'custom']);
    expect(kinds([5000, 4900], { axis: 'log' })[0]).toBe('line');
    expect(kinds([5000, 2])[0]).toBe('line');
    expect(
      kinds(
        Array.from({ length: 100 }, () => 10),
        {},
        300,
      )[0],
    ).toBe('line');
  });

  it('draws bars of the same name next to each other without overlap, each with its cell', () => {
    const modes = ['hash', 'merge', 'index'];
    const named = modes.flatMap((mode, at) =>
      [1, 2].map((threads, line) => ({ cell: 2 * at + line, levels: { mode, threads }, mean: 100 + at + line })),
    );
    const x = { name: 'mode', levels: modes };
    const model = loadCurve({ measure: tps, points: named, x, lines: [{ name: 'threads', levels: [1, 2] }] }, theme);
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
    chart.setOption(model.at?.(640) ?? {});
    chart.renderToSVGString();
    const bars = chart
      .getZr()
      .storage.getDisplayList()
      .filter(({ type, name }) => type === 'rect' && name === 'item')
      .map((rect) => rect.getBoundingRect())
      .sort((one, other) => one.x - other.x);
    chart.dispose();
    expect(bars).toHaveLength(6);
    for (const [index, { x, width }] of bars.entries()) {
      const next = bars[index + 1];
      if (next) expect(x + width).toBeLessThan(next.x);
    }
    expect([model.option.series].flat().flatMap((each) => (each?.type === 'bar' ? each.data : []))).toMatchObject(
      [0, 2, 4, 1, 3, 5].map((cell) => ({ cell })),
    );
  });

  it.each([
    [[1, 2, 4], false],
    [['4k', '16k', '1 MiB', '0.5', '95%'], false],
    [[true, false], true],
    [['4k', 'default'], true],
    [['1: by id', '2: by name'], true],
  ])('takes %j as names: %j', (levels, names) => expect(areNames(levels)).toBe(names));

  it('has a slot for every combination of the line factors', () => {
    expect(
      lineKeys([
        { name: 'a', levels: [1, 2] },
        { name: 'b', levels: ['x', 'y'] },
      ]),
    ).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
  });
});

describe('timeline', () => {
  const t = Float64Array.from({ length: 60 }, (_, index) => index + 1);
  const lines = [
    { key: 'run 1', name: 'threads 1, repeat 1', slot: 0, t, v: t.map((second) => 100 + second) },
    { key: 'run 2', name: 'threads 2, repeat 1', slot: 1, t, v: t.map((second) => 200 + second) },
  ];

  it('interleaves times and values up to the length of the shorter array', () => {
    expect([...interleave(Float64Array.of(1, 2, 3), Float64Array.of(10, 20))]).toEqual([1, 10, 2, 20]);
  });

  it('shades the warm-up and marks moments', () => {
    const svg = svgOf(
      timeline(
        {
          measure: tps,
          lines: lines.map((line) => ({ ...line, weight: 'bold' })),
          warmup: 10,
          marks: [{ at: 30, kind: 'note', label: 'index dropped' }],
        },
        theme,
      ),
    );
    expect(svg).toContain('warm-up');
    expect(svg).toContain('index dropped');
    expect(svg).toContain('Time since the start of the run (s)');
    expect(svg).toContain(colourOf({ slot: 1 }, 'light'));
  });

  it('is on a logarithmic axis if medians are far apart, with gaps in place of zeros', () => {
    const of = (...values: number[]) => ({ v: Float64Array.from(values) });
    expect(areMediansFarApart([of(10, 10, 10), of(199, 199, 199)])).toBe(false);
    expect(areMediansFarApart([of(10, 0, 10), of(200, 200, 9000)])).toBe(true);
    expect(areMediansFarApart([of(0, 0, 10), of(200, 200, 200)])).toBe(false);
    expect([areMediansFarApart([]), areMediansFarApart([of(1, 2)])]).toEqual([false, false]);
    const slow = { key: 'slow', name: 'slow', slot: 0, t: Float64Array.of(1, 2, 3), v: Float64Array.of(30, 0, 50) };
    const band = { low: Float64Array.of(0, 4e3, 4e3), high: Float64Array.of(5e3, 5e3, 5e3) };
    const fast = { ...slow, key: 'fast', name: 'fast', slot: 1, v: Float64Array.of(4e3, 4e3, 4e3), band };
    const model = timeline({ measure: tps, lines: [slow, fast], isLog: true }, theme);
    const svg = svgOf(model);
    expect(svg).toContain('log scale');
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(model.table().rows[1]).toEqual([2, 0, 4000]);
  });

  it('has ticks at whole minutes and hours', () => {
    expect(timeTicks(0, 60)).toEqual([0, 10, 20, 30, 40, 50, 60]);
    expect(timeTicks(0, 36_000)).toEqual(Array.from({ length: 11 }, (_, hour) => 3600 * hour));
    expect(timeTicks(3599, 3725)).toEqual([3600, 3615, 3630, 3645, 3660, 3675, 3690, 3705, 3720]);
    expect(timeTicks(4.2, 4.9)).toEqual([]);
  });

  it('draws a mark for a run of a single second', () => {
    const marks = (length: number): number => {
      const line = { key: 'run 1', name: 'only', slot: 4, t: t.slice(0, length), v: t.slice(0, length) };
      return svgOf(timeline({ measure: tps, lines: [line] }, theme)).split(`fill="${colourOf({ slot: 4 }, 'light')}"`)
        .length;
    };
    expect(marks(1)).toBeGreaterThan(marks(2));
  });

  it('draws every value', () => {
    const path = (factor: number): string | undefined => {
      const line = { key: 'run 1', name: 'only', slot: 4, t, v: t.map((second) => factor * second) };
      return svgOf(timeline({ measure: tps, lines: [line] }, theme)).match(
        new RegExp(`<path d="([^"]+)"[^>]*stroke="${colourOf({ slot: 4 }, 'light')}"`),
      )?.[1];
    };
    expect(path(1)?.split('L').length).toBeGreaterThan(40);
    expect(path(-1)).not.toBe(path(1));
  });

  it('draws the generators of a run lighter than their sum, and hollow in the legend', () => {
    const part = { ...lines[0], key: 'run 1/0', name: 'each generator', weight: 'part' as const } as TimelineLine;
    const svg = svgOf(timeline({ measure: tps, lines: [lines[0] as TimelineLine, part] }, theme));
    const colour = `stroke="${colourOf({ slot: 0 }, 'light')}"`;
    const drawn = (svg.match(/<path [^>]*fill="none"[^>]*>/g) ?? []).filter((path) => path.includes(colour));
    expect(drawn.map((path) => /stroke-dasharray/.test(path))).toEqual([false, true]);
    expect(drawn.map((path) => /stroke-width="1\.5"/.test(path))).toEqual([true, false]);
    const { legend } = timeline(
      { measure: tps, lines: [lines[0] as TimelineLine, part, lines[1] as TimelineLine] },
      theme,
    ).option;
    expect(legend).toMatchObject({
      data: [
        'threads 1, repeat 1',
        'threads 2, repeat 1',
        { name: 'each generator', itemStyle: { borderColor: colourOf({ slot: 0 }, 'light') } },
      ],
    });
  });

  it('merges runs with different start and end into one table by second', () => {
    const late = { key: 'run 3', name: 'late', slot: 2, t: Float64Array.of(2, 61), v: Float64Array.of(7, 8) };
    const { rows } = timeline({ measure: tps, lines: [...lines, late] }, theme).table();
    expect(rows).toHaveLength(61);
    expect(rows[1]).toEqual([2, 102, 202, 7]);
    expect(rows[60]).toEqual([61, '', '', 8]);
  });

  it('can run along the progress of a run in place of time', () => {
    const measure = { label: 'Rows inserted', unit: 'rows', digits: 0 };
    const there = { t: Float64Array.of(2, 4), v: Float64Array.of(500, 1500) };
    const line = { t: Float64Array.of(1, 2, 3, 4, 5), v: Float64Array.of(10, 20, 30, 40, 50) };
    const placed = along(line, there);
    // From zero at the start, linear between known values, and not beyond them.
    expect([...placed.t]).toEqual([250, 500, 1000, 1500]);
    expect([...placed.v]).toEqual([10, 20, 30, 40]);
    expect([...along(line, { t: Float64Array.of(), v: Float64Array.of() }).t]).toEqual([]);
    const chart = {
      measure: tps,
      lines: [{ key: 'run 1', name: 'only', slot: 0, ...placed }],
      along: measure,
      warmup: 3,
    };
    const svg = svgOf(timeline(chart, theme));
    expect(svg).toContain('Rows inserted (rows)');
    expect(svg).not.toContain('warm-up');
    expect(svg).not.toContain('Time since');
    expect(timeline(chart, theme).table()).toEqual({
      columns: ['Rows inserted (rows)', 'only (tps)'],
      rows: [
        [250, 10],
        [500, 20],
        [1000, 30],
        [1500, 40],
      ],
    });
  });
});

describe('bars and boxes', () => {
  it('draws ratios around one with their intervals', () => {
    const model = ratioBars(
      [
        { name: 'threads 1', ratio: 1.2, low: 1.15, high: 1.25, verdict: 'better' },
        { name: 'threads 8', ratio: 0.8, low: 0.7, high: 0.9, verdict: 'worse' },
        { name: 'threads 16', ratio: 1.01, verdict: 'too-few' },
      ],
      'Transactions (tps)',
      theme,
    );
    const svg = svgOf(model);
    for (const tick of ['×0.8', '×0.9', '×1', '×1.1', '×1.25']) expect(svg).toContain(`>${tick}<`);
    expect(svg).toContain(theme.good);
    expect(svg).toContain(theme.bad);
    expect(model.table().rows[2]).toEqual(['threads 16', 1.01, '', '', 'not enough repeats']);
  });

  it('hides bars and intervals of a verdict through the legend', () => {
    const bars = [
      { name: 'threads 1', ratio: 1.2, low: 1.15, high: 1.25, verdict: 'better' as const },
      { name: 'threads 8', ratio: 0.8, low: 0.7, high: 0.9, verdict: 'worse' as const },
    ];
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
    chart.setOption(ratioBars(bars, 'Transactions (tps)', theme).option);
    const all = chart.renderToSVGString();
    chart.dispatchAction({ type: 'legendUnSelect', name: 'worse' });
    const some = chart.renderToSVGString();
    chart.dispose();
    const bar = `fill="${theme.bad}"`;
    expect([all.split(bar).length, some.split(bar).length]).toEqual([3, 1]);
    const interval = `stroke="${theme.text}"`;
    expect(all.split(interval).length - some.split(interval).length).toBe(3);
  });

  it('keeps bars readable next to an extreme interval', () => {
    const svg = svgOf(
      ratioBars(
        [
          { name: 'threads 1', ratio: 1.2, low: 1.1, high: 1.3, verdict: 'better' },
          { name: 'threads 8', ratio: 0.7, low: 0.01, high: 250, verdict: 'no-difference' },
        ],
        'Transactions (tps)',
        theme,
      ),
    );
    for (const tick of ['×0.5', '×0.8', '×1', '×1.25', '×2']) expect(svg).toContain(`>${tick}<`);
    // The true ends are printed at the arrows.
    expect(svg).toContain('>×0.01<');
    expect(svg).toContain('>×250<');
  });

  it('draws an interval to its end if the other side of ×1 leaves room for it', () => {
    const bars = [{ name: 'directory b', ratio: 0.5, low: 0.22, high: 1.16, verdict: 'cannot-tell' as const }];
    const model = ratioBars(bars, 'Variation of throughput (%)', theme);
    const { min, max } = model.option.xAxis as { min: number; max: number };
    expect(min).toBeLessThan(Math.log(0.22));
    expect(max).toBeLessThan(Math.log(1.25));
    const svg = svgOf(model);
    expect(svg).not.toContain('>×0.22<');
    for (const tick of ['×0.5', '×0.8', '×1']) expect(svg).toContain(`>${tick}<`);
  });

  it('prints the end of an interval behind its arrow, outside the axis and away from the names', () => {
    const bars = Array.from({ length: 16 }, (_, index) => ({
      ...{ name: `threads ${index}`, ratio: 1.2, low: 0.031, high: 3.1, verdict: 'cannot-tell' as const },
    }));
    const svg = svgOf(ratioBars(bars, 'Transactions (tps)', theme));
    const texts = [...svg.matchAll(/<text([^>]*)>([^<]+)</g)].map(([, attributes = '', text = '']) => {
      const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(attributes) ?? [];
      const end = /text-anchor="end"/.test(attributes);
      const at = {
        x: Number(x ?? / x="([-\d.]+)"/.exec(attributes)?.[1]),
        y: Number(y ?? / y="([-\d.]+)"/.exec(attributes)?.[1]),
      };
      return { text, end, ...at, isClipped: attributes.includes('clip-path') };
    });
    const of = (words: string) => texts.filter(({ text }) => text === words);
    const [above, below] = [of('×3.10'), of('×0.03')];
    expect([above.length, below.length]).toEqual([16, 16]);
    expect([...above, ...below].filter(({ isClipped }) => isClipped)).toEqual([]);
    const [name] = of('threads 0');
    const plot = [...svg.matchAll(/<path d="M([\d.]+) [\d.]+L\1 /g)].map(([, x]) => Number(x));
    expect(Math.min(...above.map(({ x }) => x))).toBeGreaterThan(Math.max(...plot));
    expect(below.every(({ x, end }) => end && x < Math.min(...plot) && x - 30 > (name?.x ?? Number.NaN))).toBe(true);
    // On the line of its own arrow, not on that of the bar above.
    expect(above.map(({ y }) => y)).toEqual(below.map(({ y }) => y));
  });

  it('puts ×2 as far from ×1 as ×0.5, with room for a ratio of zero', () => {
    const bars = [2, 0.5, 0].map((ratio, index) => ({ name: `threads ${index}`, ratio, verdict: 'differ' as const }));
    const { option, table } = ratioBars(bars, 'Transactions (tps)', theme);
    const [first] = option.series as { data: number[] }[];
    expect(first?.data[0]).toBeCloseTo(-(first?.data[1] ?? 0), 9);
    const { min, max } = option.xAxis as { min: number; max: number };
    expect(max).toBeCloseTo(1.1 * Math.log(2), 9);
    expect(first?.data[2]).toBe(min);
    expect(table().rows[2]?.[1]).toBe(0);
  });

  it('draws higher and lower, without a better direction, in a neutral colour', () => {
    const bars = (['higher', 'lower'] as const).map((verdict, index) => ({
      ...{ name: `threads ${index}`, ratio: 0.8 + 0.4 * index, verdict },
    }));
    const svg = svgOf(ratioBars(bars, 'Rolled back transactions (per s)', theme));
    expect(svg).toContain(`fill="${theme.neutral}"`);
    for (const colour of [theme.good, theme.bad]) expect(svg).not.toContain(colour);
  });

  it('ends an interval beyond the axis as an arrow', () => {
    const strokes = (high: number): number => {
      const bars = [{ name: 'threads 1', ratio: 1.2, low: 1.1, high, verdict: 'cannot-tell' as const }];
      return svgOf(ratioBars(bars, 'Transactions (tps)', theme)).split(`stroke="${theme.text}"`).length - 1;
    };
    // The line and a cap at each end; an arrow has two strokes.
    expect([strokes(1.3), strokes(250)]).toEqual([3, 4]);
  });

  it('normalises to the best and shows absolute values', () => {
    const model = shareBars(
      [
        { name: 'small', paint: { slot: 0 }, value: 3_000_000 },
        { name: 'large', paint: { slot: 1 }, value: 6_000_000 },
      ],
      { label: 'Transactions per dollar', unit: 'per $', digits: 0 },
      theme,
    );
    expect(svgOf(model)).toContain('3,000,000 per $');
    expect(model.table().rows.map((row) => row[2])).toEqual([50, 100]);
  });

  it('hides lines of the load curve through the legend', () => {
    const bars = ['FULL', 'OFF'].map((group, slot) => ({
      name: `synchronous ${group}`,
      group,
      paint: { slot },
      value: 1 + slot,
    }));
    const svg = svgOf(shareBars(bars, { label: 'Transactions per dollar', unit: '', digits: 0 }, theme));
    expect(svg).toContain('>FULL<');
    expect(svg).toContain(colourOf({ slot: 1 }, 'light'));
  });

  it('labels the ticks of very small prices distinctly', () => {
    const bars = [{ name: 'gp3', value: 0.000_075, details: [] }];
    const svg = svgOf(costBars(bars, { label: 'USD per million transactions', currency: 'USD' }, theme));
    for (const tick of ['0.00002', '0.00004', '0.00006']) expect(svg).toContain(`>${tick}<`);
  });

  it('draws the efficient frontier among all configurations', () => {
    const priced = [
      { name: 'small', rate: 100, perHour: 0.1 },
      { name: 'old', rate: 90, perHour: 0.2 },
      { name: 'large', rate: 300, perHour: 0.5 },
    ];
    expect(frontier(priced).map((point) => point.name)).toEqual(['small', 'large']);
    const model = priceScatter(priced, tps, 'USD', theme);
    const svg = svgOf(model);
    for (const words of ['old', 'Price per hour (USD)', 'Transactions (tps)', 'Efficient frontier'])
      expect(svg).toContain(words);
    expect(model.table().rows.map((row) => row[3])).toEqual(['yes', '', 'yes']);
    expect(svg).not.toContain('Limited by');
    expect(priceScatter(priced.slice(0, 1), tps, 'USD', theme).description).toMatch(/, 1 configuration$/);
    const lines = (drawn: string): number => drawn.match(/stroke-width="1.5"/g)?.length ?? 0;
    const goal = priceScatter(priced, tps, 'USD', theme, 200);
    expect(lines(svgOf(goal))).toBe(lines(svg) + 1);
    const reached = priceScatter(
      priced.map((each, place) => ({ ...each, reach: place === 0 ? ('no' as const) : ('yes' as const) })),
      ...([tps, 'USD', theme, 200] as const),
    );
    for (const words of ['Reaches the goal', 'Does not reach it']) expect(svgOf(reached)).toContain(words);
    expect(reached.table().rows.map((row) => row.at(-1))).toEqual([
      'Does not reach it',
      ...priced.slice(1).map(() => 'Reaches the goal'),
    ]);
    expect(lines(svgOf(model, goal))).toBe(lines(svg));
  });

  it('names each of a few configurations, also of two next to each other', () => {
    const priced = [
      { name: 'm5.large + gp3 100 GB', rate: 13_077, perHour: 0.107 },
      { name: 'm6g.xlarge + gp3 100 GB', rate: 13_077, perHour: 0.165 },
      { name: 'm5.large + io2 100 GB', rate: 13_274, perHour: 0.56 },
    ];
    const svg = svgOf(priceScatter(priced, tps, 'USD', theme, 5000));
    for (const { name } of priced) expect(svg).toContain(`>${name}<`);
  });

  it('has its own shape, legend entry and words for load-bound figures', () => {
    const own = { rate: 100, perHour: 0.1, boundBy: 'the CPU' };
    const load = {
      rate: 300,
      perHour: 0.5,
      boundBy: 'the network, not the system under test',
      warning: 'limited by generator or network',
    };
    const model = priceScatter(
      [
        { name: 'small', ...own },
        { name: 'large', ...load },
      ],
      tps,
      'USD',
      theme,
    );
    expect(svgOf(model)).toContain('Limited by generator or network');
    const drawn = [model.option.series].flat().flatMap((series) => (series?.type === 'scatter' ? [series] : []));
    expect(drawn.map(({ symbol, data }) => [symbol, data])).toEqual([
      ['circle', [[0.1, 100]]],
      ['triangle', [[0.5, 300]]],
    ]);
    const { formatter } = [model.option.tooltip].flat()[0] ?? {};
    const labelOf = (seriesName: string) =>
      typeof formatter === 'function' ? formatter({ seriesName, dataIndex: 0 } as never, '') : '';
    expect(labelOf('Limited by generator or network')).toContain('the network, not the system under test');
    expect(labelOf('Configurations')).toContain('the CPU');
    expect(model.table().rows.map((row) => row.at(-1))).toEqual([own.boundBy, load.boundBy]);
  });

  it('draws two cost lines past their crossing, with a gap where one cannot be bought, and names the crossing', () => {
    const model = costLines(
      {
        ...{ axis: { label: 'Size of each volume', unit: 'GB', digits: 0 }, currency: 'USD' },
        names: { one: 'gp2', other: 'gp3' },
        points: [
          { at: 1, other: 12 },
          { at: 500, one: 50, other: 55 },
          { at: 750, one: 75, other: 75 },
          { at: 1500, one: 150, other: 135 },
          { at: 60_000, other: 5000 },
        ],
        crossings: [750],
      },
      theme,
    );
    const svg = svgOf(model);
    for (const words of ['Price per month (USD)', 'Size of each volume (GB)', '750 GB', 'gp2', 'gp3'])
      expect(svg).toContain(`${words}<`);
    expect(model.option.xAxis).toMatchObject({ max: 1875 });
    const lines = [model.option.series].flat().filter((each) => each?.id === 'one' || each?.id === 'other');
    expect(lines.map((each) => each?.data)).toEqual([
      [
        [1, '-'],
        [500, 50],
        [750, 75],
        [1500, 150],
      ],
      [
        [1, 12],
        [500, 55],
        [750, 75],
        [1500, 135],
      ],
    ]);
    const [columns, rows] = [model.table().columns, model.table().rows];
    expect(columns[1]).toBe('gp2, per month (USD)');
    expect(rows[0]).toEqual([1, '', 12, '']);
    expect(rows[2]).toEqual([750, 75, 75, 'both cost the same']);
    expect(rows).toHaveLength(5);
  });

  it('draws a box per cell', () => {
    const box = { name: 'threads 1', levels: ['1'], slot: 3, min: 1, p5: 2, p25: 3, median: 5, p75: 6, p95: 8, max: 9 };
    const model = spreadBoxes([box], ['threads'], tps, theme);
    const svg = svgOf(model);
    expect(svg).toContain('>threads<');
    expect(svg).toContain('>1<');
    expect(svg).toContain(colourOf({ slot: 3 }, 'light'));
    expect(svg).toContain('box: quartiles, line: median, whiskers: 5th to 95th percentile');
    expect(model.table().rows).toEqual([['threads 1', 1, 2, 3, 5, 6, 8, 9]]);
    const far = { ...box, name: 'threads 8', p5: 200, p95: 800 };
    expect(spreadBoxes([box, far], ['threads'], tps, theme).option.yAxis).toMatchObject({ type: 'log' });
    expect(spreadBoxes([box, far], ['threads'], tps, theme, 'zero').option.yAxis).toMatchObject({ type: 'value' });
  });
});

describe('percentiles', () => {
  const cells = [
    { name: 'threads 1', slot: 0, ascending: Float64Array.of(10, 20, 30, 40) },
    { name: 'threads 2', slot: 1, ascending: new Float64Array(0) },
  ];

  it('show how many seconds were at or below a value', () => {
    const { ascending } = cells[0] ?? { ascending: new Float64Array(0) };
    expect([5, 10, 25, 40, 99].map((at) => shareBelow(ascending, at))).toEqual([0, 25, 50, 100, 100]);
  });

  it('draw every metric with seconds, with axis titles', () => {
    const model = percentileCurves(cells, tps, theme);
    const svg = svgOf(model);
    expect(svg).toContain('Share of per-second values at or below (%)');
    expect(svg).toContain('Transactions (tps)');
    const { columns, rows } = model.table();
    expect(columns).toEqual(['percentile', 'threads 1 (tps)']);
    expect([rows[0], rows[50], rows[100]]).toEqual([
      [0, 10],
      [50, 25],
      [100, 40],
    ]);
  });
});

describe('small parts', () => {
  it('escapes external names in tooltips', () => {
    const model = loadCurve(
      {
        ...curve,
        lines: [{ name: 'synchronous', levels: ['<img src=x onerror=alert(1)>'] }],
        points: [{ cell: 0, levels: { synchronous: '<img src=x onerror=alert(1)>', threads: 1 }, mean: 1 }],
      },
      theme,
    );
    const tooltip = model.option.tooltip;
    const format = tooltip && !Array.isArray(tooltip) ? tooltip.formatter : undefined;
    if (typeof format !== 'function') throw new Error('the tooltip has no formatter');
    const markup = String(format([{ value: [0, 1] }] as never, ''));
    expect(markup).toContain('threads 1');
    expect(markup).not.toContain('<img');
  });

  it('quotes CSV fields if required', () => {
    expect(
      tableToCsv({
        columns: ['name', 'v (ms)'],
        rows: [
          ['a, "b"', 1.5],
          ['c', Number.NaN],
        ],
      }),
    ).toBe('name,v (ms)\r\n"a, ""b""",1.5\r\nc,\r\n');
  });

  it('draws sparklines from zero with gaps', () => {
    expect(sparklinePath([0, 5, 10], 20, 10)).toBe('M0.0 10.0L10.0 5.0L20.0 0.0');
    expect(sparklinePath([10, null, 10], 20, 10)).toBe('M-2.0 10V0.0h4V10M18.0 10V0.0h4V10');
    expect(sparklinePath([null], 20, 10)).toBe('');
    const curves = [
      [5, 10],
      [null, 20],
      [null, null],
    ];
    expect(sparklines(curves, { width: 20, height: 10 }, 20)).toEqual([
      { path: 'M0.0 7.5L20.0 5.0', best: false },
      { path: 'M18.0 10V0.0h4V10', best: true },
    ]);
  });

  it('paints a cell in the hue of its line, deeper along the axis, whichever factor is on the axis', () => {
    const factors = [
      { name: 'sync', levels: ['FULL', 'OFF'] },
      { name: 'threads', levels: [1, 4, 8] },
    ];
    expect(painterOf(factors)({ sync: 'OFF', threads: 4 })).toEqual({ slot: 1, shade: 0.5 });
    expect(painterOf(factors, 'sync')({ sync: 'OFF', threads: 4 })).toEqual({ slot: 1, shade: 1 });
    expect(painterOf([])({})).toEqual({ slot: 0 });
    expect(lineWords(factors, { sync: 'OFF', threads: 4 })).toBe('sync OFF');
  });

  it('has distinct shades of a hue, with the hue itself in the middle', () => {
    for (const scheme of ['light', 'dark'] as const) {
      const shades = [0, 0.25, 0.5, 0.75, 1].map((shade) => colourOf({ slot: 3, shade }, scheme));
      expect(new Set(shades).size).toBe(5);
      expect(shades[2]).toBe(colourOf({ slot: 3 }, scheme));
    }
  });

  it('has ten distinct hues, then repeats them', () => {
    for (const scheme of ['light', 'dark'] as const) {
      const ten = Array.from({ length: 10 }, (_, slot) => colourOf({ slot }, scheme));
      expect(new Set(ten).size).toBe(10);
      expect(colourOf({ slot: 10 }, scheme)).toBe(ten[0]);
    }
  });
});

import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import { spreadBoxes } from './boxes.ts';
import { costBars } from './cost-bars.ts';
import { costLines } from './cost-lines.ts';
import { heatMap } from './heat-map.ts';
import { byLevels, inOrder, lineKeys } from './levels.ts';
import { loadCurve } from './load-curve.ts';
import type { ChartModel } from './model.ts';
import { legendHeight, optionAt, placeOfNames } from './names.ts';
import { panels } from './panels.ts';
import { percentileCurves } from './percentile-curve.ts';
import { priceScatter } from './price-scatter.ts';
import { ratioBars } from './ratio-bars.ts';
import { chartTheme } from './theme.ts';
import { registerTiles } from './tile-shapes.ts';
import { type TimelineLine, timeline } from './timeline.ts';

const theme = chartTheme('light');
const tps = { label: 'Transactions', unit: 'tps', digits: 0 };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `threads ${index + 1}`);
const line = (name: string): TimelineLine => ({
  ...{ key: name, name, slot: 0 },
  t: Float64Array.of(1, 2),
  v: Float64Array.of(5, 6),
});
const ofLines = (count: number) => timeline({ measure: tps, lines: names(count).map(line) }, theme);
const shown = (option: ReturnType<typeof optionAt>) => {
  const { legend, grid, series } = option;
  const labelled = [series].flat().filter((each) => each && 'endLabel' in each && each.endLabel?.show);
  return {
    legend: legend && !Array.isArray(legend) && legend.show === true,
    top: grid && !Array.isArray(grid) ? Number(grid.top) : Number.NaN,
    atEnds: labelled.length,
  };
};

it.each([
  [1, 1000, 'nowhere'],
  [2, 1000, 'ends'],
  [8, 1000, 'ends'],
  [8, 240, 'legend'],
  [9, 1000, 'legend'],
  [24, 1000, 'legend'],
  [25, 1000, 'list'],
])('%i names in %i pixels are at: %s', (count, width, at) => {
  expect(placeOfNames(names(count), width).at).toBe(at);
});

it('names at line ends have the height of their letters with any font', () => {
  const { series } = optionAt(ofLines(4), { width: 1000 });
  const heights = [series].flat().flatMap((each) => {
    const label = each && 'endLabel' in each ? each.endLabel : undefined;
    return label?.show ? [label.lineHeight, label.rich?.mark?.lineHeight] : [];
  });
  expect(heights).toEqual(Array.from({ length: 8 }, () => 13));
});

it('long names are in a legend, not shortened', () => {
  expect(placeOfNames(['a'.repeat(40), 'b'], 1400).at).toBe('legend');
});

it('a legend has no pages: it takes more rows, fewer of them in a wider picture', () => {
  const model = ofLines(16);
  const [narrow, wide] = [400, 1600].map((width) => shown(optionAt(model, { width })));
  expect(narrow?.legend && wide?.legend).toBe(true);
  expect(narrow?.top).toBeGreaterThan(wide?.top ?? 0);
  expect(JSON.stringify(optionAt(model, { width: 400 }).legend)).not.toContain('scroll');
});

it('a chart with names at the line ends has no legend, and too many names are listed', () => {
  expect(shown(optionAt(ofLines(5), { width: 1000 }))).toMatchObject({ legend: false, atEnds: 5 });
  expect(shown(optionAt(ofLines(5), { width: 200 }))).toMatchObject({ legend: true, atEnds: 0 });
  expect(ofLines(24).listed).toBeUndefined();
  expect(ofLines(25)).toMatchObject({ listed: names(25), option: { legend: { show: false } } });
});

it('on paper, without a list, all names are in the legend', () => {
  const screen = shown(optionAt(ofLines(40), { width: 670 }));
  const paper = shown(optionAt(ofLines(40), { width: 670, isPaper: true }));
  expect([screen.legend, paper.legend]).toEqual([false, true]);
  expect(paper.top - screen.top).toBeGreaterThan(100);
});

it('reserves space for later names, so that nothing moves', () => {
  const at = (count: number) => {
    const { grid } = optionAt(timeline({ measure: tps, lines: names(count).map(line), names: names(4) }, theme), {
      width: 800,
    });
    return grid;
  };
  expect(at(1)).toEqual(at(4));
});

it('draws a running trial at the same place before and after its first figures', () => {
  const edges = (values: readonly number[]): number[] => {
    const lines = values.length > 0 ? [{ ...line('a'), v: Float64Array.from(values), t: Float64Array.of(1, 2) }] : [];
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 300 });
    chart.setOption(optionAt(timeline({ measure: tps, lines, names: ['a'], length: 60 }, theme), { width: 800 }));
    const found = [0, 60].map((at) => Number(chart.convertToPixel({ xAxisIndex: 0 }, at)));
    chart.dispose();
    return found;
  };
  expect(edges([])).toEqual(edges([1, 2]));
  expect(edges([180_000, 999_000])).toEqual(edges([1, 2]));
  // Labels with more digits are not cut.
  expect(edges([18_000_000, 1])[0]).toBeGreaterThan(70);
});

it('one repeat of each cell has its name', () => {
  const lines = ['a', 'a', 'b'].map((name, index) => ({ ...line(name), key: String(index) }));
  expect(shown(optionAt(timeline({ measure: tps, lines }, theme), { width: 800 })).atEnds).toBe(2);
});

it('levels are in order: numbers by size, names as in the document', () => {
  expect(inOrder([8, 1, 4, 16])).toEqual([1, 4, 8, 16]);
  expect(inOrder(['FULL', 'NORMAL', 'OFF'])).toEqual(['FULL', 'NORMAL', 'OFF']);
  const factors = [
    { name: 'sync', levels: ['OFF', 'FULL'] },
    { name: 'threads', levels: [8, 1] },
  ];
  const cells = [
    { sync: 'FULL', threads: 8 },
    { sync: 'FULL', threads: 1 },
    { sync: 'OFF', threads: 8 },
  ];
  expect([...cells].sort(byLevels(factors))).toEqual([cells[2], cells[1], cells[0]]);
  expect(lineKeys([{ name: 'threads', levels: [8, 1] }])).toEqual([{ threads: 1 }, { threads: 8 }]);
});

it('a load curve sorts unordered levels along the axis by size', () => {
  const points = [8, 1, 4].map((threads, cell) => ({ cell, levels: { threads }, mean: 100 * threads }));
  const model = loadCurve({ measure: tps, points, x: { name: 'threads', levels: [8, 1, 4] }, lines: [] }, theme);
  const [series] = [model.option.series].flat();
  expect(JSON.stringify(series?.data)).toMatch(/100.*400.*800/);
});

type Corner = readonly [x: number, y: number];

/** A label as placed: its corners in order, pixels. Labels may be tilted. */
interface Placed {
  words: string;
  corners: readonly Corner[];
}

/** All labels of a picture and the corners of its lines in pixels, as placed by the library. */
function drawn(
  model: ChartModel,
  width: number,
  isPaper = false,
  tall = 440,
): { labels: readonly Placed[]; lines: readonly Corner[][] } {
  const height = tall + legendHeight(model, { width, isPaper });
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(optionAt(model, { width, isPaper }));
  // Without the text of the picture, which nothing here reads.
  const elements = chart.getZr().storage.getDisplayList(true);
  const labels = elements.flatMap((element): Placed[] => {
    const { text } = element.style as { text?: string };
    if (element.type !== 'tspan' || !text?.trim() || element.ignore || element.invisible) return [];
    const { x, y, width: wide, height: tall } = element.getBoundingRect();
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = element.transform ?? [];
    const corners = [
      [x, y],
      [x + wide, y],
      [x + wide, y + tall],
      [x, y + tall],
    ] as const;
    return [{ words: text, corners: corners.map(([left, top]) => [a * left + c * top + e, b * left + d * top + f]) }];
  });
  const lines = elements.flatMap((element): Corner[][] => {
    const { points } = (element as { shape?: { points?: ArrayLike<number> } }).shape ?? {};
    if (element.type !== 'ec-polyline' || !points) return [];
    return [Array.from({ length: points.length / 2 }, (_, at) => [points[2 * at] ?? 0, points[2 * at + 1] ?? 0])];
  });
  chart.dispose();
  return { labels, lines };
}

/** Whether a line crosses a horizontal label. */
function runsThrough(
  line: readonly Corner[],
  { corners: [[left, top] = [0, 0], , [right, bottom] = [0, 0]] }: Placed,
): boolean {
  return line.slice(1).some(([x, y], index) => {
    const [fromX, fromY] = line[index] ?? [x, y];
    return Array.from({ length: 101 }, (_, step) => step / 100).some((share) => {
      const [atX, atY] = [fromX + share * (x - fromX), fromY + share * (y - fromY)];
      return atX > left && atX < right && atY > top + TOUCH && atY < bottom - TOUCH;
    });
  });
}

registerTiles();

/** Pixels by which boxes may touch: letters are lower than their lines. */
const TOUCH = 2;

/** Smallest overlap of two labels over all directions, pixels; negative: they are apart. */
function overlap(one: Placed, other: Placed): number {
  const directions = [one, other].flatMap(({ corners: [first = [0, 0], second = [0, 0], third = [0, 0]] }) =>
    [
      [second[0] - first[0], second[1] - first[1]],
      [third[0] - second[0], third[1] - second[1]],
    ].map(([x = 0, y = 0]): Corner => [x / Math.hypot(x, y), y / Math.hypot(x, y)]),
  );
  return Math.min(
    ...directions.map(([x, y]) => {
      const along = ({ corners }: Placed): number[] => corners.map((corner) => x * corner[0] + y * corner[1]);
      const [these, those] = [along(one), along(other)];
      return Math.min(Math.max(...these), Math.max(...those)) - Math.max(Math.min(...these), Math.min(...those));
    }),
  );
}

/** Labels that overlap, or end outside the picture. */
function collisions(labels: readonly Placed[], width: number): string[] {
  const isOutside = ({ corners }: Placed): boolean => corners.some(([x]) => x < -TOUCH || x > width + TOUCH);
  const spans = labels.map(({ corners }) => {
    const [x, y] = [corners.map(([left]) => left), corners.map(([, top]) => top)];
    return { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
  });
  const isNear = (one: number, other: number): boolean => {
    const [a, b] = [spans[one], spans[other]];
    return !a || !b || (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
  };
  const over = labels.flatMap((one, index) =>
    labels
      .filter((other, place) => place > index && isNear(index, place) && overlap(one, other) > TOUCH)
      .map((other) => `${one.words} | ${other.words}`),
  );
  return [...labels.filter(isOutside).map(({ words }) => `outside: ${words}`), ...over];
}

/** Width of a picture in a report, pixels. */
const PAPER = 670;

const LONG = [
  'synchronous_commit remote_apply',
  'file system XFS with reflink on a mirrored pair',
  'wal_sync_method open_datasync',
];
const longNames = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `${LONG[index % LONG.length]} · clients ${2 ** (index % 9)}, set ${index}`,
  );

/** Ends of lines close together, at the top and at the bottom of the plot. */
const closeLines = (count: number): TimelineLine[] =>
  longNames(count).map((name, index) => ({
    ...{ key: name, name, slot: index },
    t: Float64Array.of(1, 30, 60),
    v: Float64Array.of(1000, 900 + index, index % 2 === 0 ? 1200 + index : index),
  }));

const levelsOf = (count: number): string[] => longNames(count).map((name) => name.replace(/ · .*, /, ' '));
const curveOf = (
  count: number,
  x: readonly (string | number)[],
  { first = 1000, step = 100, spread = 100, knee = 1 } = {},
) =>
  loadCurve(
    {
      measure: tps,
      x: { name: 'clients', levels: x },
      lines: [{ name: 'setting', levels: levelsOf(count) }],
      points: levelsOf(count).flatMap((setting, line) =>
        x.map((clients, at) => ({
          ...{ cell: line * x.length + at, levels: { setting, clients }, mean: first + step * at + line },
          ...{ low: first - spread + step * at, high: first + spread + step * at + line },
        })),
      ),
      laws: count === 2 ? levelsOf(count).map((setting) => ({ levels: { setting }, knee: Number(x[knee]) })) : [],
    },
    theme,
  );

const PICTURES: Readonly<Record<string, (count: number) => ChartModel>> = {
  'lines over time': (count) => timeline({ measure: tps, lines: closeLines(count), warmup: 10 }, theme),
  'lines over time while they run': (count) =>
    timeline(
      {
        ...{ measure: tps, warmup: 10, length: 60, names: longNames(count) },
        lines: closeLines(count).map((each, index) => ({ ...each, weight: index === 1 ? 'bold' : 'thin' })),
      },
      theme,
    ),
  'a load curve': (count) => curveOf(count, [1, 2, 4, 8, 16]),
  'a load curve that falls from its first level on': (count) =>
    curveOf(count, [1, 2, 4, 8, 16], { first: 1190, step: -100, spread: 5, knee: 0 }),
  'points by name': (count) => curveOf(count, levelsOf(6)),
  'many names along the axis': (count) => curveOf(1, levelsOf(count)),
  'ratios to a baseline': (count) =>
    ratioBars(
      longNames(count).map((name, index) => ({
        ...{ name, ratio: 1 + index / 40, low: 0.5, high: index % 3 === 0 ? 500 : 3.1, verdict: 'better' as const },
      })),
      'Transactions (tps) relative to innodb_flush_log_at_trx_commit 1',
      theme,
    ),
  'boxes of cells': (count) =>
    spreadBoxes(
      longNames(count).map((name, slot) => ({
        ...{ name, slot, levels: name.split(' · '), min: 1, p5: 2, p25: 3, median: 4, p75: 5, p95: 6, max: 7 },
      })),
      ['setting', 'clients'],
      tps,
      theme,
    ),
  'a heat map': (count) =>
    heatMap(
      {
        ...{ measure: tps, of: 'setting / clients', figure: 'median', seconds: 1, warmup: 2 },
        rows: longNames(count).map((name) => ({
          ...{ name, group: name },
          buckets: { t: Float64Array.of(0, 1, 2), ...flat(5) },
        })),
      },
      theme,
    ),
  'percentiles of the seconds': (count) =>
    percentileCurves(
      longNames(count).map((name, slot) => ({ name, slot, ascending: Float64Array.of(1, 2, 3 + slot, 4 + slot) })),
      tps,
      theme,
    ),
  'rates against prices': (count) =>
    priceScatter(
      longNames(count).map((name, index) => ({
        ...{ name, rate: 1000 + 30 * (index % 7), perHour: 1 + index / 90 },
        ...(index % 5 === 1 && { warning: 'limited by the load generator' }),
      })),
      tps,
      'USD',
      theme,
      1100,
    ),
  'bars of costs': (count) =>
    costBars(
      longNames(count).map((name, index) => ({ name, value: 1 + index, note: '12 errors', details: [] })),
      { label: 'Price of a million transactions', currency: 'USD' },
      theme,
    ),
  'two cost lines': (count) => {
    const [one = '', other = ''] = longNames(2);
    // The crossing at the left end, in the middle, and where the axis ends.
    const at = { 2: 5, 12: 300, 40: 700 }[count] ?? 0;
    return costLines(
      {
        ...{ axis: { label: 'Hours per month', unit: 'h', digits: 0 }, currency: 'USD', names: { one, other } },
        points: Array.from({ length: 744 }, (_, hour) => ({ at: hour + 1, one: 10 * (hour + 1), other: 10 * at })),
        crossings: [at],
      },
      theme,
    );
  },
  'small multiples': (count) =>
    panels(
      {
        ...{ measure: tps, warmup: 10, columns: 2 },
        panels: closeLines(count).map((each) => ({ name: each.name, line: each, marks: [] })),
      },
      theme,
    ),
};

const flat = (value: number) => {
  const v = Float64Array.of(value, value + 1, value + 2);
  return { median: v, low: v, high: v };
};

describe.each(Object.entries(PICTURES))('labels of %s never overlap', (what, modelOf) => {
  it.each([2, 12, 40])('with %i long names', (count) => {
    const model = modelOf(count);
    // Each bar has its own height, as on the screen.
    const tall = Math.max(440, what === 'bars of costs' ? 60 + 46 * count : 0);
    for (const width of count > 24 ? [380] : [380, count > 2 ? 700 : 1640])
      expect.soft(collisions(drawn(model, width, false, tall).labels, width), `${width} pixels`).toEqual([]);
    expect.soft(collisions(drawn(model, PAPER, true, tall).labels, PAPER), 'on paper').toEqual([]);
  });
});

it('reserves the place of a running trial’s name at the end of its line from the first second on', () => {
  const names = ['threads 1', 'threads 2'];
  const at = (seconds: number) => {
    const t = Float64Array.from({ length: seconds }, (_, index) => index + 1);
    const lines = [{ key: 'run', name: 'threads 1', slot: 0, weight: 'bold' as const, t, v: t.map(() => 100) }];
    const model = timeline({ measure: tps, lines, names, length: 60 }, theme);
    return drawn(model, 1000).labels.find(({ words }) => words.includes('threads 1'))?.corners[0]?.[0];
  };
  expect(at(2)).toBeGreaterThan(800);
  expect(at(40)).toBe(at(2));
});

describe('no line crosses a name at an end if some lines end earlier', () => {
  const settings = (count: number): string[] => Array.from({ length: count }, (_, index) => `setting ${index + 1}`);
  const short: Readonly<Record<string, (count: number) => ChartModel>> = {
    'over time': (count) =>
      timeline(
        {
          measure: tps,
          lines: settings(count).map((name, slot) => ({
            ...{ key: name, name, slot },
            t: slot % 2 === 0 ? Float64Array.of(1, 10, 20) : Float64Array.of(1, 30, 60),
            v: Float64Array.of(900 + slot, 1000 + slot, 1000 - slot),
          })),
        },
        theme,
      ),
    'along a load': (count) =>
      loadCurve(
        {
          ...{ measure: tps, x: { name: 'clients', levels: [1, 2, 4, 8] } },
          lines: [{ name: 'setting', levels: settings(count).map((_, index) => index + 1) }],
          points: settings(count).flatMap((_, line) =>
            [1, 2, 4, 8].slice(0, line % 2 === 0 ? 2 : 4).map((clients, at) => ({
              ...{ cell: 4 * line + at, levels: { setting: line + 1, clients }, mean: 1000 + 10 * at + line },
            })),
          ),
        },
        theme,
      ),
  };
  it.each(Object.entries(short))('%s', (_, modelOf) => {
    for (const count of [2, 5, 8])
      for (const width of [700, 1200]) {
        const { labels, lines } = drawn(modelOf(count), width);
        const names = labels.filter(({ words }) => words.includes('setting'));
        expect(names).toHaveLength(count);
        expect(lines.length).toBeGreaterThanOrEqual(count);
        const crossed = names.filter((name) => lines.some((line) => runsThrough(line, name)));
        expect
          .soft(
            crossed.map(({ words }) => words),
            `${count} lines, ${width} pixels`,
          )
          .toEqual([]);
        expect.soft(collisions(labels, width)).toEqual([]);
      }
  });
});

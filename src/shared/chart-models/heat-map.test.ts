import { init } from 'echarts';
import { expect, it } from 'vitest';
import { type HeatFigure, type HeatRow, heatMap } from './heat-map.ts';
import { chartTheme } from './theme.ts';
import { registerTiles } from './tile-shapes.ts';

registerTiles();

const theme = chartTheme('light');
const tps = { label: 'Transactions', unit: 'tps', digits: 0 };
const row = (name: string, group: string, median: readonly number[], more: Partial<HeatRow> = {}): HeatRow => ({
  ...{ name, group },
  buckets: {
    t: Float64Array.from(median, (_, index) => 10 * index),
    median: Float64Array.from(median),
    low: Float64Array.from(median, (value) => value / 2),
    high: Float64Array.from(median, (value) => value * 2),
  },
  ...more,
});
const rows = [
  row('threads 1, repeat 1', 'threads 1', [50, 100, 100, 100]),
  row('threads 1, repeat 2', 'threads 1', [50, 110, 110, 110]),
  row('threads 8, repeat 1', 'threads 8', [50, 200, 200, 150]),
];
const chart = (figure: HeatFigure, of = rows) =>
  heatMap({ measure: tps, rows: of, of: 'threads', figure, seconds: 10, warmup: 10 }, theme);
const drawnOf = (model: ReturnType<typeof chart>) => {
  const drawn = init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 400 });
  drawn.setOption(model.option);
  return drawn;
};
const svgOf = (model: ReturnType<typeof chart>): string => {
  const drawn = drawnOf(model);
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  return svg;
};
/** Number of drawn boxes of each colour. */
const boxesOf = (model: ReturnType<typeof chart>): Record<string, number> =>
  Object.fromEntries(
    [...svgOf(model).matchAll(/<path d="([^"]*)" fill="(rgb[^"]*|undefined)"/g)].map(([, path = '', fill = '']) => [
      fill,
      path.split('M').length - 1,
    ]),
  );
/** Text of the tooltip with the pointer on a second of a row, counted from below; empty if there is no tile. */
const tipAt = (model: ReturnType<typeof chart>, second: number, row: number): string => {
  const drawn = drawnOf(model);
  const [x = 0, y = 0] = drawn.convertToPixel('grid', [second, row + 0.5]);
  const isThere = drawn.getZr().findHover(x, y)?.target !== undefined;
  drawn.dispose();
  const { tooltip } = model.option;
  const format = tooltip && !Array.isArray(tooltip) ? tooltip.formatter : undefined;
  return isThere && typeof format === 'function' ? String(format([], '')) : '';
};
const scaleOf = (model: ReturnType<typeof chart>) => {
  const { visualMap } = model.option;
  return Array.isArray(visualMap) || !visualMap || visualMap.type !== 'continuous' ? undefined : visualMap;
};

it('draws a row for each run, labels each group once, and explains the colours', () => {
  const svg = svgOf(chart('median'));
  for (const words of ['>threads<', '>threads 1<', '>threads 8<', 'Time since the start of the run (s)'])
    expect(svg).toContain(words);
  expect(svg.split('>threads 1<')).toHaveLength(2);
  expect(svg).toContain('Transactions (tps), median: 100 tps');
});

it('scales the colours to the values after the warm-up cut', () => {
  expect(scaleOf(chart('median'))).toMatchObject({ min: 100, max: 200 });
  expect(scaleOf(chart('low'))).toMatchObject({ min: 50, max: 100 });
});

it('shows changes of each row against its own median on a symmetric scale', () => {
  const scale = scaleOf(chart('change'));
  expect(scale?.min).toBe(-(scale?.max ?? 0));
  expect(scale?.max).toBeCloseTo(0.25, 9);
  expect(String(scale?.text)).toContain('%');
});

it('uses a log scale if rows are decades apart', () => {
  const scale = scaleOf(chart('median', [row('a', 'a', [10, 10]), row('b', 'b', [10_000, 10_000])]));
  expect(scale).toMatchObject({ min: 1, max: 4 });
  expect(String(scale?.text)).toContain('log scale');
});

it('gives an outlier the last colour without stretching the scale', () => {
  const values = Array.from({ length: 400 }, (_, index) => (index === 300 ? 90_000 : 100 + (index % 2)));
  const scale = scaleOf(chart('median', [row('a', 'a', values)]));
  expect(scale).toMatchObject({ min: 100, max: 101 });
  expect(String(scale?.text)).toContain('≥ 101 tps');
});

it('draws runs with no progress, and an empty map', () => {
  expect(scaleOf(chart('change', [row('a', 'a', [0, 0, 0])]))?.max).toBeGreaterThan(0);
  expect(svgOf(chart('median', []))).toContain('Time since');
});

it('draws all tiles of a colour together, and none without samples', () => {
  const { t: _t, ...figures } = row('', '', [100, 200, 200, 200]).buckets;
  const broken = row('a', 'a', [], { buckets: { t: Float64Array.of(0, 10, 20, 60), ...figures } });
  const [low, high] = ['rgb(68,1,84)', 'rgb(253,231,37)'];
  const all = [broken, row('b', 'b', [100, 200, Number.NaN, 200])];
  const model = heatMap({ measure: tps, rows: all, of: 'a', figure: 'median', seconds: 10, warmup: 0 }, theme);
  expect(boxesOf(model)).toEqual({ [low]: 2, [high]: 4 });
  expect(tipAt(model, 65, 1)).toContain('200 tps');
  for (const second of [35, 55]) expect(tipAt(model, second, 1)).toBe('');
});

it('marks notes and alerts on the row of their run', () => {
  const note = { at: 25, kind: 'note' as const, label: 'index dropped' };
  const count = (of: readonly HeatRow[]): number => svgOf(chart('median', [...of])).split(theme.accent).length;
  const marked = rows.map((each, index) => (index === 2 ? { ...each, marks: [note] } : each));
  expect(count(marked)).toBeGreaterThan(count(rows));
});

it('lists all figures in a table, and those of one tile with its events in the tooltip', () => {
  const marks = [{ at: 15, kind: 'alert' as const, label: '<b>stalled</b>' }];
  const model = chart('median', [{ ...rows[0], marks } as HeatRow, ...rows.slice(1)]);
  const { columns, rows: table } = model.table();
  expect(columns).toEqual([
    'run',
    't (s)',
    'median (tps)',
    'smallest per-second value (tps)',
    'largest per-second value (tps)',
  ]);
  expect(table).toHaveLength(12);
  expect(table[9]).toEqual(['threads 8, repeat 1', 10, 200, 100, 400]);
  const words = tipAt(model, 15, 2);
  for (const part of ['threads 1, repeat 1, 10 s to 20 s', '200 tps', '100 tps', '50 tps', 'stalled'])
    expect(words).toContain(part);
  expect(words).not.toContain('<b>stalled');
});

it('names all factors of its rows, shortens long names, and takes little room for short levels', () => {
  const row = { name: '1 / 4', group: '1 / 4', buckets: { t: Float64Array.of(0), median: one, low: one, high: one } };
  const of = 'innodb_flush_log_at_trx_commit / threads';
  const model = heatMap({ measure: tps, rows: [row], of, figure: 'median', seconds: 1, warmup: 0 }, theme);
  expect(model.option.yAxis).toMatchObject({ name: expect.stringMatching(/^innodb.*….*mit \/ threads$/) });
  const { left } = model.option.grid as { left: number };
  expect(left).toBeLessThan(170);
});
const one = Float64Array.of(1);

import { init } from 'echarts';
import { expect, it } from 'vitest';
import { panels, panelsHeight } from './panels.ts';
import { chartTheme } from './theme.ts';

const theme = chartTheme('dark');
const tps = { label: 'Transactions', unit: 'tps', digits: 0 };
const t = Float64Array.of(0, 60, 120);
const panel = (name: string, value: number) => ({
  name,
  line: {
    key: name,
    name,
    slot: 0,
    t,
    v: t.map(() => value),
    band: { low: t.map(() => value / 2), high: t.map(() => 2 * value) },
  },
  marks: [],
});
const of = (values: readonly number[]) =>
  panels(
    {
      measure: tps,
      panels: values.map((value, index) => panel(`threads ${index + 1}`, value)),
      warmup: 30,
      columns: 2,
    },
    theme,
  );
const axesOf = (model: ReturnType<typeof of>) =>
  [model.option.yAxis].flat().map((axis) => (axis && 'min' in axis ? [axis.type, axis.min, axis.max] : []));

it('draws a panel for each cell with its name, two in a row, in the given order', () => {
  const model = of([100, 200, 300]);
  const grids = [model.at?.(800).grid].flat().map((grid) => [grid?.left, grid?.top]);
  expect(grids[0]?.[1]).toBe(grids[1]?.[1]);
  expect(grids[0]?.[0]).toBe(grids[2]?.[0]);
  expect(Number(grids[2]?.[1])).toBeGreaterThan(Number(grids[0]?.[1]));
  const drawn = init(null, null, { renderer: 'svg', ssr: true, width: 800, height: panelsHeight(3, 2) });
  drawn.setOption(model.at?.(800) ?? {});
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  for (const name of ['threads 1', 'threads 2', 'threads 3']) expect(svg).toContain(`>${name}<`);
});

it('shares axes with the range of all panels', () => {
  const axes = axesOf(of([100, 200, 300]));
  expect(axes).toEqual([1, 2, 3].map(() => ['value', 0, 1000]));
  const [first] = axesOf(of([1, 300]));
  expect(first?.[0]).toBe('log');
  expect(Number(first?.[1])).toBeLessThan(1);
  expect(Number(first?.[2])).toBeGreaterThan(600);
});

it('lists all figures in a table', () => {
  const { columns, rows } = of([100, 200]).table();
  expect(columns).toEqual(['cell', 't (s)', 'median (tps)', 'low (tps)', 'high (tps)']);
  expect(rows[4]).toEqual(['threads 2', 60, 200, 100, 400]);
});

it('fills the available height, but stays legible', () => {
  expect(panelsHeight(4, 2, 640)).toBe(640);
  expect(panelsHeight(40, 2, 640)).toBe(panelsHeight(40, 2));
  const plots = (height: number) => {
    const model = panels(
      { measure: tps, panels: [panel('a', 1), panel('b', 2)], warmup: 0, columns: 2, height },
      theme,
    );
    return [model.at?.(800).grid].flat().map((grid) => Number(grid?.top) + Number(grid?.height));
  };
  // The labels of the axis are below.
  for (const bottom of plots(640)) expect(640 - bottom).toBeLessThan(40);
  expect(plots(640)[0]).toBeGreaterThan(3 * (plots(100)[0] ?? 0));
});

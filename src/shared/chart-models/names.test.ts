import { init } from 'echarts';
import { expect, it } from 'vitest';
import { byLevels, inOrder, lineKeys } from './levels.ts';
import { loadCurve } from './load-curve.ts';
import { optionAt, placeOfNames } from './names.ts';
import { chartTheme } from './theme.ts';
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
])('%i names in %i pixels stand at: %s', (count, width, at) => {
  expect(placeOfNames(names(count), width).at).toBe(at);
});

it('names at the ends of lines have the height of their letters, whatever fonts there are', () => {
  const { series } = optionAt(ofLines(4), { width: 1000 });
  const heights = [series].flat().flatMap((each) => {
    const label = each && 'endLabel' in each ? each.endLabel : undefined;
    return label?.show ? [label.lineHeight, label.rich?.mark?.lineHeight] : [];
  });
  expect(heights).toEqual(Array.from({ length: 8 }, () => 13));
});

it('no name is cut, so long ones are a legend', () => {
  expect(placeOfNames(['a'.repeat(40), 'b'], 1400).at).toBe('legend');
});

it('a legend has no pages: what is below moves down by its rows, fewer of them in a wider picture', () => {
  const model = ofLines(16);
  const [narrow, wide] = [400, 1600].map((width) => shown(optionAt(model, { width })));
  expect(narrow?.legend && wide?.legend).toBe(true);
  expect(narrow?.top).toBeGreaterThan(wide?.top ?? 0);
  expect(JSON.stringify(optionAt(model, { width: 400 }).legend)).not.toContain('scroll');
});

it('where names stand at the ends there is no legend, and where there are too many the model lists them', () => {
  expect(shown(optionAt(ofLines(5), { width: 1000 }))).toMatchObject({ legend: false, atEnds: 5 });
  expect(shown(optionAt(ofLines(5), { width: 200 }))).toMatchObject({ legend: true, atEnds: 0 });
  expect(ofLines(24).listed).toBeUndefined();
  expect(ofLines(25)).toMatchObject({ listed: names(25), option: { legend: { show: false } } });
});

it('on paper, where nothing can be chosen from a list, all names are written out', () => {
  const screen = shown(optionAt(ofLines(40), { width: 670 }));
  const paper = shown(optionAt(ofLines(40), { width: 670, isPaper: true }));
  expect([screen.legend, paper.legend]).toEqual([false, true]);
  expect(paper.top - screen.top).toBeGreaterThan(100);
});

it('keeps the place of names that come later, so that nothing moves', () => {
  const at = (count: number) => {
    const { grid } = optionAt(timeline({ measure: tps, lines: names(count).map(line), names: names(4) }, theme), {
      width: 800,
    });
    return grid;
  };
  expect(at(1)).toEqual(at(4));
});

it('draws a running trial at one place, before there are figures and whatever they are', () => {
  const edges = (values: readonly number[]): number[] => {
    const lines = values.length > 0 ? [{ ...line('a'), v: Float64Array.from(values), t: Float64Array.of(1, 2) }] : [];
    const drawn = init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 300 });
    drawn.setOption(optionAt(timeline({ measure: tps, lines, names: ['a'], length: 60 }, theme), { width: 800 }));
    const found = [0, 60].map((at) => Number(drawn.convertToPixel({ xAxisIndex: 0 }, at)));
    drawn.dispose();
    return found;
  };
  expect(edges([])).toEqual(edges([1, 2]));
  expect(edges([180_000, 999_000])).toEqual(edges([1, 2]));
  // Labels of more figures are not cut.
  expect(edges([18_000_000, 1])[0]).toBeGreaterThan(70);
});

it('one of the repeats of a cell says its name', () => {
  const lines = ['a', 'a', 'b'].map((name, index) => ({ ...line(name), key: String(index) }));
  expect(shown(optionAt(timeline({ measure: tps, lines }, theme), { width: 800 })).atEnds).toBe(2);
});

it('levels stand in order: numbers by size, names as in the document', () => {
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

it('a load curve of levels out of order has them along the axis by size', () => {
  const points = [8, 1, 4].map((threads, cell) => ({ cell, levels: { threads }, mean: 100 * threads }));
  const model = loadCurve({ measure: tps, points, x: { name: 'threads', levels: [8, 1, 4] }, lines: [] }, theme);
  const [series] = [model.option.series].flat();
  expect(JSON.stringify(series?.data)).toMatch(/100.*400.*800/);
});

import { afterEach, expect, it, vi } from 'vitest';
import { chartTheme, timeline } from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { chartSvg } from './svg.ts';

afterEach(() => vi.restoreAllMocks());

it('draws the marks of a timeline with all their definitions', () => {
  const complaints = ['log', 'warn', 'error'].map((name) => vi.spyOn(console, name as 'log').mockReturnValue());
  const chart = (marks: { at: number; kind: 'note'; label: string }[]): string =>
    chartSvg(
      timeline(
        {
          measure: metricOf('tps'),
          lines: [{ key: 'one', name: '', slot: 0, t: Float64Array.of(1, 2, 3), v: Float64Array.of(5, 6, 7) }],
          marks,
        },
        chartTheme('light'),
      ),
      600,
      200,
    );
  expect(chart([{ at: 2, kind: 'note', label: 'A note' }]).length).toBeGreaterThan(chart([]).length);
  for (const complaint of complaints) expect(complaint).not.toHaveBeenCalled();
});

it('writes the full names of all lines, however many', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `threads ${2 * index + 100}`);
  for (const count of [3, 16, 40]) {
    const lines = names(count).map((name, slot) => ({
      ...{ key: name, name, slot },
      t: Float64Array.of(1, 2, 3),
      v: Float64Array.of(slot, slot, slot),
    }));
    const svg = chartSvg(timeline({ measure: metricOf('tps'), lines }, chartTheme('light')), 515, 190);
    for (const name of names(count)) expect(svg, `${count} lines`).toMatch(new RegExp(`> ?${name}<`));
    const [, width = 0] = /<svg width="([\d.]+)"/.exec(svg)?.map(Number) ?? [];
    const ends = [...svg.matchAll(/translate\(([\d.]+) [\d.]+\)"[^>]*> ?threads/g)].map(([, x]) => Number(x));
    expect(Math.max(0, ...ends)).toBeLessThan(width);
  }
});

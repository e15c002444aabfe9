import { describe, expect, it } from 'vitest';
import { expectedChart, expectedPicture, expectedWords } from './expected-chart.ts';
import { curvesOf } from './sparkline.ts';

const threads = { name: 'threads', levels: [1, 2, 4, 8], load: 'concurrency' as const };
const mode = { name: 'mode', levels: ['off', 'on'], load: undefined };
const rows = { name: 'rows', levels: [10, 1000], load: undefined };
const asked = { metric: 'tps', seconds: 60 };

describe('the example chart of an experiment', () => {
  it('follows the factor of the load curve and the length of a trial', () => {
    expect(expectedChart({ factors: [mode, threads], ...asked })).toEqual({
      ...{ kind: 'knee', over: 'threads', metric: 'tps', lines: 2, points: 4 },
    });
    expect(expectedChart({ factors: [rows], ...asked }).kind).toBe('fall');
    expect(expectedChart({ factors: [mode], ...asked }).kind).toBe('bars');
    expect(expectedChart({ factors: [], ...asked })).toMatchObject({ kind: 'time', lines: 1 });
    expect(expectedChart({ factors: [mode, threads], metric: 'tps', seconds: 3600 })).toMatchObject({
      kind: 'time',
      lines: 8,
    });
  });

  it('stays inside its box, with at most four lines', () => {
    for (const factors of [[mode, threads], [rows], [mode], []]) {
      const { lines, bars } = expectedPicture(expectedChart({ factors, ...asked }), 100, 50);
      expect(lines.length + bars.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThanOrEqual(4);
      const figures =
        lines
          .join(' ')
          .match(/-?\d+\.\d/g)
          ?.map(Number) ?? [];
      expect(figures.every((figure) => figure >= 0 && figure <= 100)).toBe(true);
    }
  });

  it('states that nothing was measured', () => {
    expect(expectedWords(expectedChart({ factors: [mode, threads], ...asked }))).toBe(
      'Example chart: transactions over threads, 2 lines. Example only, not measured.',
    );
  });
});

describe('figures of cells by load curve', () => {
  const cells = [
    { index: 0, levels: { rows: 10, mode: 'off' } },
    { index: 1, levels: { rows: 10, mode: 'on' } },
    { index: 2, levels: { rows: 1000, mode: 'off' } },
  ];

  it('never joins cells of two curves, and has a gap for an excluded cell', () => {
    expect(curvesOf([rows, mode], cells, [1, 2, 3])).toEqual([
      [1, 3],
      [2, null],
    ]);
    expect(curvesOf([], [{ index: 0, levels: {} }], [7])).toEqual([[7]]);
  });

  it('sorts numbers however they were typed, and never joins names', () => {
    const threads = { name: 'threads', levels: [4, 1, 16] };
    const typed = [4, 1, 16].map((level, index) => ({ index, levels: { threads: level } }));
    expect(curvesOf([threads], typed, [40, 10, 160])).toEqual([[10, 40, 160]]);
    const systems = ['ext4', 'xfs'].map((files, index) => ({ index, levels: { files } }));
    expect(curvesOf([{ name: 'files', levels: ['ext4', 'xfs'] }], systems, [5, 6])).toEqual([[5, null, 6]]);
  });
});

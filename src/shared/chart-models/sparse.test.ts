import { describe, expect, it } from 'vitest';
import { Factor, namedLevels } from '../model/factor.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { loadLines } from '../stats/index.ts';
import { chartTheme, ladderFactor, painterOf, sessionBoxes, sessionCurve } from './index.ts';
import { loadCurve } from './load-curve.ts';
import { pivotOf } from './pivot.ts';
import { curvesOf } from './sparkline.ts';

/** `sync` applies only with the binary log. */
const factors = namedLevels([
  Factor.parse({ name: 'binlog', levels: ['off', 'on'] }),
  Factor.parse({ name: 'threads', levels: [1, 2, 4] }),
  Factor.parse({ name: 'sync', levels: [0, 1], when: { binlog: 'on' } }),
]);
const LINES = [{ binlog: 'off' }, { binlog: 'on', sync: 0 }, { binlog: 'on', sync: 1 }];
const all = LINES.flatMap((line) => [1, 2, 4].map((threads): CellResult['levels'] => ({ ...line, threads })));
const cells = all.map((levels, cell): CellResult => {
  const means = [100 + cell, 101 + cell];
  const spread = { n: 2, mean: 100, median: 100, p5: 99, p25: 99, p75: 101, p95: 101, min: 99, max: 101, cv: 0.01 };
  return { cell, levels, runs: [], errors: 0, partial: false, means, value: 100 + cell, spread };
});
const result: SessionResult = { sessionId: 1, metric: 'tps', metrics: ['tps'], factors, warmup: 0, cells };
const theme = chartTheme('light');

describe('cells without a level of a factor', () => {
  it('are separate lines in the load curve, in separate colours', () => {
    expect(ladderFactor(factors)?.name).toBe('threads');
    const curve = sessionCurve(result, theme);
    expect(curve.description).toContain('3 lines');
    expect(curve.table().rows).toHaveLength(9);
    const paint = painterOf(factors);
    expect(new Set(all.map((levels) => paint(levels).slot)).size).toBe(3);
    const index = all.map((levels, each) => ({ index: each, levels }));
    expect(
      curvesOf(
        factors,
        index,
        cells.map(({ value = 0 }) => value),
      ),
    ).toEqual([
      [100, 101, 102],
      [103, 104, 105],
      [106, 107, 108],
    ]);
  });

  it('omit the missing level in their name', () => {
    const rows = sessionBoxes(result, theme).table().rows.map(String);
    expect(rows.some((row) => row.includes('binlog off · threads 1'))).toBe(true);
    expect(JSON.stringify(sessionBoxes(result, theme).option)).not.toContain('undefined');
  });

  it('have separate knees', () => {
    const loads = result.factors.map((factor) =>
      factor.name === 'threads' ? { ...factor, load: 'concurrency' as const } : factor,
    );
    expect(loadLines({ ...result, factors: loads }).map(({ levels }) => levels)).toEqual(LINES);
  });

  it('are in a pivot at any level of the missing factor', () => {
    const pivot = pivotOf(result, { rows: 'binlog', columns: 'threads', fixed: { sync: 1 } });
    expect(pivot.cells.map((row) => row.map((cell) => cell?.cell))).toEqual([
      [0, 1, 2],
      [6, 7, 8],
    ]);
  });

  it('have a separate row in a pivot', () => {
    const pivot = pivotOf(result, { rows: 'sync', columns: 'threads', fixed: { binlog: 'off' } });
    expect(pivot.rows).toEqual([0, 1, undefined]);
    expect(pivot.cells.map((row) => row.map((cell) => cell?.cell))).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      [0, 1, 2],
    ]);
  });
});

describe('a suite of workloads', () => {
  const workload = {
    name: 'workload',
    levels: Array.from({ length: 18 }, (_, place) => `aggregation over a table, part ${place + 1}`),
  };
  const [target, sync] = [
    { name: 'target', levels: ['mysql', 'mariadb', 'rocksdb'] },
    { name: 'sync', levels: ['FULL'] },
  ];

  it('is along the axis, in place of a factor with one level', () => {
    expect(ladderFactor([workload, sync])?.name).toBe('workload');
    expect(ladderFactor([workload, target])?.name).toBe('workload');
    expect(ladderFactor([target, workload, sync])?.name).toBe('workload');
    expect(ladderFactor([workload, { name: 'threads', levels: [1, 2] }, target])?.name).toBe('threads');
    expect(ladderFactor([{ name: 'threads', levels: [8] }, sync])?.name).toBe('sync');
    expect(ladderFactor([])).toBeUndefined();
    const suite = workload.levels.map((name, cell): CellResult => {
      const levels = { workload: name, sync: 'FULL' };
      return { cell, levels, runs: [], errors: 0, partial: false, means: [cell], value: cell + 1 };
    });
    const { option } = sessionCurve({ ...result, factors: [workload, sync], cells: suite }, theme);
    const [dots] = [option.series].flat() as { data: { value: [number, number] }[] }[];
    expect(new Set(dots?.data.map(({ value: [place] }) => place)).size).toBe(18);
  });

  it('breaks long names between words where a few lines are enough', () => {
    const levels = ['ext4 with defaults', 'xfs without reflink', 'btrfs, compressed with zstd level 3', 'zfs'];
    const model = loadCurve(
      { measure: { label: 'Rate', unit: 'ops', digits: 0 }, points: [], x: { name: 'w', levels }, lines: [] },
      theme,
    );
    const axisAt = (width: number) =>
      model.at?.(width).xAxis as {
        nameGap: number;
        axisLabel: { rotate: number; formatter: (place: number) => string };
      };
    expect(axisAt(600).axisLabel.formatter(2)).toBe('btrfs, compressed\nwith zstd level 3');
    expect(axisAt(600).axisLabel.rotate).toBe(0);
    expect(axisAt(600).nameGap).toBeGreaterThan(axisAt(1600).nameGap);
    expect(axisAt(1600).axisLabel.formatter(2)).toBe('btrfs, compressed with zstd level 3');
    expect(axisAt(250).axisLabel.rotate).toBe(55);
  });

  it('has tilted names without room in a row, and the axis title below them', () => {
    const axisAt = (levels: readonly string[]) =>
      loadCurve(
        { measure: { label: 'Rate', unit: 'ops', digits: 0 }, points: [], x: { name: 'w', levels }, lines: [] },
        theme,
      ).option.xAxis as { nameGap: number; axisLabel: { rotate: number; formatter: (place: number) => string } };
    const [long, short] = [axisAt(workload.levels), axisAt(['read', 'write'])];
    expect(long.axisLabel.rotate).toBe(55);
    expect(long.axisLabel.formatter(17)).toContain('part 18');
    expect(long.nameGap).toBeGreaterThan(short.nameGap + 15);
    // A chart that becomes wider is drawn over the earlier one.
    expect(short.axisLabel.rotate).toBe(0);
  });
});

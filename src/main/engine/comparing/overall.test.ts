import { describe, expect, it } from 'vitest';
import { namedLevels } from '../../../shared/model/factor.ts';
import type { CellResult, Comparison } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { mean } from '../../../shared/stats/index.ts';
import { cellsOf, experimentOf } from '../figures/testing/measured.ts';
import { compareLevels, compareSessions } from './compare.ts';
import type { ComparedSession } from './pairs.ts';

const QUIET = [1, 1.005, 0.995, 1.002];

interface Changes {
  metric?: string;
  errors?: number;
  duration?: number;
  id?: number;
}

/** A session of these cells, measured in rounds: each repeats its figure with half a per cent of noise. */
function session(figures: readonly number[], changes: Changes = {}): ComparedSession {
  const { metric = 'tps', errors = 0, id = 1, duration } = changes;
  const factors = { threads: figures.map((_, index) => 2 ** index) };
  const experiment = experimentOf(factors);
  if (duration !== undefined) experiment.measure.duration = duration;
  const cells = cellsOf(factors).map(({ index, levels }): CellResult => {
    const value = figures[index] ?? 0;
    const means = QUIET.map((noise) => value * noise);
    const trials = means.map((_, round) => round * figures.length + index);
    return { cell: index, levels, runs: [], means, trials, value: mean(means), errors, partial: false };
  });
  const detail = { session: { id, name: `Session ${id}`, tool: 'sysbench' }, experiment, hosts: [] };
  return {
    detail: detail as unknown as SessionDetail,
    result: { sessionId: id, metric, metrics: [metric], factors: namedLevels(experiment.factors), warmup: 0, cells },
  };
}
const both = (baseline: ComparedSession, other: ComparedSession): Comparison['overall'] =>
  compareSessions(baseline, other).overall;
const BASE = [1000, 2000, 4000];
const times = (...factors: number[]): number[] => BASE.map((figure, index) => figure * (factors[index] ?? 1));

describe('the overall ratio', () => {
  it('is the geometric mean of the cell ratios, with its interval and their range', () => {
    const overall = both(session(BASE), session(times(1.1, 1.2, 1.3)));
    expect(overall?.ratio).toBeCloseTo((1.1 * 1.2 * 1.3) ** (1 / 3), 9);
    expect(overall?.interval?.low).toBeLessThan(overall?.ratio ?? 0);
    expect(overall?.cells).toBe(3);
    expect(overall?.sentence).toMatch(
      /^Overall ×1\.20 \(\+20 %\), 95 % interval ×1\.\d\d – ×1\.2\d: geometric mean of 3 cells, which lie between ×1\.10 \(threads 1\) and ×1\.30 \(threads 4\)\.$/,
    );
  });

  it('warns if some cells gain and others lose', () => {
    expect(both(session(BASE), session(times(1.2, 0.8, 1)))?.sentence).toMatch(
      /The cells differ in direction: better in 1, worse in 1\. The mean hides this\.$/,
    );
    const latency = { metric: 'latency_avg_ms' };
    expect(both(session(BASE, latency), session(times(1.2, 1.2, 0.8), latency))?.sentence).toContain(
      'better in 1, worse in 2',
    );
  });

  it('counts the noise of a shared baseline once for all cells', () => {
    const { overall } = compareLevels(session([1000, 1000, 1000, 1000]), { factor: 'threads', level: 1 });
    const apart = both(session([1000, 1000, 1000]), session([1000, 1000, 1000]));
    const width = (entry: Comparison['overall']): number => (entry?.interval?.high ?? 0) / (entry?.interval?.low ?? 1);
    expect(width(overall)).toBeGreaterThan(width(apart));
  });

  it('uses the cells common to both sides and counts the omitted ones', () => {
    const { overall } = compareSessions(session(BASE), session([1000, 2000]));
    expect(overall?.cells).toBe(2);
    expect(overall?.sentence).toMatch(/1 cell on one side only is not in it\.$/);
  });

  it('is absent for a single cell', () => {
    expect(both(session([1000]), session([1100]))).toBeUndefined();
  });

  it.each<[string, ComparedSession, RegExp]>([
    ['errors on a side', session(BASE, { errors: 3 }), /there were errors/],
    ['runs of another length', session(BASE, { duration: 90 }), /run lengths differ/],
    ['a cell without an interval', session([1000, 0, 4000]), /threads 2 has no usable interval/],
  ])('is refused with %s and a one-sentence reason', (_what, other, why) => {
    const overall = both(session(BASE), other);
    expect(overall?.ratio).toBeUndefined();
    expect(overall?.sentence).toMatch(/^No overall ratio: /);
    expect(overall?.sentence).toMatch(why);
  });

  it('is refused for a metric without a direction', () => {
    const neutral = { metric: 'rollbacks_per_s' };
    expect(both(session(BASE, neutral), session(BASE, neutral))?.sentence).toMatch(
      /^No overall ratio: .* has no better direction\.$/,
    );
  });
});

describe('repeats added to some cells', () => {
  /** Three cells in rounds; the first two got four more repeats later, when everything was a tenth slower. */
  function grown(): ComparedSession {
    const plain = session([1000, 1010, 1200]);
    const cells = plain.result.cells.map((cell) => {
      if (cell.cell === 2) return cell;
      const later = QUIET.map((noise) => 0.9 * (cell.value ?? 0) * noise);
      const trials = later.map((_, round) => 12 + 2 * round + cell.cell);
      return { ...cell, means: [...cell.means, ...later], trials: [...(cell.trials ?? []), ...trials] };
    });
    const detail = { ...plain.detail, later: [{ from: 12, at: 0, added: 8 }] };
    return { detail, result: { ...plain.result, cells } };
  }

  it('leave the verdict on the others unchanged: each cell is compared within the same part', () => {
    const against = { factor: 'threads', level: 1 };
    const before = compareLevels(session([1000, 1010, 1200]), against).cells[1];
    const after = compareLevels(grown(), against).cells[1];
    expect([before?.verdict, after?.verdict]).toEqual(['better', 'better']);
    expect(after?.ratio).toBeCloseTo(1.2, 6);
  });

  it('count together with the earlier ones if both sides have them', () => {
    const [cell] = compareLevels(grown(), { factor: 'threads', level: 1 }).cells;
    expect(cell?.ratio).toBeCloseTo(1.01, 6);
  });
});

describe('conditions that changed when trials were added', () => {
  it('are named before the figures, and prevent an overall ratio', () => {
    const plain = session(BASE);
    const hosts = (kernel: string) => [
      { name: 'load1', facts: { os: 'Debian', kernel, cpuCount: 4, architecture: 'x', disks: [] } },
    ];
    const detail = {
      ...plain.detail,
      hosts: hosts('6.1'),
      later: [{ from: 12, at: 0, added: 3, facts: { hosts: hosts('6.12') } }],
    } as unknown as SessionDetail;
    const comparison = compareLevels({ ...plain, detail }, { factor: 'threads', level: 1 });
    expect(comparison.findings[0]).toMatchObject({
      code: 'changed-since-start',
      message: expect.stringMatching(/since trial 13 .*Generator kernel \(6\.1 → 6\.12\)\.$/),
    });
    expect(comparison.overall?.sentence).toMatch(/^No overall ratio: hosts or target have changed/);
  });

  it('exclude facts that the host did not report before', () => {
    const plain = session(BASE);
    const hosts = (more: object) => [
      { name: 'load1', facts: { os: 'Debian', kernel: '6.1', cpuCount: 4, disks: [], ...more } },
    ];
    const later = [{ from: 12, at: 0, added: 3, facts: { hosts: hosts({ hugePages: 'always' }) } }];
    const detail = { ...plain.detail, hosts: hosts({}), later } as unknown as SessionDetail;
    expect(compareLevels({ ...plain, detail }, { factor: 'threads', level: 1 }).findings).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../../shared/model/experiment.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { spreadOf } from '../../../shared/stats/index.ts';
import { type ComparedSession, compareSessions } from './compare.ts';
import { cellsOf, experimentOf } from './testing/measured.ts';

type Factors = Record<string, (string | number)[]>;

/** A session whose cells had these means, one per complete repeat. */
function session(
  factors: Factors,
  means: readonly number[][],
  options: { id?: number; metric?: string; fixed?: Record<string, Scalar>; detail?: Partial<SessionDetail> } = {},
): ComparedSession {
  const experiment = experimentOf(factors, options.fixed);
  const cells = cellsOf(factors).map(({ index, levels }): CellResult => {
    const spread = spreadOf(Float64Array.from(means[index] ?? []));
    const known = spread && { spread };
    return { cell: index, levels, runs: [], means: means[index] ?? [], errors: 0, partial: false, ...known };
  });
  const metric = options.metric ?? 'tps';
  return {
    detail: {
      session: { id: options.id ?? 1, name: `Session ${options.id ?? 1}`, tool: 'sysbench' },
      experiment,
      hosts: [],
      toolVersion: '1.0.20',
      ...options.detail,
    } as unknown as SessionDetail,
    result: { sessionId: 1, metric, metrics: [metric, 'qps'], factors: experiment.factors, warmup: 0, cells },
  };
}

const one = (means: number[], metric?: string) => session({ threads: [1] }, [means], metric ? { metric } : {});
const compareOne = (baseline: number[], other: number[], metric?: string) =>
  compareSessions(one(baseline, metric), one(other, metric)).cells[0];

describe('the verdict on a cell', () => {
  it('calls a clear loss worse, with size and interval in words', () => {
    const cell = compareOne([100, 101, 99], [84, 83, 85]);
    expect(cell?.verdict).toBe('worse');
    expect(cell?.ratio).toBeCloseTo(0.84, 3);
    expect(cell?.interval?.high).toBeLessThan(0.88);
    expect(cell?.sentence).toMatch(/^Lower by 16 %, 95 % interval 14 % to 18 %\.$/);
  });

  it('calls more better for a rate, and worse for a latency', () => {
    expect(compareOne([100, 101, 99], [120, 121, 119])?.verdict).toBe('better');
    expect(compareOne([10, 10.1, 9.9], [12, 12.1, 11.9], 'latency_p95_ms')).toMatchObject({
      verdict: 'worse',
      sentence: expect.stringMatching(/^Higher by 20 %/),
    });
    expect(compareOne([10, 10.1, 9.9], [8, 8.1, 7.9], 'latency_p95_ms')?.verdict).toBe('better');
  });

  it('does not call noise a difference, and says how large the noise is', () => {
    const cell = compareOne([100, 110, 90], [102, 93, 108]);
    expect(cell?.verdict).toBe('no-difference');
    expect(cell?.sentence).toMatch(/^No difference larger than the noise of \d+ %\.$/);
    expect(compareOne([50, 50], [50, 50])).toMatchObject({ verdict: 'no-difference', ratio: 1 });
  });

  it('says that it cannot tell where the noise would hide any difference', () => {
    const cell = compareOne([100, 300], [250, 120]);
    expect(cell?.verdict).toBe('too-noisy');
    expect(cell?.sentence).toMatch(/^Too noisy to tell: ×\d\.\d\d to ×[\d,.]+ all fit\.$/);
  });

  it('needs two complete repeats on each side, but shows the ratio', () => {
    expect(compareOne([100], [50, 51])).toMatchObject({ verdict: 'too-few', ratio: 0.505 });
    expect(compareOne([100, 101], [50])?.interval).toBeUndefined();
    expect(compareOne([0], [50])?.ratio).toBeUndefined();
  });

  it('says on which side a result is missing', () => {
    expect(compareOne([], [50, 51])).toMatchObject({
      verdict: 'missing',
      sentence: 'There is no result in the baseline.',
    });
    expect(compareOne([50, 51], [])?.sentence).toBe('There is no result in the other session.');
    expect(compareOne([], [])?.sentence).toBe('Neither session has a result here.');
  });
});

describe('which cells meet', () => {
  const two = [
    [100, 101],
    [200, 201],
  ];
  const levelsOf = (baseline: ComparedSession, other: ComparedSession) =>
    compareSessions(baseline, other).cells.map((cell) => [
      cell.levels,
      cell.baseline?.means[0] ?? null,
      cell.other?.means[0] ?? null,
    ]);

  it('those with equal levels, whatever their order; the others stay alone', () => {
    const other = session({ threads: [4, 1] }, [
      [400, 401],
      [110, 111],
    ]);
    expect(levelsOf(session({ threads: [1, 2] }, two), other)).toEqual([
      [{ threads: 1 }, 100, 110],
      [{ threads: 2 }, 200, null],
      [{ threads: 4 }, null, 400],
    ]);
  });

  it('every cell of a session that varies more meets the one cell of the other', () => {
    const varied = session({ sync: ['OFF', 'FULL'], threads: [1] }, two);
    expect(levelsOf(session({ threads: [1] }, [[100, 101]]), varied)).toEqual([
      [{ threads: 1, sync: 'OFF' }, 100, 100],
      [{ threads: 1, sync: 'FULL' }, 100, 200],
    ]);
  });

  it('a fixed option counts as a level: only the cell that has it meets', () => {
    const fixed = session({}, [[210, 211]], { fixed: { threads: 2 } });
    expect(levelsOf(session({ threads: [1, 2] }, two), fixed)).toEqual([
      [{ threads: 1 }, 100, null],
      [{ threads: 2 }, 200, 210],
    ]);
  });

  it('nothing, where each varies what the other says nothing of', () => {
    const comparison = compareSessions(session({ a: [1, 2] }, two), session({ b: [1, 2] }, two));
    expect(comparison.cells.map((cell) => cell.verdict)).toEqual(['missing', 'missing', 'missing', 'missing']);
    expect(comparison.cells[0]?.sentence).toBe('The other session has no cell that belongs to this one.');
    expect(comparison.verdict).toBe('The two sessions have no cell in common that both measured.');
  });
});

describe('the comparison as a whole', () => {
  it('counts verdicts in one sentence', () => {
    const means = (factor: number) =>
      [100, 200, 300].map((value) => [0.99, 1, 1.01].map((part) => value * part * factor));
    const factors = { threads: [1, 2, 3] };
    const other = means(1.2);
    other[2] = [305, 297, 301];
    expect(compareSessions(session(factors, means(1)), session(factors, other)).verdict).toBe(
      'Against the baseline: better in 2, no difference beyond noise in 1 of 3 cells compared by transactions.',
    );
    const single = [[100], [200], [300]];
    expect(compareSessions(session(factors, single), session(factors, single)).verdict).toBe(
      'Not enough complete repeats on both sides to call any difference real.',
    );
  });

  it('lists what differs and nothing else', () => {
    const server = (value: string) => ({
      target: {
        name: 'db',
        kind: 'mysql',
        description: {
          product: 'MariaDB',
          version: '10.11',
          settings: [
            { name: 'innodb_flush_log_at_trx_commit', value },
            { name: 'sync_binlog', value: '0' },
          ],
          readAt: 0,
        },
      },
    });
    const a = session({ threads: [1] }, [[1, 2]], { fixed: { tables: 4 }, detail: server('1') });
    const b = session({ threads: [1] }, [[1, 2]], { fixed: { tables: 8 }, detail: server('2') });
    expect(compareSessions(a, b)).toMatchObject({
      differences: [{ what: 'Option tables', baseline: '4', other: '8' }],
      settings: [{ name: 'innodb_flush_log_at_trx_commit', baseline: '1', other: '2', rank: 'matters' }],
    });
    expect(compareSessions(a, a)).toMatchObject({ differences: [], settings: [] });
    const from = (...names: string[]) =>
      session({ threads: [1] }, [[1, 2]], { detail: { hosts: names.map((name) => ({ name })) } });
    expect(compareSessions(from('a'), from('a', 'b')).differences).toEqual([
      { what: 'Generator 2', baseline: '–', other: 'b' },
    ]);
    expect(compareSessions(a, a).metrics).toEqual(['tps', 'qps']);
  });

  it('warns of what makes it unfair, and is silent otherwise', () => {
    const of = (detail: Partial<SessionDetail>) => session({ threads: [1] }, [[1, 2]], { detail });
    const codes = (a: ComparedSession, b: ComparedSession) => compareSessions(a, b).findings.map(({ code }) => code);
    const cpu = (cpuModel: string) =>
      ({
        hosts: [{ name: 'g', facts: { cpuCount: 4, cpuModel } }],
      }) as unknown as Partial<SessionDetail>;
    expect(codes(of({}), of({}))).toEqual([]);
    expect(codes(of({}), of({ toolVersion: '1.0.18' }))).toEqual(['different-tool-versions']);
    expect(codes(of(cpu('A')), of(cpu('B')))).toEqual(['different-generators']);
    const fio = of({ session: { id: 2, name: 'x', tool: 'embedded' } as SessionDetail['session'] });
    expect(codes(of({}), fio)).toEqual(['different-tools']);
    const long = experimentOf({ threads: [1] });
    long.measure.duration = 60;
    expect(codes(of({}), of({ experiment: long }))).toEqual(['different-durations']);
  });
});

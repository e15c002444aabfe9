import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../../shared/model/experiment.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { spreadOf } from '../../../shared/stats/index.ts';
import { compareLevels, compareSessions } from './compare.ts';
import type { ComparedSession } from './pair-cells.ts';
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
    const known = spread && { value: spread.mean, spread };
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
/** Two single sessions. */
const compareOne = (baseline: number[], other: number[], metric?: string) =>
  compareSessions(one(baseline, metric), one(other, metric)).cells[0];

/** Two cells of one session, measured in turns or one after the other. */
function levelsOf(baseline: number[], other: number[], options: { metric?: string; turns?: boolean } = {}) {
  const whole = session({ threads: [1, 2] }, [baseline, other], options.metric ? { metric: options.metric } : {});
  const places = (side: number, means: number[]): number[] =>
    means.map((_, index) => (options.turns === false ? side * 10 + index : index * 2 + side));
  const cells = whole.result.cells.map((cell, side) => ({ ...cell, trials: places(side, cell.means) }));
  return { detail: whole.detail, result: { ...whole.result, cells } };
}
const againstLevel = (...values: Parameters<typeof levelsOf>) =>
  compareLevels(levelsOf(...values), { factor: 'threads', level: 1 }).cells[0];

describe('the verdict on cells of one session, measured in turns', () => {
  it('calls a clear loss worse, with size and interval in words', () => {
    const cell = againstLevel([100, 101, 99], [84, 83, 85]);
    expect(cell?.verdict).toBe('worse');
    expect(cell?.ratio).toBeCloseTo(0.84, 3);
    expect(cell?.interval?.high).toBeLessThan(0.88);
    expect(cell?.sentence).toMatch(/^Lower by 16 %, 95 % interval 14 % to 18 %\.$/);
  });

  it('calls more better for a rate, and worse for a latency', () => {
    expect(againstLevel([100, 101, 99], [120, 121, 119])?.verdict).toBe('better');
    const latency = (...values: [number[], number[]]) => againstLevel(...values, { metric: 'latency_p95_ms' });
    expect(latency([10, 10.1, 9.9], [12, 12.1, 11.9])).toMatchObject({
      verdict: 'worse',
      sentence: expect.stringMatching(/^Higher by 20 %/),
    });
    expect(latency([10, 10.1, 9.9], [8, 8.1, 7.9])?.verdict).toBe('better');
  });

  it('calls what is neither good nor bad higher or lower', () => {
    const rollbacks = (...values: [number[], number[]]) => againstLevel(...values, { metric: 'rollbacks_per_s' });
    expect(rollbacks([100, 101, 99], [120, 121, 119])?.verdict).toBe('higher');
    expect(rollbacks([100, 101, 99], [80, 81, 79])?.verdict).toBe('lower');
  });

  it('speaks of no difference only where the interval lies within the margin', () => {
    const quiet: [number[], number[]] = [
      [1000, 1004, 996, 1002],
      [1003, 1006, 999, 1001],
    ];
    expect(againstLevel(...quiet)).toMatchObject({
      verdict: 'no-difference',
      sentence: expect.stringMatching(/^No difference of 3 % or more, 95 % interval −0\.\d % to \+0\.\d %\.$/),
    });
    const strict = compareLevels(levelsOf(...quiet), { factor: 'threads', level: 1 }, { margin: 0.002 });
    expect(strict).toMatchObject({ margin: 0.002, cells: [{ verdict: 'cannot-tell' }] });
    expect(againstLevel([100, 110, 90], [102, 93, 108])).toMatchObject({
      verdict: 'cannot-tell',
      sentence: expect.stringMatching(
        /^Cannot tell: 95 % interval −\d+ % to \+\d+ %\. More repeats would make it narrower\.$/,
      ),
    });
  });

  it('tells a difference that is real but does not matter', () => {
    const cell = againstLevel([1000, 1001, 999, 1000], [1010, 1011, 1009, 1010]);
    expect(cell).toMatchObject({ verdict: 'too-small' });
    expect(cell?.sentence).toMatch(
      /^Higher by 1\.0 %, 95 % interval .*: a difference, but smaller than the 3 % that matter\.$/,
    );
    expect(againstLevel([100, 101, 99, 100], [103, 104, 102, 103])).toMatchObject({
      verdict: 'better',
      sentence: expect.stringMatching(/It may be less than the 3 % that matter\.$/),
    });
  });

  it('cannot tell from zero', () => {
    expect(againstLevel([0, 0], [50, 51])).toMatchObject({
      verdict: 'cannot-tell',
      sentence: 'Cannot tell: a repeat measured zero, and no ratio to zero can be formed.',
    });
  });

  it('needs two complete repeats on each side, but shows the ratio', () => {
    expect(againstLevel([100], [50, 51])).toMatchObject({ verdict: 'too-few', ratio: 0.505 });
    expect(againstLevel([100, 101], [50])?.interval).toBeUndefined();
  });

  it('names no cause where the cells were measured one after the other', () => {
    const listed = levelsOf([100, 101, 99], [84, 83, 85], { turns: false });
    const comparison = compareLevels(listed, { factor: 'threads', level: 1 });
    expect(comparison.cells[0]).toMatchObject({
      verdict: 'differ',
      sentence: expect.stringMatching(
        /^A difference between cells that were not measured in turns: lower by 16 %.* Its cause may be the time between them\.$/,
      ),
    });
    expect(comparison.verdict).toContain('cannot tell their level from the time');
  });

  it('sets each cell against the one with the same other levels', () => {
    const both = session({ threads: [1, 2], sync: ['off', 'on'] }, [[100], [90], [200], [150]]);
    const { cells, baseline } = compareLevels(both, { factor: 'sync', level: 'off' });
    expect(cells.map(({ levels, ratio }) => [levels, ratio])).toEqual([
      [{ threads: 1, sync: 'on' }, 0.9],
      [{ threads: 2, sync: 'on' }, 0.75],
    ]);
    expect(baseline).toMatchObject({ name: 'sync off' });
    expect(() => compareLevels(both, { factor: 'sync', level: 'never' })).toThrow(/no cell with sync never/);
  });
});

describe('the verdict on two single sessions', () => {
  it('is one on these two sessions, whatever the intervals', () => {
    expect(compareOne([100, 101, 99], [84, 83, 85])).toMatchObject({
      verdict: 'differ',
      sentence: expect.stringMatching(
        /^A difference between these two sessions: lower by 16 %, 95 % interval 14 % to 18 %\. Its cause may be the time between them\.$/,
      ),
    });
    expect(compareOne([1000, 1004, 996, 1002], [1003, 1006, 999, 1001])).toMatchObject({
      verdict: 'alike',
      sentence: expect.stringMatching(/^These two sessions are alike within 3 %, 95 % interval/),
    });
    expect(compareOne([100, 300], [250, 120])?.verdict).toBe('cannot-tell');
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

describe('the verdict on several sessions a side', () => {
  /** Each session measured its one cell three times, quietly, at its own level. */
  const at = (id: number, rate: number): ComparedSession => {
    const quiet = session({ threads: [1] }, [[rate, rate * 1.001, rate * 0.999]], { id });
    const { detail } = quiet;
    return { ...quiet, detail: { ...detail, session: { ...detail.session, createdAt: id } } };
  };
  it('takes each session for one figure', () => {
    const noise = compareSessions([at(1, 1000), at(3, 1060), at(5, 960)], [at(2, 1050), at(4, 1010), at(6, 1080)]);
    expect(noise.basis).toBe('sessions');
    expect(noise.baseline.name).toBe('Session 1, Session 3, Session 5 (3 sessions)');
    expect(noise.cells[0]).toMatchObject({ verdict: 'cannot-tell' });
    const clear = compareSessions([at(1, 1000), at(3, 1010), at(5, 990)], [at(2, 1300), at(4, 1310), at(6, 1290)]);
    expect(clear.cells[0]).toMatchObject({ verdict: 'better', ratio: expect.closeTo(1.3, 3) });
    expect(clear.verdict).toBe(
      'Against the baseline, session by session: better in 1 of 1 cell compared by transactions.',
    );
  });
  it('names no cause where all of one side came first', () => {
    const after = compareSessions([at(1, 1000), at(2, 1010), at(3, 990)], [at(4, 1300), at(5, 1310), at(6, 1290)]);
    expect(after.cells[0]?.verdict).toBe('differ');
  });
  it('needs two on each side', () => {
    expect(compareSessions([at(1, 1000)], [at(2, 1000), at(3, 1000)])).toMatchObject({
      verdict: 'Two or more sessions on each side are needed to call any difference real.',
      cells: [{ verdict: 'too-few' }],
    });
  });
});

describe('a trend over the trials of a session', () => {
  it('is a finding of its comparisons', () => {
    const fall = [0, 1, 2, 3, 4, 5].map((round) => 1000 * (1 - 0.02 * round));
    const falling = compareLevels(levelsOf(fall, fall), { factor: 'threads', level: 1 });
    expect(falling.findings).toEqual([]);
    const both = levelsOf(fall, fall);
    const trend = { ratio: 0.89, low: 0.86, high: 0.92 };
    const found = compareLevels({ ...both, result: { ...both.result, trend } }, { factor: 'threads', level: 1 });
    expect(found.findings).toMatchObject([
      {
        code: 'trend-over-trials',
        message:
          'Transactions of “Session 1” change with the order of the trials: by −11 % from the first to the last, 99 % interval −14 % to −8.0 %.',
      },
    ]);
  });
});

describe('which cells meet', () => {
  const two = [
    [100, 101],
    [200, 201],
  ];
  const meetingsOf = (baseline: ComparedSession, other: ComparedSession) =>
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
    expect(meetingsOf(session({ threads: [1, 2] }, two), other)).toEqual([
      [{ threads: 1 }, 100, 110],
      [{ threads: 2 }, 200, null],
      [{ threads: 4 }, null, 400],
    ]);
  });

  it('every cell of a session that varies more meets the one cell of the other', () => {
    const varied = session({ sync: ['OFF', 'FULL'], threads: [1] }, two);
    expect(meetingsOf(session({ threads: [1] }, [[100, 101]]), varied)).toEqual([
      [{ threads: 1, sync: 'OFF' }, 100, 100],
      [{ threads: 1, sync: 'FULL' }, 100, 200],
    ]);
  });

  it('a fixed option counts as a level: only the cell that has it meets', () => {
    const fixed = session({}, [[210, 211]], { fixed: { threads: 2 } });
    expect(meetingsOf(session({ threads: [1, 2] }, two), fixed)).toEqual([
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
      'These two sessions: different in 2, alike within 3 % in 1 of 3 cells compared by transactions. One session a side cannot tell the set-up from the time at which it was measured.',
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

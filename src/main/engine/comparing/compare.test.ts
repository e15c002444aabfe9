import { describe, expect, it } from 'vitest';
import type { Levels, Scalar } from '../../../shared/model/experiment.ts';
import { namedLevels } from '../../../shared/model/factor.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { repeatsOf } from '../../../shared/model/settling.ts';
import { spreadOf } from '../../../shared/stats/index.ts';
import { cellsOf, experimentOf } from '../figures/testing/measured.ts';
import { compareLevels, compareSessions } from './compare.ts';
import type { ComparedSession } from './pairs.ts';

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
    result: {
      sessionId: 1,
      metric,
      metrics: [metric, 'qps'],
      factors: namedLevels(experiment.factors),
      warmup: 0,
      cells,
    },
  };
}

const one = (means: number[], metric?: string) => session({ threads: [1] }, [means], metric ? { metric } : {});
/** Two single sessions. */
const compareOne = (baseline: number[], other: number[], metric?: string) =>
  compareSessions(one(baseline, metric), one(other, metric)).cells[0];

/** Two cells of one session, measured interleaved or one after the other. */
function levelsOf(baseline: number[], other: number[], options: { metric?: string; turns?: boolean } = {}) {
  const whole = session({ threads: [1, 2] }, [baseline, other], options.metric ? { metric: options.metric } : {});
  const places = (side: number, means: number[]): number[] =>
    means.map((_, index) => (options.turns === false ? side * 10 + index : index * 2 + side));
  const cells = whole.result.cells.map((cell, side) => ({ ...cell, trials: places(side, cell.means) }));
  return { detail: whole.detail, result: { ...whole.result, cells } };
}
const againstLevel = (...values: Parameters<typeof levelsOf>) =>
  compareLevels(levelsOf(...values), { factor: 'threads', level: 1 }).cells[0];

it('shows facts of both sides, merged over all sessions of a side', () => {
  const kernel = (value: string) => [{ capture: 'kernel', name: '', value }];
  const withFacts = (facts: ComparedSession['facts']): ComparedSession => ({
    ...one([100, 101, 99]),
    ...(facts && { facts }),
  });
  const facts = (left: ComparedSession[], right: ComparedSession[]) => compareSessions(left, right).facts;
  const old = withFacts(kernel('5.10'));
  expect(facts([old], [withFacts(kernel('6.1'))])).toEqual([
    { what: 'kernel', baseline: '5.10', other: '6.1', isEqual: false },
  ]);
  expect(facts([old, withFacts(kernel('6.1'))], [withFacts(kernel('6.1')), old])).toEqual([
    { what: 'kernel', baseline: '5.10 · 6.1', other: '5.10 · 6.1', isEqual: true },
  ]);
  expect(compareSessions(withFacts(undefined), withFacts([]))).not.toHaveProperty('facts');
});

it('shows facts of the cells with a level and of all others', () => {
  const factsOf = ({ levels: { threads } }: { levels: Levels }) => [
    { capture: 'plan', name: '', value: threads === 1 ? 'index' : 'scan' },
    { capture: 'kernel', name: '', value: '6.1' },
  ];
  const session = levelsOf([100, 101], [90, 91]);
  expect(compareLevels({ ...session, factsOf }, { factor: 'threads', level: 1 }).facts).toEqual([
    { what: 'plan', baseline: 'index', other: 'scan', isEqual: false },
    { what: 'kernel', baseline: '6.1', other: '6.1', isEqual: true },
  ]);
  expect(compareLevels(session, { factor: 'threads', level: 1 })).not.toHaveProperty('facts');
});

describe('a session that is mechanics only', () => {
  const only = (of: ComparedSession): ComparedSession => ({
    result: of.result,
    detail: { ...of.detail, experiment: { ...of.detail.experiment, mechanics: 'only' } },
  });

  it('has no verdict on either side of a comparison, which is its first finding', () => {
    const found = compareSessions(one([100, 101, 99]), only(one([50, 51, 49])));
    expect(found.cells).toMatchObject([
      { verdict: 'too-few', sentence: 'No verdict: “Session 1” is a functional check only.', ratio: 0.5 },
    ]);
    expect(found.cells[0]).not.toHaveProperty('interval');
    expect(found.verdict).toBe('No verdict: “Session 1” is a functional check only.');
    expect(found).not.toHaveProperty('overall');
    expect(found.findings[0]).toMatchObject({ code: 'mechanics-only', severity: 'warn' });
  });

  it('has no verdict between its own levels', () => {
    const cells = levelsOf([100, 101, 99], [84, 83, 85]);
    const found = compareLevels(only(cells), { factor: 'threads', level: 1 });
    expect(found.cells[0]?.verdict).toBe('too-few');
    expect(found.findings[0]?.code).toBe('mechanics-only');
  });
});

describe('the verdict on interleaved cells of one session', () => {
  it('reports a clear loss as worse, with size and interval', () => {
    const cell = againstLevel([100, 101, 99], [84, 83, 85]);
    expect(cell?.verdict).toBe('worse');
    expect(cell?.ratio).toBeCloseTo(0.84, 3);
    expect(cell?.interval?.high).toBeLessThan(0.88);
    expect(cell?.sentence).toMatch(/^Lower by 16 %, 95 % interval 14 % to 18 %\.$/);
  });

  it('treats more as better for a rate and worse for a latency', () => {
    expect(againstLevel([100, 101, 99], [120, 121, 119])?.verdict).toBe('better');
    const latency = (...values: [number[], number[]]) => againstLevel(...values, { metric: 'latency_p95_ms' });
    expect(latency([10, 10.1, 9.9], [12, 12.1, 11.9])).toMatchObject({
      verdict: 'worse',
      sentence: expect.stringMatching(/^Higher by 20 %/),
    });
    expect(latency([10, 10.1, 9.9], [8, 8.1, 7.9])?.verdict).toBe('better');
  });

  it('reports metrics without a direction as higher or lower', () => {
    const rollbacks = (...values: [number[], number[]]) => againstLevel(...values, { metric: 'rollbacks_per_s' });
    expect(rollbacks([100, 101, 99], [120, 121, 119])?.verdict).toBe('higher');
    expect(rollbacks([100, 101, 99], [80, 81, 79])?.verdict).toBe('lower');
  });

  it('reports no difference only if the interval lies within the margin', () => {
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
        /^Inconclusive: 95 % interval −\d+ % to \+\d+ %\. Add 3 repeats of each to estimate the spread\.$/,
      ),
    });
  });

  it('estimates the additional repeats that would resolve an inconclusive verdict', () => {
    const cell = againstLevel([1000, 1040, 970, 1010], [1035, 990, 1050, 1000]);
    expect(cell).toMatchObject({ verdict: 'cannot-tell', more: expect.any(Number) });
    expect(cell?.sentence).toMatch(
      new RegExp(`About ${cell?.more} more repeats of each would resolve a difference of 3 %\\.$`),
    );
    expect(againstLevel([100, 101, 99], [84, 83, 85])?.more).toBeUndefined();
  });

  it('distinguishes a significant but negligible difference', () => {
    const cell = againstLevel([1000, 1001, 999, 1000], [1010, 1011, 1009, 1010]);
    expect(cell).toMatchObject({ verdict: 'too-small' });
    expect(cell?.sentence).toMatch(/^Higher by 1\.0 %, 95 % interval .*: a difference, but below the margin of 3 %\.$/);
    expect(againstLevel([100, 101, 99, 100], [103, 104, 102, 103])).toMatchObject({
      verdict: 'better',
      sentence: expect.stringMatching(/It may be below the margin of 3 %\.$/),
    });
  });

  it('is inconclusive for a ratio to zero', () => {
    expect(againstLevel([0, 0], [50, 51])).toMatchObject({
      verdict: 'cannot-tell',
      sentence: 'Inconclusive: a repeat measured zero, so there is no ratio.',
    });
  });

  it('needs two complete repeats on each side, but shows the ratio', () => {
    expect(againstLevel([100], [50, 51])).toMatchObject({ verdict: 'too-few', ratio: 0.505 });
    expect(againstLevel([100, 101], [50])?.interval).toBeUndefined();
  });

  it('names no cause if the cells were measured one after the other', () => {
    const listed = levelsOf([100, 101, 99], [84, 83, 85], { turns: false });
    const comparison = compareLevels(listed, { factor: 'threads', level: 1 });
    expect(comparison.cells[0]).toMatchObject({
      verdict: 'differ',
      sentence: expect.stringMatching(
        /^A difference between cells that were not interleaved: lower by 16 %.* Time may be the cause\.$/,
      ),
    });
    expect(comparison.verdict).toContain('effects of level and time cannot be separated');
  });

  it('pairs each cell with the one of otherwise equal levels', () => {
    const both = session({ threads: [1, 2], sync: ['off', 'on'] }, [[100], [90], [200], [150]]);
    const { cells, baseline } = compareLevels(both, { factor: 'sync', level: 'off' });
    expect(cells.map(({ levels, ratio }) => [levels, ratio])).toEqual([
      [{ threads: 1, sync: 'on' }, 0.9],
      [{ threads: 2, sync: 'on' }, 0.75],
    ]);
    expect(baseline).toMatchObject({ name: 'sync off' });
    expect(() => compareLevels(both, { factor: 'sync', level: 'never' })).toThrow(/No cell has sync never/);
  });

  it('compares all cells with any one of them, or with one of another session', () => {
    const both = session({ threads: [1, 2], sync: ['off', 'on'] }, [[100], [90], [200], [150]]);
    const { cells, baseline } = compareLevels(both, { cell: 1 });
    expect(cells.map(({ levels, baseline: one, ratio }) => [levels, one?.cell, ratio])).toEqual([
      [{ threads: 1, sync: 'off' }, 1, 100 / 90],
      [{ threads: 2, sync: 'off' }, 1, 200 / 90],
      [{ threads: 2, sync: 'on' }, 1, 150 / 90],
    ]);
    expect(baseline.name).toBe('threads 1 · sync on');
    const other = session({ threads: [8] }, [[45]]);
    expect(compareSessions(both, other, { cell: 1 }).cells.map(({ levels, ratio }) => [levels, ratio])).toEqual([
      [{ threads: 8 }, 0.5],
    ]);
    expect(compareSessions(both, other).cells.every(({ ratio }) => ratio === undefined)).toBe(true);
    expect(() => compareLevels(both, { cell: 4 })).toThrow(/There is no cell 5/);
  });
});

describe('the verdict on two single sessions', () => {
  it('applies to these two sessions only, whatever the intervals', () => {
    expect(compareOne([100, 101, 99], [84, 83, 85])).toMatchObject({
      verdict: 'differ',
      sentence: expect.stringMatching(
        /^A difference between these two sessions: lower by 16 %, 95 % interval 14 % to 18 %\. Time may be the cause\.$/,
      ),
    });
    expect(compareOne([1000, 1004, 996, 1002], [1003, 1006, 999, 1001])).toMatchObject({
      verdict: 'alike',
      sentence: expect.stringMatching(/^These two sessions are alike within 3 %, 95 % interval/),
    });
    expect(compareOne([100, 300], [250, 120])?.verdict).toBe('cannot-tell');
    expect(compareOne([0], [50])?.ratio).toBeUndefined();
  });

  it('names the side without a result', () => {
    expect(compareOne([], [50, 51])).toMatchObject({
      verdict: 'missing',
      sentence: 'No result in the baseline.',
    });
    expect(compareOne([50, 51], [])?.sentence).toBe('No result in the other session.');
    expect(compareOne([], [])?.sentence).toBe('Neither session has a result here.');
  });
});

describe('the verdict on several sessions per side', () => {
  /** Each session measured its one cell three times, quietly, at its own level. */
  const at = (id: number, rate: number): ComparedSession => {
    const quiet = session({ threads: [1] }, [[rate, rate * 1.001, rate * 0.999]], { id });
    const { detail } = quiet;
    return { ...quiet, detail: { ...detail, session: { ...detail.session, createdAt: id } } };
  };
  it('counts each session as one figure', () => {
    const noise = compareSessions([at(1, 1000), at(3, 1060), at(5, 960)], [at(2, 1050), at(4, 1010), at(6, 1080)]);
    expect(noise.basis).toBe('sessions');
    expect(noise.baseline.name).toBe('Session 1, Session 3, Session 5 (3 sessions)');
    expect(noise.cells[0]).toMatchObject({ verdict: 'cannot-tell' });
    const clear = compareSessions([at(1, 1000), at(3, 1010), at(5, 990)], [at(2, 1300), at(4, 1310), at(6, 1290)]);
    expect(clear.cells[0]).toMatchObject({ verdict: 'better', ratio: expect.closeTo(1.3, 3) });
    expect(clear.verdict).toBe(
      'Compared with the baseline, session by session: better in 1 of 1 cell compared by transactions.',
    );
  });
  it('names no cause if one side was measured completely before the other', () => {
    const after = compareSessions([at(1, 1000), at(2, 1010), at(3, 990)], [at(4, 1300), at(5, 1310), at(6, 1290)]);
    expect(after.cells[0]?.verdict).toBe('differ');
  });
  it('needs two sessions on each side', () => {
    expect(compareSessions([at(1, 1000)], [at(2, 1000), at(3, 1000)])).toMatchObject({
      verdict: 'Two or more sessions per side are needed to confirm a difference.',
      cells: [{ verdict: 'too-few' }],
    });
  });
});

describe('where the load was the limit', () => {
  const QUIET = [1, 1.001, 0.999];
  const LIMIT = { ...{ verdict: 'generator-cpu' as const, sentence: 'load1 was full.', evidence: [] }, runId: 1 };
  /** Two settings at two loads, in turns, of which the second is faster by 31 %. `full`: cells whose generator was at its limit. */
  function settings(full: readonly number[], id = 1): ComparedSession {
    const rates = [100, 400, 131, 524].map((rate) => QUIET.map((noise) => rate * noise));
    const both = session({ sync: ['safe', 'off'], threads: [1, 8] }, rates, { id });
    const cells = both.result.cells.map((cell, index) => {
      const bound = full.includes(index) ? { ...LIMIT, runs: 3, of: 3 } : undefined;
      const trials = QUIET.map((_, round) => round * 4 + index);
      return { ...cell, trials, ...(bound && { bound }), ...caveatsOf({ ...cell, bound }) };
    });
    const detail = { ...both.detail, session: { ...both.detail.session, createdAt: id } };
    return { detail, result: { ...both.result, cells } };
  }
  const against = (full: readonly number[]) => compareLevels(settings(full), { factor: 'sync', level: 'safe' });

  it('gives no verdict on a difference that shows the load, and proposes no repeats', () => {
    const full = against([0, 1, 2, 3]);
    expect(full.verdict).toBe(
      'Undetermined, because the load generator was the limit, in 2 of 2 cells compared by transactions.',
    );
    expect(full.cells.map(({ verdict }) => verdict)).toEqual(['cannot-tell', 'cannot-tell']);
    expect(full.cells[0]?.sentence).toMatch(
      /^Undetermined, because the load generator was the limit: ×1\.31 \(×1\.3\d? – ×1\.3\d\) measured\.$/,
    );
    expect(repeatsOf(full)).toBeUndefined();
    expect(full.overall?.sentence).toBe('No overall ratio: the load generator was the limit in 2 of 2 cells.');
  });

  it('keeps those of the cells at which it was none', () => {
    expect(against([1, 3]).verdict).toBe(
      'Compared with the baseline: better in 1, undetermined in 1 of 2 cells compared by transactions. Where it is undetermined, the load generator was the limit.',
    );
    expect(against([]).verdict).toBe('Compared with the baseline: better in 2 of 2 cells compared by transactions.');
  });

  it('gives the least difference where it was the limit of the better side alone, and none where of the slower', () => {
    expect(against([2, 3]).verdict).toBe(
      'Compared with the baseline: better in 2 of 2 cells compared by transactions. In 2: the difference is at least that large, because the load generator was the limit of the better side.',
    );
    expect(against([2]).cells[0]).toMatchObject({
      verdict: 'better',
      sentence: expect.stringMatching(
        /^Higher by 31 %.* because the load generator was the limit of the better side\.$/,
      ),
    });
    expect(against([0, 1]).cells.map(({ verdict }) => verdict)).toEqual(['cannot-tell', 'cannot-tell']);
  });

  it('names the limit of two sessions, and of several a side if it was the limit of most', () => {
    const [full, free] = [settings([0, 1, 2, 3]), settings([])];
    expect(compareSessions(full, free).verdict).toMatch(
      /^Undetermined, because the load generator was the limit, in 4 of 4/,
    );
    expect(compareSessions(free, free).verdict).toMatch(/^These two sessions: alike within 3 % in 4 of 4 cells/);
    const at = (id: number, limited: readonly number[]) => settings(limited, id);
    const several = compareSessions([at(1, [0]), at(3, [0]), at(5, [])], [at(2, []), at(4, [0]), at(6, [])]);
    expect(several.cells.map(({ verdict }) => verdict)).toEqual([
      ...['cannot-tell', 'no-difference', 'no-difference', 'no-difference'],
    ]);
  });

  it('takes a full server, disk or lock for what a setting changes', () => {
    const free = settings([]);
    const cells = free.result.cells.map((cell) => {
      const bound = { ...LIMIT, runs: 3, of: 3, verdict: 'disk' as const };
      return { ...cell, bound, ...caveatsOf({ ...cell, bound }) };
    });
    const disk = { ...free, result: { ...free.result, cells } };
    expect(compareLevels(disk, { factor: 'sync', level: 'safe' }).verdict).toContain('better in 2 of 2 cells');
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
          'Transactions of “Session 1” drifts by −11 % from the first to the last trial, 99 % interval −14 % to −8.0 %.',
      },
    ]);
  });
});

describe('pairs of cells', () => {
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

  it('have equal levels in any order; the others stay alone', () => {
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

  it('pair every cell of a session with more factors with the one cell of the other', () => {
    const varied = session({ sync: ['OFF', 'FULL'], threads: [1] }, two);
    expect(meetingsOf(session({ threads: [1] }, [[100, 101]]), varied)).toEqual([
      [{ threads: 1, sync: 'OFF' }, 100, 100],
      [{ threads: 1, sync: 'FULL' }, 100, 200],
    ]);
  });

  it('treat a fixed option as a level: only the cell with that value is paired', () => {
    const fixed = session({}, [[210, 211]], { fixed: { threads: 2 } });
    expect(meetingsOf(session({ threads: [1, 2] }, two), fixed)).toEqual([
      [{ threads: 1 }, 100, null],
      [{ threads: 2 }, 200, 210],
    ]);
  });

  it('are none if each session varies a factor that the other lacks', () => {
    const comparison = compareSessions(session({ a: [1, 2] }, two), session({ b: [1, 2] }, two));
    expect(comparison.cells.map((cell) => cell.verdict)).toEqual(['missing', 'missing', 'missing', 'missing']);
    expect(comparison.cells[0]?.sentence).toBe('No matching cell in the other session.');
    expect(comparison.verdict).toBe('The two sessions have no measured cells in common.');
  });
});

describe('the whole comparison', () => {
  it('counts verdicts in one sentence', () => {
    const means = (factor: number) =>
      [100, 200, 300].map((value) => [0.99, 1, 1.01].map((part) => value * part * factor));
    const factors = { threads: [1, 2, 3] };
    const other = means(1.2);
    other[2] = [305, 297, 301];
    expect(compareSessions(session(factors, means(1)), session(factors, other)).verdict).toBe(
      'These two sessions: different in 2, alike within 3 % in 1 of 3 cells compared by transactions. With one session per side, effects of set-up and time cannot be separated.',
    );
    const single = [[100], [200], [300]];
    expect(compareSessions(session(factors, single), session(factors, single)).verdict).toBe(
      'Both sides need more complete repeats to confirm a difference.',
    );
  });

  it('lists differences only', () => {
    const server = (value: string, started = 'by systemd (mysql.service)') => ({
      target: {
        name: 'db',
        kind: 'mysql',
        server: { host: 'db-1', started },
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
    const shell = session({ threads: [1] }, [[1, 2]], {
      fixed: { tables: 4 },
      detail: server('1', 'by own commands'),
    });
    expect(compareSessions(a, shell).differences).toEqual([
      { what: 'Server started', baseline: 'by systemd (mysql.service)', other: 'by own commands' },
    ]);
    const from = (...names: string[]) =>
      session({ threads: [1] }, [[1, 2]], { detail: { hosts: names.map((name) => ({ name })) } });
    expect(compareSessions(from('a'), from('a', 'b')).differences).toEqual([
      { what: 'Generator 2', baseline: '–', other: 'b' },
    ]);
    expect(compareSessions(a, a).metrics).toEqual(['tps', 'qps']);
  });
});

describe('warnings of a comparison', () => {
  type Facts = NonNullable<ComparedSession['workload']>;
  const workload = (options: Record<string, string> = {}, rest: Partial<Facts> = {}): Facts => ({
    options: new Map(
      Object.entries({ script: 'oltp', 'skip-trx': 'off', ...options }).map(([name, value]) => [
        name,
        { title: name, value },
      ]),
    ),
    ...rest,
  });
  const of = (detail: Partial<SessionDetail>, rest: Partial<ComparedSession> = {}): ComparedSession => ({
    ...session({ threads: [1] }, [[1, 2]], { detail }),
    workload: workload(),
    ...rest,
  });
  const findings = (a: ComparedSession, b: ComparedSession) => compareSessions(a, b).findings;
  const codes = (a: ComparedSession, b: ComparedSession) => findings(a, b).map(({ code }) => code);
  const server = (
    version: string,
    settings: Record<string, string> = {},
    dataBytes?: number,
  ): Partial<SessionDetail> => ({
    target: {
      ...{ name: 'db', kind: 'mysql' },
      description: {
        ...{ product: 'MySQL', version, readAt: 0 },
        settings: Object.entries(settings).map(([name, value]) => ({ name, value, why: 'It matters.' })),
        ...(dataBytes !== undefined && { dataBytes }),
      },
    },
  });

  it('are none if everything is equal', () => {
    expect(codes(of({}), of({}))).toEqual([]);
    expect(codes(of(server('8.0', { a: '1' }, 1000)), of(server('8.0', { a: '1' }, 1050)))).toEqual([]);
    const safe = { level: 'safe', why: 'It waits.' } as const;
    const kept = { durability: () => safe, workload: workload({}, { data: '4 tables', accesses: 'uniform' }) };
    expect(codes(of({}, kept), of({}, kept))).toEqual([]);
  });

  it('name differing tools, versions, machines and durations', () => {
    const cpu = (cpuModel: string) =>
      ({ hosts: [{ name: 'g', facts: { cpuCount: 4, cpuModel, disks: [] } }] }) as unknown as Partial<SessionDetail>;
    expect(codes(of({}), of({ toolVersion: '1.0.18' }))).toEqual(['different-tool-versions']);
    expect(codes(of(cpu('A')), of(cpu('B')))).toEqual(['different-generators']);
    const embedded = of({ session: { id: 2, name: 'x', tool: 'embedded' } as SessionDetail['session'] });
    expect(codes(of({}), embedded)).toEqual(['different-tools']);
    const long = experimentOf({ threads: [1] });
    long.measure.duration = 60;
    expect(codes(of({}), of({ experiment: long }))).toEqual(['different-durations']);
  });

  it('name differing warm-ups', () => {
    const cut = (warmup: number): ComparedSession => {
      const whole = of({});
      return { ...whole, result: { ...whole.result, warmup } };
    };
    expect(codes(cut(10), cut(10))).toEqual([]);
    expect(findings(cut(10), cut(60))).toMatchObject([
      {
        ...{ code: 'different-warm-ups', severity: 'warn' },
        message: 'The warm-up differs: the first 10 s and 1 min of each run are excluded.',
      },
    ]);
  });

  it('name differing scripts, options and distributions', () => {
    expect(findings(of({}), of({}, { workload: workload({ script: 'reads' }) }))).toMatchObject([
      { code: 'different-workloads', message: 'The workload differs in script (oltp and reads).' },
    ]);
    expect(findings(of({}), of({}, { workload: workload({ 'skip-trx': 'on' }) }))).toMatchObject([
      { code: 'different-workloads', message: 'The workload differs in skip-trx (off and on).' },
    ]);
    const long = of({}, { workload: workload({ script: 'SELECT 1;\nSELECT 2;' }) });
    expect(findings(of({}), long)[0]?.message).toBe('The workload differs in script.');
    const drawn = (accesses: string) => of({}, { workload: workload({}, { accesses }) });
    expect(findings(drawn('uniform'), drawn('special'))).toMatchObject([
      { code: 'different-distributions', message: 'Access distributions differ: uniform, and special.' },
    ]);
  });

  it('omit an option that one of the sessions varies', () => {
    const varied = session({ script: ['oltp', 'reads'] }, [
      [1, 2],
      [3, 4],
    ]);
    expect(codes(of({}), { ...varied, workload: workload({ script: 'reads' }) })).toEqual([]);
  });

  it('name differing servers and data', () => {
    expect(findings(of(server('5.7.44')), of(server('8.0.36')))).toMatchObject([
      { code: 'different-servers', message: 'The server differs: MySQL 5.7.44 and MySQL 8.0.36.' },
    ]);
    expect(findings(of(server('8.0', {}, 2 ** 30)), of(server('8.0', {}, 4 * 2 ** 30)))).toMatchObject([
      { code: 'different-data', message: 'Data differs: 1.00 GiB and 4.00 GiB in the database.' },
    ]);
    const data = (words: string) => of({}, { workload: workload({}, { data: words }) });
    expect(findings(data('4 tables × 10,000 rows'), data('4 tables × 1,000,000 rows'))).toMatchObject([
      { message: 'Data differs: 4 tables × 10,000 rows, and 4 tables × 1,000,000 rows.' },
    ]);
  });

  it('summarize several differences before each of them', () => {
    const [one] = findings(
      of(server('5.7.44', { sync_binlog: '1' })),
      of(server('8.0.36', { sync_binlog: '0' }), { workload: workload({ 'skip-trx': 'on' }) }),
    );
    expect(one).toMatchObject({
      ...{ code: 'several-differences', severity: 'warn' },
      message: '3 things differ at once: server, sync_binlog, skip-trx.',
    });
    expect(codes(of(server('8.0', { a: '1' })), of(server('8.0', { a: '2' })))).toEqual([]);
  });

  it('name differing durability of sessions and of cells', () => {
    const at = (level: 'safe' | 'unsafe' | 'unknown', why: string) => of({}, { durability: () => ({ level, why }) });
    expect(findings(at('safe', 'It waits.'), at('unsafe', 'MyISAM has no log.'))).toMatchObject([
      {
        ...{ code: 'different-durability', severity: 'warn' },
        message:
          'Durability differs: safe in the baseline, unsafe in the other. Baseline: It waits. Other: MyISAM has no log.',
      },
    ]);
    expect(codes(at('safe', 'It waits.'), at('unknown', 'Not reported.'))).toEqual(['different-durability']);
    expect(codes(at('unsafe', 'One.'), at('unsafe', 'Another.'))).toEqual([]);
    const engines = session({ engine: ['InnoDB', 'XtraDB', 'MyISAM'] }, [
      [100, 101],
      [200, 201],
      [300, 301],
    ]);
    const kept: ComparedSession = {
      ...engines,
      durability: ({ engine }) => ({ level: engine === 'MyISAM' ? 'unsafe' : 'safe', why: `${engine}.` }),
    };
    expect(compareLevels(kept, { factor: 'engine', level: 'InnoDB' }).findings).toMatchObject([
      {
        code: 'different-durability',
        message: expect.stringContaining('differs in 1 cell: safe in the baseline, unsafe in engine MyISAM.'),
      },
    ]);
  });
});

describe('errors in a comparison', () => {
  const SECONDS = 60;
  /** A session whose one cell had these numbers of failures in its repeats. */
  const failing = (events: number[], rates: number[] = events.map((_, index) => 1000 + index)): ComparedSession => {
    const whole = one(rates);
    const cells = whole.result.cells.map((cell) => ({
      ...cell,
      errors: events.reduce((sum, each) => sum + each, 0),
      failures: events.map((each) => ({ events: each, seconds: SECONDS })),
    }));
    return { ...whole, result: { ...whole.result, cells } };
  };

  it('are a finding from 0 to 500 per second with one repeat each', () => {
    const { cells, findings } = compareSessions(failing([0]), failing([30_000]));
    expect(findings).toMatchObject([
      {
        ...{ code: 'errors-differ', severity: 'warn' },
        message: 'Errors differ in 1 cell: threads 1 from 0 to 500 per s.',
      },
    ]);
    expect(cells[0]?.sentence).toMatch(/Errors: none in the baseline, 30,000 errors \(500 per s\) here\.$/);
  });

  it('are named without a verdict if indistinguishable, and not at all if there are none', () => {
    expect(compareSessions(failing([2, 0]), failing([1, 3])).findings).toMatchObject([
      { code: 'errors-compared', severity: 'note', message: 'Errors in 1 compared cell: threads 1.' },
    ]);
    const none = compareSessions(failing([0, 0]), failing([0, 0]));
    expect(none.findings).toEqual([]);
    expect(none.cells[0]?.sentence).not.toContain('Errors');
  });

  it('of several sessions per side count once per session', () => {
    const at = (createdAt: number, events: number[]): ComparedSession => {
      const whole = failing(events);
      return { ...whole, detail: { ...whole.detail, session: { ...whole.detail.session, createdAt } } };
    };
    // Three sessions differ as much among themselves as the sides do; 30 runs would suggest otherwise.
    const many = (events: number): number[] => new Array(10).fill(events);
    const sides = (...events: number[]) => events.map((each, index) => at(index, many(each)));
    const noise = compareSessions(sides(100, 900, 300), sides(2000, 200, 800));
    expect(noise.findings.map(({ code }) => code)).toEqual(['errors-compared']);
    expect(compareSessions(sides(10, 12, 11), sides(900, 950, 920)).findings.map(({ code }) => code)).toEqual([
      'errors-differ',
    ]);
  });

  /** A metric of events per second, in runs of a minute. */
  const counted = (metric: string, baseline: number[], other: number[], turns = true) => {
    const whole = levelsOf(baseline, other, { metric, turns });
    const cells = whole.result.cells.map((cell) => ({
      ...cell,
      runs: cell.means.map((mean, repeat) => {
        const spread = spreadOf(new Float64Array(SECONDS).fill(mean));
        return { runId: repeat, repeat, state: 'done' as const, partial: false, errors: 0, ...(spread && { spread }) };
      }),
    }));
    return compareLevels({ ...whole, result: { ...whole.result, cells } }, { factor: 'threads', level: 1 }).cells[0];
  };

  it('as a metric are judged by counts if there is no ratio', () => {
    expect(counted('errors_per_s', [0, 0], [500, 510])).toMatchObject({
      verdict: 'worse',
      sentence: 'Higher, from 0.00 to 505.00 per s: event counts show it without more repeats.',
    });
    expect(counted('errors_per_s', [500, 510], [0, 0])?.verdict).toBe('better');
    expect(counted('errors_per_s', [0], [500])).toMatchObject({
      verdict: 'differ',
      sentence: expect.stringContaining('from 0.00 to 500.00 per s'),
    });
    expect(counted('errors_per_s', [0, 0], [0, 0.05])?.verdict).toBe('cannot-tell');
    expect(counted('errors_per_s', [0, 0], [0, 0])).toMatchObject({
      ...{ verdict: 'cannot-tell', sentence: 'Both sides are zero, so there is nothing to compare.' },
    });
  });

  it('that are expected, such as rollbacks, are higher or lower, never worse or better', () => {
    expect(counted('rollbacks_per_s', [0, 0], [500, 510])?.verdict).toBe('higher');
    expect(counted('rollbacks_per_s', [500, 510], [0, 0])?.verdict).toBe('lower');
  });
});

describe('figures without a verdict', () => {
  it('are those of failed or partial runs', () => {
    const whole = one([]);
    const spread = spreadOf(Float64Array.from([500, 501]));
    const cells = whole.result.cells.map((cell) => ({
      ...cell,
      ...{ partial: true, ...caveatsOf({ ...cell, partial: true }) },
      value: 500.5,
      ...(spread && { spread }),
    }));
    const early = { ...whole, result: { ...whole.result, cells } };
    expect(compareSessions(one([100, 101]), early).cells[0]).toMatchObject({
      verdict: 'too-few',
      sentence: 'No verdict: the figure of the other side includes runs that failed or ended early.',
    });
  });

  it('are those of two repeats with an inconclusive difference', () => {
    const open = againstLevel([100, 1000], [150, 1200]);
    expect(open).toMatchObject({
      verdict: 'cannot-tell',
      sentence: expect.stringMatching(
        /^Inconclusive, because there are too few repeats: the ratio may be anything from below ×0\.1 to above ×10\. Add 3 repeats of each to estimate the spread\.$/,
      ),
    });
    expect(open?.interval?.high).toBeGreaterThan(100);
  });
});

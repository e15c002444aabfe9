import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../../shared/model/result.ts';
import { stepOf } from '../../../shared/model/settling.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../../engine/figures/testing/measured.ts';
import { openStore } from '../../engine/store/open.ts';
import { libraryFolder } from '../../engine/store/testing/library.ts';
import { commandOn, withoutProgress } from '../testing/here.ts';

const SEED = 20_263;
const [WARMUP, SECONDS, REPEATS] = [10, 60, 3];
const THREADS = [1, 2, 4, 8, 16, 32];

let folder: ReturnType<typeof libraryFolder>;
let ladder: number;
let slower: number;
let faulty: number;
let pinned: number;

/** Stores a ladder with 1 % noise. `truth`: its throughput by threads and second of a run. */
function ladderOf(truth: (threads: number, second: number) => number, rest: Partial<Measured> = {}): number {
  const random = randomFrom(SEED);
  const factors = { threads: THREADS };
  const plain = experimentOf(factors);
  const experiment = { ...plain, measure: { ...plain.measure, warmup: WARMUP, duration: SECONDS } };
  const cells = cellsOf(factors);
  const runs = Array.from({ length: REPEATS }, (_, repeat) => repeat).flatMap((repeat) =>
    cells.map(({ index, levels }) => ({
      ...{ cell: index, repeat, ...rest },
      seconds: {
        tps: Array.from(
          { length: WARMUP + SECONDS },
          (_, second) => truth(Number(levels.threads), second + 1) * (1 + 0.02 * (random() - 0.5)),
        ),
      },
    })),
  );
  const store = openStore(folder.path);
  const id = storeSession(store, cells, runs, experiment);
  store.close();
  return id;
}

/** Marks all cells at and beyond the knee as limited by one core of the generator. */
function boundByOneCore(sessionId: number): void {
  const store = openStore(folder.path);
  const bound = { share: 1, evidence: [{ source: 'load1', id: 'proc.sysbench.cpu', value: 100, unit: '%' }] };
  for (const { id, levels } of store.runs.ofSession(sessionId))
    store.judgements.set(id, {
      ...{ version: 1, warmup: WARMUP, operations: [] },
      bound: {
        ...{ ...bound, runnersUp: [], notWatched: [] },
        ...(Number(levels.threads) >= 8
          ? { verdict: 'generator-core', sentence: 'sysbench on load1 used all of one core.' }
          : { verdict: 'cpu', sentence: 'CPU of db1 at its limit.' }),
      },
    });
  store.sessions.update(sessionId, {
    cost: { label: 'db', currency: 'USD', components: [{ kind: 'own', label: 'Server', amount: 1, per: 'hour' }] },
  });
  store.close();
}

const capped = (threads: number): number => 1000 * Math.min(threads, 8);

beforeAll(() => {
  folder = libraryFolder();
  ladder = ladderOf(capped);
  slower = ladderOf((threads, second) => 0.8 * capped(threads) * (second <= 20 ? 0.5 : 1));
  pinned = ladderOf(capped);
  boundByOneCore(pinned);
  faulty = ladderOf(capped, { summary: { ignored_errors_total: 35_000 } });
});
afterAll(() => folder.remove());

const kneepoint = (...args: string[]) => commandOn(folder.path, args);
const outputOf = async (...args: (string | number)[]): Promise<string> => {
  const { code, stdout, stderr } = await kneepoint(...args.map(String));
  expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe('kneepoint exclude and include', () => {
  it('remove a trial from table, files and verdicts with a reason, and restore it', async () => {
    const id = ladderOf(capped);
    expect(await outputOf('exclude', id, '--trial', 2, '--reason', 'its link was cut')).toBe(
      'Trial 2 (threads 2): Excluded: its link was cut.\n',
    );
    const shown = await outputOf('show', id);
    expect(shown).toMatch(/1 run excluded \(trial 2: its link was cut\)/);
    expect(shown).toMatch(/^Trial 2 \(threads 2\) Excluded: its link was cut\.$/m);
    expect(await outputOf('compare', id, '--against', 'threads=1')).toContain(
      '1 run excluded (trial 2: its link was cut).',
    );
    const cells = await outputOf('export', id, '--format', 'csv-cells', '--output', '-');
    expect(cells.split('\r\n').filter((line) => line.includes('1 run excluded (trial 2')).length).toBeGreaterThan(0);
    expect(cells.split('\r\n')[0]).toContain(',partial,excluded,');
    expect(await outputOf('include', id, '--trial', 2)).toBe('Trial 2 (threads 2): it counts.\n');
    const refused = await kneepoint('exclude', String(id), '--trial', '99', '--reason', 'x');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('and no trial 99.') });
  });
});

describe('kneepoint resume and stop', () => {
  /** A session with all trials measured and a setting that cannot be restored. */
  function withSettingLeft(state: 'paused' | 'stopped'): number {
    const id = ladderOf(capped);
    const store = openStore(folder.path);
    store.sessions.update(id, { state, startedAt: 1, ...(state === 'stopped' && { endedAt: 2 }) });
    store.journal.write({
      ...{ sessionId: id, runId: null, place: { kind: 'host', name: 'this computer' }, what: 'vm.swappiness' },
      ...{ oldValue: '60', wanted: '1', writtenAt: 1 },
      undo: { kind: 'put-back', changer: 'none', first: { value: '60' } },
    });
    store.close();
    return id;
  }

  it('exit with 1 and list settings that could not be restored', async () => {
    for (const [command, state] of [
      ['resume', 'paused'],
      ['stop', 'paused'],
      ['stop', 'stopped'],
    ] as const) {
      const id = withSettingLeft(state);
      const { code, stderr } = await kneepoint(command, String(id));
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toContain('Not restored: vm.swappiness of host this computer, which was 60.');
      expect(stderr).toContain(`Restore it with: kneepoint restore ${id}`);
    }
    const { stdout } = await kneepoint('restore', '--give-up', 'this computer');
    expect(stdout).toContain('kept as is  host this computer  vm.swappiness was 60');
    expect((await kneepoint('restore')).code).toBe(0);
  });
});

it('kneepoint target place keeps a server with unrestored settings until its name is typed', async () => {
  const store = openStore(folder.path);
  const place = { host: 'this computer', control: { kind: 'none' as const } };
  const config = { address: '127.0.0.1', port: 1, user: 'u', database: 'd' };
  store.targets.insert({ name: 'shop', kind: 'mysql', via: null, config, server: place }, 1);
  store.journal.write({
    ...{ sessionId: null, runId: null, place: { kind: 'server', name: 'shop' }, what: 'sync_binlog' },
    ...{ oldValue: '1', wanted: '0', writtenAt: 1 },
    undo: { kind: 'put-back', changer: 'none', first: { value: '1' } },
  });
  store.close();
  for (const given of [[], ['--give-up', 'this computer']]) {
    const { code, stderr } = await kneepoint('target', 'place', 'shop', '--unknown', ...given);
    expect({ given, code }).toEqual({ given, code: 2 });
    expect(stderr).toContain('sync_binlog (was “1”, set to “0”)');
    expect(stderr).toContain('Or type “shop” to keep the changes');
  }
  expect(await kneepoint('target', 'place', 'shop', '--unknown', '--give-up', 'shop')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The server host of “shop” is now unknown.'),
  });
  expect((await kneepoint('restore')).code).toBe(0);
});

describe('kneepoint check and plan', () => {
  it('print the same warnings as the page', async () => {
    const document = path.join(folder.path, 'warned.yaml');
    writeFileSync(
      document,
      'kneepoint: 1\nname: W\nworkload: { tool: embedded }\nwhere: { generators: [this computer] }\nmeasure: { repeats: 2, order: listed, seeds: fixed }\n',
    );
    for (const command of ['check', 'plan'])
      expect(await outputOf(command, document)).toMatch(
        /^warn: All trials, including those of later sessions, use the same random values/m,
      );
  });
});

describe(`kneepoint show, seed ${SEED}`, () => {
  it('prints the knee', async () => {
    expect(await outputOf('show', ladder)).toMatch(/^Knee at threads 8: throughput there is within the noise/m);
  });

  it('reports figures that had not settled, and applies a warm-up cut', async () => {
    expect(await outputOf('show', slower)).toMatch(/^warn: .*(changes by|had not settled)/m);
    const cut = await outputOf('show', slower, '--warmup', 20);
    expect(cut).not.toMatch(/changes by|had not settled/);
    expect(cut).toContain('Figures exclude the first 20 s of each run, which differs from the plan.');
  });

  it('prints each warning of the runs once', async () => {
    const store = openStore(folder.path);
    for (const { id } of store.runs.ofSession(faulty).slice(0, 3))
      store.runs.update(id, {
        findings: [{ code: 'few-connections', severity: 'warn', message: 'The server refused 3 connections.' }],
      });
    store.close();
    const shown = await outputOf('show', faulty);
    expect(shown.match(/^warn: The server refused 3 connections\. Also in 2 more runs\.$/gm)).toHaveLength(1);
  });

  it('prints the recovery time first if the session has no load', async () => {
    const plain = experimentOf({});
    const watching = { ...plain, workload: { ...plain.workload, tool: 'observation' } };
    const store = openStore(folder.path);
    const id = storeSession(store, cellsOf({}), [{ cell: 0, seconds: {} }], watching);
    for (const run of store.runs.ofSession(id))
      store.runs.update(run.id, {
        findings: [
          {
            ...{ code: 'scenario-effect', severity: 'note', message: 'Second 20: The server is killed. It fell.' },
            recovery: { at: 20, event: 'The server is killed.', seconds: 7.92 },
          },
        ],
      });
    store.close();
    expect(await outputOf('show', id)).toMatch(
      /\n\nTime to recover: 7\.9 s\. Second 20: The server is killed\.\nNo load/,
    );
  });

  it('shows errors next to the best cell and in a line of their own', async () => {
    const shown = await outputOf('show', faulty);
    expect(shown).toMatch(/threads (8|16|32) had 105,000 errors \(500 per s\)\./);
    expect(shown).toMatch(/^Errors: threads 1, 105,000 errors \(500 per s\); .*; and 2 more cells\.$/m);
  });
});

describe('a result limited by the generator', () => {
  const words = 'limited by one core of the load generator, not by the system under test';

  it('is marked next to the best cell, in the table of cells, and in the findings', async () => {
    const shown = await outputOf('show', pinned);
    expect(shown).toMatch(new RegExp(`threads (8|16|32) was ${words}\\.`));
    expect(shown.split('\n').filter((line) => line.startsWith('threads') && line.endsWith(words))).toHaveLength(3);
    expect(shown).toMatch(new RegExp(`^warn: 3 cells of 6 were ${words}: threads 8, threads 16, threads 32\\.`, 'm'));
    expect(await outputOf('show', ladder)).not.toContain('limited by');
  });

  it('is marked at the best cell in the list of sessions', async () => {
    const [head = '', ...lines] = (await outputOf('sessions')).split('\n');
    expect(head).toContain('warning');
    expect(lines.filter((line) => line.includes(words)).map((line) => Number(line.trim().split(/\s/)[0]))).toEqual([
      pinned,
    ]);
  });

  it('is marked in costs, for each cell and each saved configuration', async () => {
    const priced = await outputOf('cost', '--session', pinned);
    expect(priced.split('\n').filter((line) => line.endsWith(words))).toHaveLength(3);
    await outputOf('cost', '--own', 'Server,1,hour', '--save', 'one');
    const saved = await outputOf('cost', '--saved', '--session', pinned);
    expect(saved).toContain('Limited by one core of the load generator, not by the system under test.');
    const { value } = JSON.parse(await outputOf('cost', '--session', pinned, '--json'));
    expect(value.scales[0].rows.map(({ bound }: { bound: { verdict: string } }) => bound.verdict).sort()).toEqual([
      ...['cpu', 'cpu', 'cpu', 'generator-core', 'generator-core', 'generator-core'],
    ]);
  });

  it('is marked in a comparison and in its CSV of cells', async () => {
    expect(await outputOf('compare', ladder, pinned)).toContain('sysbench on load1 used all of one core.');
    const [head = '', ...lines] = (await outputOf('export', pinned, '--format', 'csv-cells', '--output', '-'))
      .trim()
      .split('\r\n');
    const place = head.split(',').indexOf('bound_by');
    const tps = lines.filter((line) => line.split(',').includes('tps'));
    expect(tps.map((line) => line.split(',')[place])).toEqual([
      ...['cpu', 'cpu', 'cpu', 'generator-core', 'generator-core', 'generator-core'],
    ]);
  });
});

describe('ratios to a baseline on the command line', () => {
  it('match Compare, in the table and in a file', async () => {
    expect(await outputOf('show', ladder)).not.toContain('verdict against');
    const shown = await outputOf('show', ladder, '--baseline', 'threads=8');
    expect(shown).toContain('verdict against threads 8');
    const compared = JSON.parse(await outputOf('compare', ladder, '--against', 'threads=8', '--json'));
    const file = JSON.parse(
      await outputOf('export', ladder, '--format', 'json', '--baseline', 'threads=8', '--output', '-'),
    );
    const ratios = ({ cells }: { cells: { ratio: number; sentence: string }[] }) =>
      cells.map(({ ratio, sentence }) => ({ ratio, sentence }));
    expect(ratios(file.results[0].ratios[0])).toEqual(ratios(compared));
    for (const { sentence } of ratios(compared)) expect(shown).toContain(sentence);
  });

  it('are refused for a level that is not in the session', async () => {
    const { code, stderr } = await kneepoint('show', String(ladder), '--baseline', 'threads=3');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/not “threads=3”\. The session has: threads=1, threads=2/),
    });
  });
});

describe('kneepoint export', () => {
  it('writes knee, steadiness and errors of each cell', async () => {
    const cells = async (id: number) => {
      const [head = '', ...lines] = (await outputOf('export', id, '--format', 'csv-cells', '--output', '-'))
        .trim()
        .split('\r\n');
      const names = head.split(',');
      return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index], value])));
    };
    expect((await cells(faulty))[0]).toMatchObject({
      ...{ knee_verdict: 'found', knee: '8', steadiness: 'settled', errors: '105000', errors_per_second: '500' },
    });
    expect((await cells(slower)).every(({ steadiness }) => steadiness !== 'settled')).toBe(true);
  });
});

describe('kneepoint compare', () => {
  it('applies a metric, a margin and a warm-up cut, and prints the cut', async () => {
    const planned = await outputOf('compare', ladder, slower);
    expect(planned).toContain('Figures after 10 s of each run.');
    const cut = await outputOf('compare', ladder, slower, '--warmup', 20, '--margin', 30, '--metric', 'tps');
    expect(cut).toContain('Figures after 20 s of each run.');
    expect(cut).toContain('alike within 30 % in 6 of 6 cells compared by transactions');
    const ratios = async (...args: (string | number)[]): Promise<number[]> =>
      (JSON.parse(await outputOf('compare', ladder, slower, '--json', ...args)) as Comparison).cells.map(({ ratio }) =>
        Number(ratio?.toFixed(2)),
      );
    expect(await ratios('--warmup', 20)).toEqual(THREADS.map(() => 0.8));
    // 10 of 60 seconds at half the rate.
    expect(await ratios()).toEqual(THREADS.map(() => Number((0.8 * (55 / 60)).toFixed(2))));
  });

  it('compares the cells of a session with those of one of its levels', async () => {
    const levels = await outputOf('compare', ladder, '--against', 'threads=8');
    expect(levels).toContain('threads 8');
    expect(levels).toMatch(/threads 32 .*No difference of 3 % or more/);
    expect(levels).toMatch(/threads 1 .*Lower by 8\d %/);
  });

  it('prints the overall ratio, or the reason for its absence', async () => {
    expect(await outputOf('compare', ladder, slower, '--warmup', 20)).toMatch(
      /^Overall ×0\.80 \(−20 %\), 95 % interval ×0\.80 – ×0\.80: geometric mean of 6 cells, which lie between /m,
    );
    expect(await outputOf('compare', ladder, faulty)).toMatch(/^No overall ratio: error rates differ\.$/m);
  });

  it('prints how many repeats would resolve an inconclusive verdict, with the command to add them', async () => {
    const text = await outputOf('compare', ladder, '--against', 'threads=8', '--margin', '0.1');
    expect(text).toMatch(/About \d+ more repeats? of each would resolve a difference of 0\.1 %\./);
    const all = Number(/^About (\d+) more repeats? of /m.exec(text)?.[1]);
    const { repeats, isWhole } = stepOf({ repeats: all });
    expect(text).toMatch(
      new RegExp(
        `^About ${all} more repeats? of .* would resolve .*${isWhole ? '' : `; the first ${repeats} would narrow the interval`}.* Add them: kneepoint repeat ${ladder} --add ${repeats} --cell `,
        'm',
      ),
    );
  });

  it('refuses inconsistent options of repeat', async () => {
    const refused = async (...args: string[]) => (await kneepoint('repeat', String(ladder), ...args)).stderr;
    expect(await refused('--cell', '1')).toMatch(/--cell requires --add/);
    expect(await refused('--add', '2', '--trial', '1')).toMatch(/Use either --add or --trial/);
    expect(await refused('--add', 'x')).toMatch(/number of repeats/);
  });

  it('prints warnings before the figures', async () => {
    const text = await outputOf('compare', ladder, faulty);
    expect(text).toMatch(/^warn: Errors differ in 6 cells: threads 1 from 0 to 500 per s, /m);
    expect(text.indexOf('Errors differ')).toBeLessThan(text.indexOf('ratio'));
    expect(text).toContain('Errors: none in the baseline, 105,000 errors (500 per s) here.');
  });

  it.each([
    [['--margin', '0'], /--margin takes a percentage above 0/],
    [['--warmup', '-1'], /--warmup takes the seconds .*not “-1”/],
    [['--metric', 'qps'], /The two sessions share no samples of “qps”\. Measured: tps\./],
  ])('refuses %j', async (options, sentence) => {
    const { code, stderr } = await kneepoint('compare', String(ladder), String(slower), ...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
  });

  it('refuses a single session without a level, and an unknown level', async () => {
    expect((await kneepoint('compare', String(ladder))).stderr).toMatch(/--against threads=1/);
    expect((await kneepoint('compare', String(ladder), '--against', 'threads=3')).stderr).toMatch(
      /No cell has threads 3/,
    );
  });
});

describe('kneepoint charts', () => {
  it('lists the charts of a session and prints the data of one', async () => {
    expect(await outputOf('charts', ladder)).toMatch(/has no charts: its document defines none/);
    const id = ladderOf(capped);
    const store = openStore(folder.path);
    store.sessions.keepCharts(id, [
      { kind: 'density' },
      { kind: 'bars', title: 'Two levels', against: { threads: 1 }, only: { threads: [1, 8] } },
      { kind: 'dots', only: { threads: [2] } },
    ]);
    store.close();
    expect(await outputOf('charts', id)).toMatch(/^ *2 +bars +Two levels +the displayed metric +added$/m);
    const [head, ...lines] = (await outputOf('charts', id, '--chart', 2, '--csv')).trim().split('\r\n');
    expect(head).toMatch(/^threads,"?Transactions \(tps\), ratio to threads 1"?,low,high$/);
    const [threads, ratio, low, high] = (lines[0] ?? '').split(',').map(Number);
    expect([lines.length, threads, Math.round(ratio ?? 0)]).toEqual([1, 8, 8]);
    expect(low).toBeLessThan(8);
    expect(high).toBeGreaterThan(8);
    const dots = await outputOf('charts', id, '--chart', 3, '--csv');
    expect(dots.trim().split('\r\n')).toHaveLength(1 + REPEATS * SECONDS);
    const refused = await kneepoint('charts', String(id), '--chart', '9');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('a number from 1 to 3') });
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricName } from '../../shared/metrics/index.ts';
import type { Comparison, SessionResult } from '../../shared/model/result.ts';
import type { Run, Session } from '../../shared/model/session.ts';
import { atNight } from '../../shared/util/testing/depth.ts';
import { type Answer, small, Terminal, toolPid } from './testing/cli.ts';

interface Outcome {
  session: Session;
  runs: Run[];
  result: SessionResult;
}

/** A formula of the tool's metrics, a series of a command, and a series of the host per operation. */
const MEASURES = `
monitors: { commands: [{ name: dice, command: 'while :; do echo eyes 4; sleep 1; done', pattern: 'eyes (?<eyes>\\d+)' }] }
derived:
  - { name: each thread, is: ops / level(threads) }
  - { name: eyes, of: command dice, series: eyes, take: median }
  - { name: busy for each, unit: '%', is: host.cpu.busy / operations }
`;

let terminal: Terminal;
beforeAll(() => {
  terminal = new Terminal();
});
afterAll(() => terminal.close());

const seconds = (runs: readonly Run[]) => runs.map((run) => run.seconds);

describe('kneepoint run and later commands', () => {
  /** Seconds of each trial, including its warm-up. */
  const ASKED = 4;
  let first: Answer;
  let second: Answer;
  beforeAll(async () => {
    const file = terminal.write('small.yaml', `${small({ measure: '{ warmup: 1, duration: 2 }' })}${MEASURES}`);
    first = await terminal.start(['run', file, '--set', 'threads=1,2', '--duration', '3', '--json']).answer;
    second = await terminal.start(['run', file, '--set', 'threads=1']).answer;
  });

  it('measures every cell for the requested seconds and exits with 0', () => {
    expect(first.code, first.stderr).toBe(0);
    const { session, runs, result } = first.json<Outcome>();
    expect(session).toMatchObject({ id: 1, state: 'done', trialsEnded: 2, trialsFailed: 0 });
    expect(runs.map((run) => Math.floor(run.seconds / ASKED))).toEqual([1, 1]);
    expect(result.cells.map((cell) => [cell.levels, cell.spread?.n])).toEqual([
      [{ threads: 1 }, 3],
      [{ threads: 2 }, 3],
    ]);
    expect(first.stderr).toMatch(/Session 1: Small\. 2 trials, about .*\n/);
    expect(first.stderr).toContain('Trial 1 (threads 1) starts.\n');
    expect(first.stderr).toMatch(/Session 1 is done\.\n$/);
  });

  it('shows its measures as figures, by name', async () => {
    const { runs } = first.json<Outcome>();
    const shown = await terminal.run('show', '1', '--metric', 'each thread', '--json');
    const { cells, metrics } = shown.json<Outcome>().result;
    const rates = first.json<Outcome>().result.cells.map(({ value = Number.NaN }) => value);
    expect(cells.map(({ value }) => value)).toEqual([rates[0], (rates[1] as number) / 2]);
    expect(cells.map(({ runs: of }) => of.map(({ runId }) => runId))).toEqual(runs.map(({ id }) => [id]));
    expect(metrics.map(metricName)).toEqual(expect.arrayContaining(['ops', 'eyes', 'each thread', 'busy for each']));
    const eyes = await terminal.run('show', '1', '--metric', 'eyes', '--json');
    expect(eyes.json<Outcome>().result.cells.map(({ value }) => value)).toEqual([4, 4]);
    const unknown = await terminal.run('show', '1', '--metric', 'nothing');
    expect(unknown.stderr).toMatch(/no samples of “nothing”\. Measured: ops, .*each thread/);
    const csv = (await terminal.run('export', '1', '--format', 'csv-cells', '--output', '-')).stdout;
    expect(csv).toMatch(/^1,2,2,busy for each,%,1,/m);
    const [head] = (await terminal.run('export', '1', '--format', 'csv', '--output', '-')).stdout.split('\r\n');
    expect(head).toMatch(/,each thread,/);
    expect(head).not.toMatch(/,eyes\b/);
  });

  it('adds a measure afterwards and removes it again', async () => {
    const added = await terminal.run('measures', '1', '--name', 'rest', '--is', 'ops - each_thread', '--unit', 'ops/s');
    expect(added.code, added.stderr).toBe(0);
    expect(added.stdout).toMatch(
      /^rest +ops\/s +neither +added +ops - each_thread; each_thread = ops \/ level\(threads\)$/m,
    );
    const shown = (await terminal.run('show', '1', '--metric', 'rest', '--json')).json<Outcome>().result;
    const rates = first.json<Outcome>().result.cells.map(({ value = Number.NaN }) => value);
    expect(shown.cells.map(({ value }) => value)).toEqual([0, (rates[1] as number) / 2]);
    for (const [args, sentence] of [
      [['--name', 'rest'], 'A measure takes either --is or --series.'],
      [['--name', 'rest', '--is', 'ops +'], 'The formula ends where a value is expected.'],
      [['--remove', 'eyes'], 'No measure named “eyes” was added to session 1. Added: rest.'],
    ] as const) {
      const { code, stderr } = await terminal.run('measures', '1', ...args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
    }
    const removed = await terminal.run('measures', '1', '--remove', 'rest', '--json');
    expect(removed.json<{ name: string }[]>().map(({ name }) => name)).not.toContain('rest');
  });

  it('ends with the answer and the table of cells', () => {
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^threads 1: .* ops\/s\.\n\ncell .* mean ops\/s /),
    });
  });

  it('has the same figures after its raw output is read again', async () => {
    const { result } = first.json<Outcome>();
    const again = await terminal.run('reingest', '1');
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Trial 1 \(threads 1\) done: 4 seconds re-parsed\.$/m),
    });
    expect((await terminal.run('show', '1', '--json')).json<Outcome>().result).toEqual(result);
    expect((await terminal.run('reingest', '1', '--trial', '9')).stderr).toMatch(
      /Session 1 has 2 trials, and no trial 9/,
    );
  });

  it('is listed and shown with the same figures', async () => {
    const { result } = first.json<Outcome>();
    const shown = (await terminal.run('show', '1', '--json')).json<Outcome>();
    expect(shown.result).toEqual(result);
    const listed = (await terminal.run('sessions', '--json')).json<Session[]>();
    expect(listed.map((session) => session.id)).toEqual([2, 1]);
    expect(listed[1]?.best?.value).toBeCloseTo(result.best?.value ?? 0, 6);
    const text = (await terminal.run('show', '1')).stdout;
    // A tool that is part of the app has the app's version.
    expect(text).toMatch(/^embedded \d+\.\d+\.\d+ from /m);
    for (const cell of result.cells) expect(text).toContain(Math.round(cell.value ?? 0).toLocaleString('en-US'));
    const latency = (await terminal.run('show', '1', '--metric', 'latency_p95_ms', '--json')).json<Outcome>();
    expect(latency.result.metric).toBe('latency_p95_ms');
    // The kind of a percentile is shown below its table, and in the CSV.
    const percentile = await terminal.run('show', '1', '--metric', 'latency_p95_ms');
    expect(percentile.stdout).toMatch(/^cell .* percentile ms .*$/m);
    expect(percentile.stdout).toMatch(/^Percentile: (over all events|reported by the tool)/m);
    const stalled = await terminal.run('show', '1', '--metric', 'stalled_pct');
    expect(stalled).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cell .* mean % /m) });
    const least = await terminal.run('show', '1', '--metric', 'latency_min_ms');
    expect(least).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/at the end of each trial.*\ncell .* latency_min_ms ms\nthreads 1 /),
    });
    expect((await terminal.run('show', '1', '--metric', 'tps')).stderr).toMatch(
      /no samples of “tps”\. Measured: ops, /,
    );
  });

  it('is compared, cell by cell', async () => {
    const comparison = (await terminal.run('compare', '1', '2', '--json')).json<Comparison>();
    expect(comparison.cells.map((cell) => [cell.levels, cell.verdict])).toEqual([
      [{ threads: 1 }, 'too-few'],
      [{ threads: 2 }, 'missing'],
    ]);
    expect(comparison.differences).toContainEqual({ what: 'Duration (s)', baseline: '3', other: '2' });
    const text = (await terminal.run('compare', '1', '2')).stdout;
    expect(text).toContain(comparison.verdict);
    expect(text).toContain('warn: Run lengths differ');
  });

  it('is priced with the catalogue and with custom items', async () => {
    const found = (await terminal.run('cost', '--search', 'm5.large us-east', '--json')).json<
      { id: string; perHour: number }[]
    >();
    const [instance] = found;
    if (!instance) throw new Error('The catalogue has no m5.large.');
    const args = ['--session', '1', '--instance', `${instance.id},2`, '--own', 'Licence,0.5,hour'];
    const priced = (await terminal.run('cost', ...args, '--json')).json<{
      cost: { perHour: number };
      value: { scales: { rows: { rate: number; operationsPerDollar: number; percent: number }[] }[]; left: [] };
    }>();
    expect(priced.cost.perHour).toBeCloseTo(2 * instance.perHour + 0.5, 6);
    const [scale, ...others] = priced.value.scales;
    expect([others, priced.value.left]).toEqual([[], []]);
    for (const row of scale?.rows ?? [])
      expect(row.operationsPerDollar / ((row.rate * 3600) / priced.cost.perHour)).toBeCloseTo(1, 6);
    expect(scale?.rows[0]?.percent).toBe(100);
    const text = (await terminal.run('cost', '--session', '1')).stdout;
    expect(text).toMatch(/^Total .*\n\n.*USD per million operations +Operations per USD/m);
    await terminal.run('cost', '--save', 'one', '--instance', instance.id);
    await terminal.run('cost', '--save', 'rack', '--own', 'rack,1,hour');
    // 1 per hour, compared with the price of the instance.
    const comparison = (await terminal.run('cost', '--use', 'rack', '--against', 'one', '--json')).json<{
      breakEven: { ratio: number; dearer: string };
    }>();
    expect(comparison.breakEven).toMatchObject({ dearer: 'other', ratio: expect.closeTo(1 / instance.perHour, 6) });
    expect((await terminal.run('cost', '--use', 'rack', '--against', 'one')).stdout).toContain('worth its price at');
    const saved = (await terminal.run('cost', '--saved', '--session', '1')).stdout.split('\n');
    expect(saved.slice(0, 3).map((line) => line.split(/ {2,}/)[0])).toEqual(['configuration', 'one', 'rack']);
    expect((await terminal.run('cost', '--use', 'rack')).stdout).toContain('$1.00');
    await terminal.run('cost', '--remove', 'rack');
    expect((await terminal.run('cost', '--saved')).stdout).not.toContain('rack');
  });

  it('is exported in every format with the figures of the table', async () => {
    const { result } = first.json<Outcome>();
    const stdout = async (format: string) =>
      (await terminal.run('export', '1', '--format', format, '--output', '-')).stdout;
    const cells = (await stdout('csv-cells')).trim().split('\r\n');
    expect(cells[1]?.split(',').slice(0, 8)).toEqual([
      '1',
      '1',
      '1',
      'ops',
      'ops/s',
      '1',
      '3',
      String(result.cells[0]?.value),
    ]);
    const [head = [], ...rows] = cells.map((line) => line.split(','));
    const columnOf = (name: string) => head.indexOf(name);
    const p95 = rows.find((row) => row[columnOf('metric')] === 'latency_p95_ms');
    expect(p95?.[columnOf('value_is')]).toBe('percentile');
    expect(p95?.[columnOf('value_from')]).toMatch(/^(histogram of all events|the tool’s own figure)/);
    expect(p95?.[columnOf('mean')]).toBe('');
    expect(rows.some((row) => row[columnOf('metric')] === 'stalled_pct')).toBe(true);
    const [names = [], ...samples] = (await stdout('csv'))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const [run, second] = [names.indexOf('run'), names.indexOf('second')];
    for (const { id } of first.json<Outcome>().runs) {
      const seconds = samples.filter((row) => row[run] === String(id)).map((row) => Number(row[second]));
      // On a busy machine, the last operations end shortly after the last second, which adds a line for a partial second.
      expect(seconds.filter((at) => at <= ASKED)).toEqual(Array.from({ length: ASKED }, (_, index) => index + 1));
      expect(seconds.length).toBeLessThanOrEqual(ASKED + 1);
    }
    expect((JSON.parse(await stdout('json')) as { results: SessionResult[] }).results[0]).toEqual(result);

    const written = await terminal.start(['export', '1', '--format', 'csv', '--json']).answer;
    const { file, bytes } = written.json<{ file: string; bytes: number }>();
    expect(readFileSync(path.join(terminal.folder, file))).toHaveLength(bytes);
    const nowhere = await terminal.run('export', '1', '--format', 'csv', '--output', '/nowhere/x.csv');
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be written: no such/) });
  });

  it('is written as a PDF that opens', async () => {
    const file = path.join(terminal.folder, 'report.pdf');
    const { code, stderr } = await terminal.run(
      'export',
      '2',
      '--format',
      'pdf',
      '--compare-with',
      '1',
      '--output',
      file,
    );
    expect(code, stderr).toBe(0);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
    // From Debian's poppler-utils.
    if (existsSync('/usr/bin/pdftotext')) {
      const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
      for (const part of [
        'Small',
        'Compared with “Small”',
        'Over time',
        'Set-up',
        'How to reproduce',
        'tool: embedded',
      ])
        expect(text).toContain(part);
    }
  });
});

it('adds repeats and levels to an ended session', async () => {
  const file = terminal.write('added.yaml', small({ measure: '{ warmup: 0, duration: 1 }' }));
  const { session } = (await terminal.run('run', file, '--set', 'threads=1,2', '--json')).json<Outcome>();
  const answer = await terminal.run('repeat', `${session.id}`, '--add', '1', '--cell', '2', '--json');
  expect(answer.code, answer.stderr).toBe(0);
  expect(answer.stderr).toContain(`Adding 1 repeat to 1 cell of session ${session.id}: Small.`);
  const { runs, result } = answer.json<Outcome>();
  expect(runs.map(({ cell, repeat, state }) => [cell, repeat, state])).toEqual([
    [0, 0, 'done'],
    [1, 0, 'done'],
    [1, 1, 'done'],
  ]);
  expect(result.cells.map(({ means }) => means.length)).toEqual([1, 2]);

  const more = await terminal.run('levels', `${session.id}`, 'threads', '4', '--beside', '1', '--json');
  expect(more.code, more.stderr).toBe(0);
  expect(more.stderr).toContain(`Adding 1 cell to session ${session.id}: Small. 2 trials.`);
  expect(more.json<Outcome>().result.cells.map(({ levels, means }) => [levels.threads, means.length])).toEqual([
    [1, 2],
    [2, 2],
    [4, 1],
  ]);
  const again = await terminal.run('levels', `${session.id}`, 'threads', '4');
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('4 is already a level of “threads”.');
});

it('quickstart ends with a session and a report next to the library', async () => {
  const few = ['threads=1', 'synchronous=OFF', 'records=1000', 'rate=200'].flatMap((set) => ['--set', set]);
  const { code, stderr } = await terminal.run('quickstart', '--duration', '1', ...few);
  expect(code, stderr).toBe(0);
  const [, report = ''] = /Its report: (.*\.pdf)\n/.exec(stderr) ?? [];
  expect(path.dirname(report)).toBe(path.join(terminal.data, 'reports'));
  expect(readFileSync(report).subarray(0, 5).toString()).toBe('%PDF-');
});

describe('a run that fails', () => {
  it('exits with 1, keeps the measured data, and prints the reason', async () => {
    const before = new Set(terminal.jobs());
    const file = terminal.write('long.yaml', small({ factors: '[]', measure: '{ duration: 60 }' }));
    const running = terminal.start(['run', file, '--json']);
    await running.untilOutput(/Trial 1 .*starts/);
    const job = await jobStartedSince(before);
    await until(() => hasSecond(job));
    process.kill(toolPid(job), 'SIGKILL');
    const answer = await running.answer;
    expect(answer.code).toBe(1);
    expect(answer.stderr).toMatch(/Trial 1 failed: \S/);
    const [run] = answer.json<Outcome>().runs;
    expect(run).toMatchObject({ state: 'failed', partial: true });
    expect(run?.seconds).toBeGreaterThanOrEqual(1);
  });
});

describe('an interrupted run', () => {
  /** Seconds of each trial; the run is detached during the first one. */
  const SECONDS = 8;
  const document = (threads: readonly number[]) =>
    terminal.write(
      'interrupted.yaml',
      small({
        name: 'Interrupted',
        factors: `[{ name: threads, levels: [${threads}] }]`,
        measure: `{ duration: ${SECONDS} }`,
      }),
    );

  it('continues after Ctrl+C, and resume finishes it without missing a second', async () => {
    const before = new Set(terminal.jobs());
    const running = terminal.start(['run', document([1])]);
    const [, id = ''] = await running.untilOutput(/Session (\d+): Interrupted/);
    await running.untilOutput(/Trial 1 \(threads 1\) starts/);
    const job = await jobStartedSince(before);
    running.child.kill('SIGINT');
    const letGo = await running.answer;
    expect(letGo).toMatchObject({ code: 1, signal: null });
    expect(letGo.stderr).toContain(
      `Detached from session ${id}. Jobs on its hosts keep running; continue with: kneepoint resume ${id}`,
    );
    // The job was not requested to end.
    expect(existsSync(path.join(job, 'cause.none'))).toBe(true);
    await finishes(1, before, id, ['resume', '--json']);
  });

  atNight(it)('survives SIGKILL: resume attaches to the same job, with no data lost and no second launch', async () => {
    const before = new Set(terminal.jobs());
    const running = terminal.start(['run', document([1, 2])]);
    const [, id = ''] = await running.untilOutput(/Session (\d+): Interrupted/);
    await running.untilOutput(/Trial 1 \(threads 1\) starts/);
    const job = await jobStartedSince(before);
    await until(() => hasSecond(job));
    running.child.kill('SIGKILL');
    expect((await running.answer).signal).toBe('SIGKILL');
    await finishes(2, before, id, ['resume', id, '--json']);
  });

  /** Continues to the end, and checks that each trial ran once and has each second once. */
  async function finishes(
    trials: number,
    before: ReadonlySet<string>,
    id: string,
    args: readonly string[],
  ): Promise<void> {
    const resumed = await terminal.start(args).answer;
    expect(resumed.code, resumed.stderr).toBe(0);
    const { session, runs } = resumed.json<Outcome>();
    expect(session).toMatchObject({ id: Number(id), state: 'done', trialsEnded: trials });
    expect(seconds(runs)).toEqual(Array.from({ length: trials }, () => SECONDS));
    expect(terminal.jobs().filter((job) => !before.has(job))).toHaveLength(trials);
    const csv = (await terminal.run('export', id, '--format', 'csv', '--output', '-')).stdout;
    const lines = csv.trim().split('\r\n');
    const [head = '', ...rows] = lines.map((line) => line.split(','));
    const at = (name: string) => head.indexOf(name);
    const found = rows.map((row) => `${row[at('run')]} ${Math.round(Number(row[at('second')]))}`);
    expect(new Set(found).size).toBe(trials * SECONDS);
    expect(rows.map((row) => Math.round(Number(row[at('second')])))).toEqual(
      Array.from({ length: trials }, () => Array.from({ length: SECONDS }, (_, second) => second + 1)).flat(),
    );
    const again = await terminal.run('resume', id);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Session ${id} is done and cannot be continued`),
    });
  }
});

/** The only new job folder, once its tool runs. */
async function jobStartedSince(before: ReadonlySet<string>): Promise<string> {
  let found: string | undefined;
  await until(() => {
    found = terminal.jobs().find((job) => !before.has(job) && existsSync(path.join(job, 'tool')));
    return found !== undefined;
  });
  return found as unknown as string;
}

/** Whether a job's tool has reported its first second. */
const hasSecond = (job: string): boolean =>
  existsSync(path.join(job, 'stdout')) && /"kind":"interval"/.test(readFileSync(path.join(job, 'stdout'), 'utf8'));

/** Polls until the condition is true; the test's own time limit ends it otherwise. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

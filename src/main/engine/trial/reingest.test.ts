import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/open.ts';
import type { RunRow, Store } from '../store/store.ts';
import { addRuns, libraryFolder } from '../store/testing/library.ts';
import { TOOLS } from '../tools/index.ts';
import { OneByOne } from '../watching/context.ts';
import { rejudge } from '../watching/judged.ts';
import { IndexRecorder, RunRecorder } from './recorder.ts';
import { reingest } from './reingest.ts';

const OUTPUT = readFileSync(
  fileURLToPath(new URL('../tools/sysbench/fixtures/v1.0/mariadb-ps-t16/stdout.txt', import.meta.url)),
);
const sysbench = TOOLS.find(({ id }) => id === 'sysbench') as (typeof TOOLS)[number];

const nothing = { version: 1, findings: [], isStill: () => true };

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let context: Parameters<typeof reingest>[0];
let run: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path, { mode: 'test' });
  const clock = { now: () => 5, monotonic: () => 5 };
  context = { store, tools: TOOLS, clock, judge: async () => nothing, judgings: new OneByOne() };
  [run = 0] = addRuns(store, 2);
  const options = sysbench.options.parse({});
  const recorder = new RunRecorder({
    store,
    runId: run,
    generator: 0,
    makeParser: (to) => sysbench.parser('run', options, to),
  });
  recorder.push('stdout', 0, OUTPUT);
  const { summary } = recorder.finish({ code: 0 });
  const jobs = [{ host: 'this computer', jobId: 'j' }];
  store.runs.update(run, { state: 'done', summary, jobs, exit: { code: 0 }, startedAt: 1 });
  store.samples.seal(run);
});
afterEach(() => {
  store.close();
  folder.remove();
});

const seriesOf = () => store.samples.metrics(run).map((metric) => store.samples.series(run, metric));
const row = (): RunRow => store.runs.get(run) as RunRow;

it('creates the same samples and figures from the raw output', async () => {
  const before = { series: seriesOf(), summary: row().summary };
  expect(before.series.length).toBeGreaterThan(3);
  store.samples.clearSamples(run);
  expect(seriesOf()).toEqual([]);
  const after = await reingest(context, row());
  expect(after).toMatchObject({ state: 'done', partial: false, summary: before.summary });
  expect(seriesOf()).toEqual(before.series);
  expect(store.events.ofSession(after.sessionId, ['log'], 0, 10).map(({ message }) => message)).toEqual([
    `Trial 1 was re-parsed from its raw output: ${store.samples.count(run, 0)} samples.`,
  ]);
});

it('places second 0 of the tool again by the stored index', async () => {
  const second = (t: number): number => OUTPUT.indexOf('\n', OUTPUT.indexOf(`[ ${t}s ]`)) + 1;
  expect(second(5)).toBeGreaterThan(second(4));
  const index = new IndexRecorder(store, run, 0);
  for (let at = 0; at < 8; at += 1.1) {
    const written = Array.from({ length: 5 }, (_, place) => place + 1).findLast((t) => t + 0.305 <= at);
    const size = written === undefined ? 0 : second(written);
    index.push(Buffer.from(`${(1_700_000_000 + at).toFixed(2)} ${(500 + at).toFixed(2)} ${size} 0\n`));
  }
  index.flush();
  store.runs.update(run, { jobs: [{ host: 'this computer', jobId: 'j', zero: { hostMs: 1, errorMs: 1 } }] });
  const { zero } = (await reingest(context, row())).jobs[0] ?? {};
  expect(zero?.errorMs).toBeLessThan(600);
  expect(Math.abs((zero?.hostMs ?? 0) - 1_700_000_000_300)).toBeLessThanOrEqual(zero?.errorMs ?? 0);
  expect(store.runs.get(run)?.jobs[0]?.zero).toEqual(zero);
});

it('replaces findings from monitoring and keeps those of the trial', async () => {
  const effect = (message: string) => ({ code: 'scenario-effect', severity: 'note', message }) as const;
  const own = { code: 'overlapping-load', severity: 'warn', message: 'Beside another trial.' } as const;
  store.runs.update(run, { findings: [own, { ...effect('Told of the samples of before.'), from: 'watching' }] });
  const again = [{ ...effect('Told anew.'), from: 'watching' as const }];
  const judgedBy = (judge: typeof context.judge) => rejudge({ ...context, judge }, row());
  const judged = async () => ({ ...nothing, findings: again });
  const { findings: first } = await judgedBy(judged);
  const { findings: second } = await judgedBy(judged);
  expect(first).toEqual([own, ...again]);
  expect(second).toEqual(first);
  store.runs.update(run, { findings: [effect('Told by the trial.')] });
  expect((await judgedBy(async () => nothing)).findings).toEqual([effect('Told by the trial.')]);
  let tries = 0;
  const overtaken = async () => {
    tries += 1;
    const now = tries;
    return {
      version: 1,
      findings: [effect(`By price ${now}.`)].map((each) => ({ ...each, from: 'watching' as const })),
      isStill: () => now === 2,
    };
  };
  const { findings: last } = await judgedBy(overtaken);
  expect(last.map(({ message }) => message)).toEqual(['Told by the trial.', 'By price 2.']);
  store.runs.update(run, { findings: [effect('Told by the trial.')] });
  const failing = () => Promise.reject(new Error('Cannot be judged.'));
  await expect(judgedBy(failing)).rejects.toThrow('Cannot be judged.');
  expect(row().findings).toEqual([effect('Told by the trial.')]);
});

describe('a trial that is being judged', () => {
  /** Reports how many samples it saw, once it is released. */
  function judgingBySteps() {
    const held: (() => void)[] = [];
    const judge = (): ReturnType<typeof context.judge> => {
      const message = `${store.samples.count(run, 0)} samples.`;
      const findings = [{ code: 'hot-core', severity: 'note', message, from: 'watching' } as const];
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push(resolve);
      return promise.then(() => ({ ...nothing, findings }));
    };
    /** Releases the judging with this number, starting at 0, as soon as it has begun. */
    const goOn = async (number: number): Promise<void> => {
      await expect.poll(() => held.length).toBeGreaterThan(number);
      held[number]?.();
    };
    return { with: { ...context, judge }, goOn, begun: () => held.length };
  }
  const messages = () => row().findings.map(({ message }) => message);

  it('gets no findings about its samples from before it was read again', async () => {
    const whole = store.samples.count(run, 0);
    store.samples.clearSamples(run);
    const steps = judgingBySteps();
    const before = rejudge(steps.with, row());
    await expect.poll(steps.begun).toBe(1);
    const again = reingest(steps.with, row());
    await steps.goOn(0);
    // It notices that the run has changed, and judges once more.
    await steps.goOn(1);
    expect((await before).findings.map(({ message }) => message)).toEqual([`${whole} samples.`]);
    await steps.goOn(2);
    await again;
    expect(messages()).toEqual([`${whole} samples.`]);
    expect(steps.begun()).toBe(3);
  });

  it('is judged by the next request after that', async () => {
    const whole = store.samples.count(run, 0);
    store.samples.clearSamples(run);
    const steps = judgingBySteps();
    const early = rejudge(steps.with, row());
    await expect.poll(steps.begun).toBe(1);
    store.samples.ingest({
      ...{ runId: run, generator: 0, stream: 'stdout', offset: OUTPUT.length, bytes: new Uint8Array(0) },
      samples: [{ t: 1, metrics: { tps: 5 } }],
    });
    const late = rejudge(steps.with, row());
    expect(steps.begun()).toBe(1);
    await steps.goOn(0);
    await early;
    expect(messages()).toEqual(['0 samples.']);
    await steps.goOn(1);
    await late;
    expect(messages()).toEqual(['1 samples.']);
    expect(whole).toBeGreaterThan(1);
  });

  it('is left without a judgement when the app is closed meanwhile, and judged after the next start', async () => {
    const closing = new AbortController();
    const steps = judgingBySteps();
    const again = reingest(steps.with, row(), closing.signal);
    closing.abort();
    await steps.goOn(0);
    await expect(again).rejects.toThrow();
    expect(store.judgements.version(run)).toBeUndefined();
    expect(messages()).toEqual([]);
  });
});

it('judges a trial again that a parser had classified as failed, and keeps findings of the engine', async () => {
  const found = { code: 'overlapping-load', severity: 'warn', message: 'Beside another trial.' } as const;
  const wrong = { code: 'unparsed-output', severity: 'note', message: '3 lines.' } as const;
  store.runs.update(run, {
    state: 'failed',
    message: 'No summary.',
    partial: true,
    summary: {},
    findings: [found, wrong],
  });
  const after = await reingest(context, row());
  expect(after).toMatchObject({ state: 'done', message: null, partial: false, findings: [found] });
  expect(after.summary).not.toEqual({});
  expect(store.sessions.get(after.sessionId)).toMatchObject({ trialsEnded: 1, trialsFailed: 0 });
});

it('keeps the state of a trial that the user ended', async () => {
  store.runs.update(run, { state: 'stopped', message: 'Stopped by user.', partial: true });
  expect(await reingest(context, row())).toMatchObject({
    state: 'stopped',
    message: 'Stopped by user.',
    partial: true,
  });
});

it('keeps the reason why the supervisor ended a trial, which is not in the output', async () => {
  const cause = { code: 'host-disk-full', severity: 'error', message: 'The disk is full.' } as const;
  const broken = OUTPUT.subarray(0, OUTPUT.length / 2);
  const [, second = 0] = store.runs.ofSession(row().sessionId).map(({ id }) => id);
  store.samples.ingest({ runId: second, generator: 0, stream: 'stdout', offset: 0, bytes: broken, samples: [] });
  const ended = { state: 'failed', message: 'The disk is full.', partial: true, exit: { code: 143 } } as const;
  const failed = store.runs.update(second, { ...ended, findings: [cause], startedAt: 1 });
  const after = await reingest(context, failed);
  expect(after).toMatchObject({ state: 'failed', message: 'The disk is full.' });
  // Findings of the output itself follow, as when the trial was recorded: its end, and that its last line was cut.
  expect(after.findings.map(({ code }) => code)).toEqual(['host-disk-full', 'killed-by-signal', 'unparsed-output']);
  expect(after.findings[0]).toEqual(cause);
  expect(store.samples.count(second, 0)).toBeGreaterThan(0);
});

it('refuses a trial whose tool was never started, and leaves it unchanged', async () => {
  const [, second = 0] = store.runs.ofSession(row().sessionId).map(({ id }) => id);
  const finding = { code: 'tool-missing', severity: 'error', message: 'There is no sysbench.' } as const;
  const refused = store.runs.update(second, { state: 'failed', message: 'There is no sysbench.', findings: [finding] });
  await expect(reingest(context, refused)).rejects.toThrow(/has no raw output/);
  expect(store.runs.get(second)).toEqual(refused);
});

it('changes nothing of a trial that is being recorded', async () => {
  store.runs.update(run, { state: 'running' });
  const before = seriesOf();
  await expect(reingest(context, row())).rejects.toThrow(/has not ended/);
  expect(seriesOf()).toEqual(before);
});

it('keeps everything unchanged if the output cannot be read', async () => {
  const before = seriesOf();
  const broken = {
    ...context,
    tools: TOOLS.map((tool) => (tool.id === 'sysbench' ? { ...tool, parser: refuse } : tool)),
  };
  await expect(reingest(broken, row())).rejects.toThrow('broken parser');
  expect(seriesOf()).toEqual(before);
});

const refuse = (): never => {
  throw new Error('broken parser');
};

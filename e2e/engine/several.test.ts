import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { integrity } from '../../scripts/test/integrity.ts';
import { expectSame, expectSameBytes } from '../../scripts/test/recorded.ts';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { toolFindings } from './testing/session.ts';
import { document, NAMES, SeveralBed } from './testing/several-bed.ts';

/** Programs that the scripts of a job need on a host. */
const NEEDED = 'sh bash env setsid cat chmod date dd grep id ls mkdir mv rm rmdir sleep tail tr'.split(' ');
const HOUR_MS = 3_600_000;

let bed: SeveralBed;
beforeAll(async () => {
  bed = await SeveralBed.start();
}, 300_000);
afterAll(() => bed?.close());
// The previous test may have killed it.
beforeEach(() => bed.open());

const totalOf = (output: Buffer): number => Number(/transactions:\s+(\d+)/.exec(output.toString())?.[1]);

async function expectSums(run: Run, generators: number): Promise<void> {
  const series = await bed.client.results.series({ runIds: [run.id], metrics: ['tps'] });
  const [whole, ...each] = series;
  expect(whole?.generator).toBeNull();
  expect(each.map(({ generator }) => generator)).toEqual(Array.from({ length: generators }, (_, index) => index));
  const starts = (run.generators ?? []).map(({ startedAt }) => startedAt ?? Number.NaN);
  const shifts = starts.map((start) => (start - Math.min(...starts)) / 1000);
  whole?.t.forEach((second, index) => {
    const values = each.map(({ t, v }, at) => v[t.findIndex((own) => Math.round(own + (shifts[at] ?? 0)) === second)]);
    const sum = values.reduce((total, value) => (total ?? 0) + (value ?? Number.NaN), 0) ?? 0;
    integrity(`sum of all generators in second ${second}`, () => expect(whole.v[index]).toBeCloseTo(sum, 6));
  });
  expect(whole?.t.length).toBeGreaterThanOrEqual(2);
}

it('divides the load, starts together, sums seconds and shows each generator', async () => {
  const text = document(['gen1', 'gen2'], 3, 5);
  const checked = await bed.client.experiments.check({ text });
  expect(checked.problems).toEqual([]);
  expect(checked.plan?.findings.map(({ code }) => code)).toContain('load-divided');
  const shown = checked.commands?.[0] ?? '';
  expect(shown).toMatch(/^# gen1\n.*--threads=2 .*--rand-seed=\d+ run\n# gen2\n.*--threads=1 .*--rand-seed=\d+ run$/s);
  const [first = 0, second = 0] = [...shown.matchAll(/--rand-seed=(\d+)/g)].map(([, seed]) => Number(seed));
  expect(second).toBe(first + 1);

  const run = await bed.trial(text);
  expect([run.state, run.partial], run.message).toEqual(['done', false]);
  const outputs = NAMES.slice(0, 2).map((name) => bed.outputsOf(name));
  // One launch on each host; the stored output is that of its tool.
  expectSame(
    'launches on each host',
    outputs.map((each) => each.length),
    [1, 1],
  );
  for (const [index, [output]] of outputs.entries())
    expectSameBytes(await bed.storedOutput(run, index), output as Buffer);
  expect(outputs.map(([output]) => /Number of threads: (\d+)/.exec(String(output))?.[1])).toEqual(['2', '1']);
  const [total1, total2] = outputs.map(([output]) => totalOf(output as Buffer)) as [number, number];
  expectSame('transactions of all generators', run.summary.transactions_total, total1 + total2);
  expectSame(
    'transactions of each generator',
    run.generators?.map(({ host, summary }) => [host, summary.transactions_total]),
    [
      ['gen1', total1],
      ['gen2', total2],
    ],
  );
  const [one, other] = run.generators ?? [];
  const spread = Math.round(Math.abs((one?.startedAt ?? 0) - (other?.startedAt ?? Number.NaN)));
  expect(run.findings.find(({ code }) => code === 'start-spread')?.message).toContain(`within ${spread} ms`);
  // Neither began before its start time: after the launch, and before the run was over.
  for (const { startedAt } of run.generators ?? []) {
    expect(startedAt).toBeGreaterThan(run.startedAt ?? Number.NaN);
    expect(startedAt).toBeLessThan(run.endedAt ?? Number.NaN);
  }
  await expectSums(run, 2);
  const result = await bed.client.results.session({ sessionId: run.sessionId, metric: 'latency_p95_ms' });
  expect(result.cells[0]?.spread).toBeUndefined();
  expect(result.cells[0]?.generators?.map(({ host }) => host)).toEqual(['gen1', 'gen2']);
  expect(run.summary.latency_p95_ms).toBeUndefined();
});

it('measures nothing if a generator cannot be launched', async () => {
  const before = bed.runsOf('gen1').length;
  const bare = path.join(bed.hostOf('gen2').home, 'bare');
  const text = document(['gen1', 'gen2'], 2, 6).replace('duration: 6', 'duration: 6, repeats: 2');
  try {
    const { id } = await bed.client.sessions.start({ text });
    for await (const event of bed.client.sessions.watch({ id })) {
      // While the first trial measures, the tool is removed from its host.
      if (event.kind !== 'run' || event.run.seconds < 1 || existsSync(bare)) continue;
      mkdirSync(bare);
      for (const program of NEEDED) symlinkSync(`/bin/${program}`, path.join(bare, program));
    }
    const runs = await bed.client.sessions.runs({ id });
    expect(runs.map(({ state, seconds }) => [state, seconds > 0])).toEqual([
      ['done', true],
      ['failed', false],
    ]);
    expect(runs[1]?.message).toContain('sysbench was not found on gen2');
    // On the other host the tool was launched, waited, and was ended: only the first run has output.
    expect(bed.runsOf('gen1').length - before).toBe(1);
    expect(() => bed.toolOf('gen1')).toThrow('Nothing runs');
  } finally {
    rmSync(bare, { recursive: true, force: true });
  }
});

atNight(it)('keeps the samples if a generator is killed, and states what is missing', async () => {
  const run = await bed.trial(document(['gen1', 'gen2'], 2, 14), () => process.kill(bed.toolOf('gen2'), 'SIGKILL'));
  expect(run).toMatchObject({ state: 'failed', partial: true, exit: { code: 137 } });
  expect(run.message).toMatch(/^gen2: .*gen1 measured to the end, but 1 of 2 generators did not/s);
  expect(
    run.findings.filter(({ severity }) => severity === 'error').every(({ message }) => message.startsWith('gen2: ')),
  ).toBe(true);
  const [whole, lost] = run.generators ?? [];
  expect(whole?.message).toBeUndefined();
  expect(whole?.seconds).toBeGreaterThan(lost?.seconds ?? Number.NaN);
  expect(lost?.seconds).toBeGreaterThanOrEqual(3);
  const own = bed.outputsOf('gen1').find((output) => totalOf(output) === whole?.summary.transactions_total);
  expectSameBytes(await bed.storedOutput(run, 0), own ?? Buffer.alloc(0));
  const [together] = await bed.client.results.series({ runIds: [run.id], metrics: ['tps'] });
  expect(together?.t.length).toBeLessThanOrEqual(lost?.seconds ?? 0);
  await expectSums(run, 2);
});

it('stores each sample once after the engine is killed twice', async () => {
  const before = NAMES.slice(0, 2).map((name) => bed.jobsOf(name));
  const text = document(['gen1', 'gen2'], 2, 8).replace('threads:', 'histogram: true, threads:');
  const { id } = await bed.client.sessions.start({ text });
  const [planned] = await bed.client.sessions.runs({ id });
  // First during launch, then while it measures.
  for (const seconds of [0, 3]) {
    for await (const event of bed.client.sessions.watch({ id })) {
      if (event.kind === 'run' && event.run.state !== 'pending' && event.run.seconds >= seconds) break;
    }
    await bed.kill();
    await bed.open();
  }
  const run = await bed.ended(id);
  expect([run.id, run.state, run.partial], run.message).toEqual([planned?.id, 'done', false]);
  for (const [index, name] of ['gen1', 'gen2'].entries()) {
    const added = bed.runsOf(name).filter(([job]) => !before[index]?.has(job));
    expectSame(`launches on ${name}`, added.length, 1);
    expectSameBytes(await bed.storedOutput(run, index), added[0]?.[1] as Buffer);
  }
  await expectSums(run, 2);
  // Percentiles of all events together, from both histograms; those printed by a tool are rounded to hundredths.
  const p95 = run.generators?.map(({ summary }) => summary.latency_p95_ms ?? Number.NaN) ?? [];
  expect(run.summary.latency_p95_ms).toBeGreaterThanOrEqual(Math.min(...p95) - 0.005);
  expect(run.summary.latency_p95_ms).toBeLessThanOrEqual(Math.max(...p95) + 0.005);
});

it('starts four generators together, whatever their clocks show, and ends all of them when the trial is skipped', async () => {
  // On a busy machine they start seconds apart, and only the seconds of all are added up.
  const run = await bed.trial(
    document(NAMES, 6, 60),
    async ({ id, sessionId, generators }) => {
      expect(generators).toHaveLength(4);
      await bed.client.sessions.skip({ id: sessionId, runId: id });
    },
    12,
  );
  expect([run.state, run.partial]).toEqual(['skipped', true]);
  const starts = run.generators?.map(({ startedAt }) => startedAt ?? Number.NaN) ?? [];
  expect(run.generators?.[3]?.clockOffsetMs).toBeGreaterThan(2 * HOUR_MS);
  expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(60_000);
  for (const start of starts) expect(start).toBeGreaterThan(run.startedAt ?? Number.NaN);
  for (const name of NAMES) expect(() => bed.toolOf(name)).toThrow('Nothing runs');
  await expectSums(run, 4);
});

it('checks every generator and its limits before a start', async () => {
  const lines = async (text: string) => {
    let last: PreflightLine[] = [];
    for await (last of bed.client.experiments.preflight({ text }));
    return last;
  };
  // The server accepts 100 connections.
  const many = await lines(document(NAMES, 401, 5));
  expect(many.find(({ id }) => id === 'limits')).toMatchObject({
    state: 'block',
    finding: { code: 'max-connections', evidence: 'max_connections = 100' },
  });
  expect(many.filter(({ state }) => state === 'block')).toHaveLength(1);
  const elsewhere = document(NAMES, 8, 5).replace('options: {', 'options: { mysql-further-hosts: 127.0.0.9,');
  expect((await lines(elsewhere)).find(({ id }) => id === 'path')).toMatchObject({
    state: 'block',
    finding: { message: expect.stringContaining('127.0.0.9') },
  });
  await bed.hostOf('gen3').stopListening();
  bed.hostOf('gen3').signalSessions('SIGKILL');
  try {
    const down = await lines(document(NAMES, 8, 5));
    const blocks = down.filter(({ state }) => state === 'block');
    expect(blocks[0]?.id).toBe('generator');
    for (const { finding } of blocks) expect(finding?.message).toContain('gen3');
    expect(down.find(({ id }) => id === 'tool')?.finding?.code).toBe('not-looked');
  } finally {
    await bed.hostOf('gen3').startListening();
  }
});

it('runs a custom command on each generator, sums rates, and keeps latencies separate', async () => {
  const text = `kneepoint: 1
name: Custom command on several
workload:
  tool: command
  options:
    threads: 5
    command: |
      i=0
      while [ $i -lt {seconds} ]; do
        i=$((i + 1)); sleep 1; echo "$i ops={generator}00 p99={generator}.5 pages={share of 7} heat=3"
      done
      echo "of {generators}: from {start of 7}, {threads} threads"
    pattern: '^(?<t>\\d+) ops=(?<ops>\\d+) p99=(?<latency_p99_ms>[\\d.]+) pages=(?<pages>\\d+) heat=(?<heat>\\d+)'
    metrics: |
      pages = pages_per_s
      heat = heat
    final-pattern: 'from (?<first>\\d+), (?<threads_total>\\d+)'
where: { generators: [gen1, gen2] }
measure: { warmup: 0, duration: 5 }
`;
  const shown = (await bed.client.experiments.check({ text })).commands?.[0] ?? '';
  expect(shown).toMatch(
    /^# gen1\n.*ops=100 .*pages=4 .*of 2: from 0, 3 threads.*\n# gen2\n.*ops=200 .*pages=3 .*from 4, 2/s,
  );

  const { id } = await bed.client.sessions.start({ text });
  const run = await bed.ended(id);
  expect([run.state, toolFindings(run.findings).map(({ code }) => code)], run.message).toEqual([
    'done',
    ['start-spread'],
  ]);
  const seriesOf = async (metric: string) => {
    const series = await bed.client.results.series({ runIds: [run.id], metrics: [metric] });
    for (const { t } of series) expect(t.length).toBeGreaterThan(0);
    return series.map(({ generator, v }) => [generator, [...new Set(v)]]);
  };
  expect(await seriesOf('ops')).toEqual([
    [null, [300]],
    [0, [100]],
    [1, [200]],
  ]);
  expect(await seriesOf('pages_per_s')).toEqual([
    [null, [7]],
    [0, [4]],
    [1, [3]],
  ]);
  // Percentiles and unknown values are neither added up nor averaged.
  expect(await seriesOf('latency_p99_ms')).toEqual([
    [0, [1.5]],
    [1, [2.5]],
  ]);
  expect(await seriesOf('heat')).toEqual([
    [0, [3]],
    [1, [3]],
  ]);
  expect(run.summary).toEqual({ threads_total: 5 });
  expect(run.generators?.map(({ summary }) => summary)).toEqual([
    { first: 0, threads_total: 3 },
    { first: 4, threads_total: 2 },
  ]);
});

it('reports indivisible loads in the document', async () => {
  const problemOf = async (text: string) => (await bed.client.experiments.check({ text })).problems[0];
  expect(await problemOf(document(['gen1', 'gen2'], 1, 5))).toMatchObject({
    path: 'where.generators',
    line: 4,
    message: expect.stringContaining('1 thread cannot be divided between 2 generators'),
  });
  expect((await problemOf(document(['gen1', 'gen1'], 2, 5)))?.message).toContain('named twice');
  const embedded = document(['gen1', 'gen2'], 2, 5)
    .replace(/workload: .*/, 'workload: { tool: fio }')
    .replace(/, target: mariadb/, '');
  expect((await problemOf(embedded))?.message).toContain('fio runs on one generator');
});

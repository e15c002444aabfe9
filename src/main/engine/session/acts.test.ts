import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed, type SessionOptions } from './testing/session-bed.ts';

let bed: SessionBed;
let app: string;
beforeEach(async () => {
  app = mkdtempSync(path.join(tmpdir(), 'kneepoint-acts-'));
  mkdirSync(path.join(app, 'dist/main'), { recursive: true });
  writeFileSync(path.join(app, 'dist/main/queries.mjs'), '// sends statements\n');
  bed = new SessionBed();
  bed.assetsDir = app;
  await bed.reopen();
});
afterEach(async () => {
  await bed.close();
  rmSync(app, { recursive: true, force: true });
});

const measures = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
/** Sends two statements, which take three quarters of a second and change seven rows. */
const sends = (job: FakeJob): void => {
  const line = (n: number, ms: number, rows: number) =>
    `${JSON.stringify({ kind: 'execution', n, t: 0, ms, rows, checksum: 0, measured: true })}\n`;
  job.print(
    `${line(1, 500, 7)}${line(2, 250, 0)}${JSON.stringify({ kind: 'summary', ended: 'complete', executions: 2 })}\n`,
  );
  job.end(0);
};
const runs = (job: FakeJob): void => {
  job.print('kneepoint-step: began 100.25\nerased\n\nkneepoint-step: ended 112.75 0\n');
  job.end(0);
};
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const STATEMENT =
  '{ name: index, do: statement, statement: [CREATE INDEX k ON t (k), ANALYZE TABLE t], measured: true }';
const RUN = '{ name: erase, do: run, command: echo erased, on: two, measured: true }';
const ON_SERVER: SessionOptions = { target: 'db', options: ', rows: 5', data: 'keep', trials: 1 };
const withServer = (): void => void bed.addServer().rows.set('things', 5);

describe('a step that sends statements', () => {
  it('has its duration as its figure, and its rows', async () => {
    withServer();
    bed.script.push(sends, measures);
    const id = bed.start({ ...ON_SERVER, steps: `[${STATEMENT}, { name: reads }]` });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done']);
    expect(bed.runs(id)[0]).toMatchObject({
      summary: { took_s: 0.75, rows_total: 7, statements_total: 2 },
      ...{ warmup: 0, duration: 0, findings: [], jobs: [{ host: 'one' }] },
    });
    expect(bed.row(id).steps[0]).toEqual({ name: 'index', tool: 'step-statement', metric: 'took_s' });
    const { argv, files } = bed.jobs.all[0]?.spec ?? {};
    expect(argv).toEqual(['node', '@queries.mjs@', '@settings.json@']);
    expect(JSON.parse(String(files?.[0]?.content))).toMatchObject({
      ...{ step: 'statements', timed: true },
      statements: ['CREATE INDEX k ON t (k)', 'ANALYZE TABLE t'],
    });
  });

  it('fails with the error of the server', async () => {
    withServer();
    bed.script.push((job) => {
      const error = { kind: 'error', doing: 'statement 1 of 2', fatal: true, code: '42601', message: 'near “INDEXX”' };
      job.print(`${JSON.stringify(error)}\n${JSON.stringify({ kind: 'summary', ended: 'failed', executions: 0 })}\n`);
      job.end(1);
    }, measures);
    const id = bed.start({ ...ON_SERVER, steps: `[${STATEMENT}, { name: reads }]` });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 done']);
    expect(bed.runs(id)[0]?.message).toMatch(/^The server does not understand a statement \(statement 1 of 2\)\./);
  });

  it('is ended at its time limit', async () => {
    withServer();
    const steps = `[${STATEMENT.replace('measured: true', 'at-most: 2m')}, { name: reads }]`;
    bed.script.push((job) => {
      job.print(`${JSON.stringify({ kind: 'summary', ended: 'stopped', executions: 0 })}\n`);
      job.end(124);
    });
    const id = bed.start({ ...ON_SERVER, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 skipped']);
    expect(bed.jobs.all[0]?.spec.argv.slice(0, 4)).toEqual(['timeout', '-k', '10', '120']);
    expect(bed.runs(id)[0]?.message).toContain('The statement did not finish within 120 s and was stopped.');
  });
});

describe('a gate of a step that sends statements', () => {
  const answers =
    (rows: number, checksum: number) =>
    (job: FakeJob): void => {
      job.print(
        `${JSON.stringify({ kind: 'execution', n: 1, t: 0, ms: 5, rows, checksum, measured: true })}\n${JSON.stringify({ kind: 'summary', ended: 'complete', executions: 1 })}\n`,
      );
      job.end(0);
    };
  const steps = (gate: string) =>
    `[{ name: count, do: statement, statement: SELECT 1 }, { name: again, do: statement, statement: SELECT 2, gate: { ${gate} } }, { name: reads }]`;

  it.each([
    ['rows: 7', [7, 1], undefined],
    ['rows: 8', [7, 1], 'rows: 7, required: 8'],
    ['equal: count', [7, 5], undefined],
    ['equal: count', [7, 6], 'the result differs from that of step “count”'],
    ['equal: count', [6, 5], 'the result differs from that of step “count”'],
  ] as const)('%s with %j rows and checksum: %s', async (gate, [rows, checksum], words) => {
    withServer();
    bed.script.push(answers(7, 5), answers(rows, checksum), measures);
    const id = bed.start({ ...ON_SERVER, steps: steps(gate) });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', words === undefined ? '0.2 done' : '0.2 skipped']);
    expect(bed.runs(id)[1]?.findings.map(({ message }) => message)).toEqual(
      words === undefined ? [] : [`The gate of step “again” stops its trial: ${words}.`],
    );
  });
});

describe('a step that runs a command', () => {
  it('runs on its host, has its duration as its figure, and its output is stored', async () => {
    bed.script.push(runs, measures);
    const id = bed.start({ trials: 1, steps: `[${RUN}, { name: reads }]` });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done']);
    const [run] = bed.runs(id);
    expect(run).toMatchObject({ summary: { took_s: 12.5 }, findings: [], jobs: [{ host: 'two' }] });
    expect(bed.jobs.all[0]?.spec.argv.at(-1)).toBe('echo erased');
    const output = bed.store.samples.raw(run?.id ?? 0, 0, 'stdout', 0, 1000);
    expect(Buffer.from(output).toString()).toContain('erased\n');
    // The load comes from the generator alone.
    expect(bed.row(id).generators).toEqual(['one']);
  });

  it('is ended after its run time, which is in the estimate', async () => {
    const steps = `[${RUN.replace('measured: true', 'for: 2m')}, { name: reads }]`;
    bed.script.push(runs, measures);
    const id = bed.start({ trials: 1, steps });
    await bed.sessions.settled(id);
    const [job] = bed.jobs.all;
    expect(job?.spec.argv.slice(-2)).toEqual(['echo erased', '120']);
    expect(job?.spec.argv[0]).toBe('sh');
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done']);
    const { plan } = bed.check(bed.store.sessions.snapshot(id).experimentText);
    expect(plan?.estimate).toMatchObject({ load: 121 });
    expect(plan?.estimate).not.toHaveProperty('open');
  });

  it('overwrites no device that was not confirmed', async () => {
    const steps = `[{ name: erase, do: run, command: blkdiscard /dev/sdb, overwrites: /dev/sdb }, { name: reads }]`;
    const id = bed.start({ trials: 1, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 skipped']);
    expect(bed.runs(id)[0]?.message).toContain('Overwriting /dev/sdb on one was not confirmed.');
    expect(bed.jobs.all).toEqual([]);
  });

  it('fails with its exit code and its last line', async () => {
    bed.script.push((job) => {
      job.print('kneepoint-step: began 1.00\nno such disk\n\nkneepoint-step: ended 2.00 3\n');
      job.end(3);
    }, measures);
    const id = bed.start({ trials: 1, steps: `[${RUN}, { name: reads }]` });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 done']);
    expect(bed.runs(id)[0]?.message).toMatch(/^The command ended with exit code 3: no such disk/);
  });
});

describe('an interrupted session with steps that send statements and run commands', () => {
  const STEPS = `[{ name: index, do: statement, statement: CREATE INDEX, measured: true }, ${RUN}, { name: reads }]`;
  const acts = [sends, runs, measures];
  const edges = Array.from({ length: 6 }, (_, run) => [
    [run, 'pending' as const],
    [run, 'running' as const],
  ]).flat() as [number, 'pending' | 'running'][];

  it.each(edges)('runs each once when the app is closed with run %i %s', async (place, state) => {
    withServer();
    const before = state === 'running' ? place : Math.max(0, place - 1);
    const act = (run: number): ((job: FakeJob) => void) => acts[run % acts.length] as (job: FakeJob) => void;
    bed.script.push(...Array.from({ length: before }, (_, run) => act(run)));
    const id = bed.start({ ...ON_SERVER, trials: 2, steps: STEPS });
    if (state === 'running') await bed.running(id, place);
    else {
      const last = place > 0 ? await bed.running(id, place - 1) : undefined;
      bed.sessions.pause(id);
      if (last) act(place - 1)(last);
      await bed.sessions.settled(id);
    }
    await bed.reopen();
    const left = state === 'running' ? bed.jobOf(id, place) : undefined;
    bed.script.push(...Array.from({ length: 6 - bed.jobs.all.length }, (_, run) => act(bed.jobs.all.length + run)));
    await bed.sessions.resume(id);
    if (left) act(place)(left);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '1.0 done', '1.1 done', '1.2 done']);
    expect(bed.jobs.all).toHaveLength(6);
    expect(bed.runs(id).map(({ summary }) => summary.took_s)).toEqual([0.75, 12.5, undefined, 0.75, 12.5, undefined]);
  });
});

it.each([
  ['do: statement', 'do: statement, on: nowhere', 'steps.0.on', 'no host named “nowhere”'],
  ['statement: CREATE INDEX, ', '', 'steps.0', 'has “do: statement” and no “statement”'],
  ['command: echo erased, ', '', 'steps.1', 'has “do: run” and no “command”'],
  ['command: echo erased', 'command: echo erased, for: 5, at-most: 9', 'steps.1.at-most', '“at-most” has no effect'],
  ['command: echo erased', 'command: blkdiscard /dev/sdb', 'steps.1', 'names the device /dev/sdb'],
  [
    'command: echo erased',
    'command: dd of=/dev/sdb, only-reads: /dev/sdb',
    'steps.1',
    'declared read-only, but the command writes',
  ],
  ['command: echo erased', 'command: mkfs "$disk"', 'steps.1', 'a device that cannot be identified'],
  ['CREATE INDEX', "COPY t FROM PROGRAM 'wipefs /dev/sdb'", 'steps.0.statement', 'names the device /dev/sdb'],
  [', target: db', '', 'steps.0.statement', 'needs a target'],
])('refuses %s as %s', (right, wrong, path, words) => {
  withServer();
  const text = `kneepoint: 2
name: Of a test
workload: { tool: fake, options: { rows: 5 }, data: keep }
steps:
  - { name: index, do: statement, statement: CREATE INDEX, measured: true }
  - { name: erase, do: run, command: echo erased, measured: true }
where: { generators: [one], target: db }
measure: { duration: 1 }
`;
  expect(bed.check(text).problems).toEqual([]);
  expect(bed.check(text.replace(right, wrong)).problems[0]).toMatchObject({
    path,
    message: expect.stringContaining(words),
  });
});

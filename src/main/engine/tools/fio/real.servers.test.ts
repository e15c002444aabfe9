import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { integrity } from '../../../../../scripts/test/integrity.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { placePart } from '../../../../shared/metrics/index.ts';
import { perform } from '../testing/perform.ts';
import type { Read } from '../testing/recordings.ts';
import type { Command, ToolPlan } from '../tool.ts';
import { fioTool } from './index.ts';
import { FioOptions } from './options/index.ts';
import { readOutput } from './testing/recordings.ts';

let folder = '';
let disk = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-fio-test-'));
  disk = join(folder, 'my disk');
  mkdirSync(disk);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Watch = Parameters<typeof perform>[2];

async function done(
  command: Command,
  how?: Watch,
  options: Record<string, unknown> = {},
): Promise<Read & { stdout: string }> {
  const { stdout, stderr, exit } = await perform(command, folder, how);
  const phase = command.plannedSeconds > 0 ? 'run' : 'prepare';
  return { ...readOutput(stdout, stderr, { phase, exit, options }), stdout };
}

/** Run time of the reads (ms) and their number, for each document printed by fio. */
const documents = (stdout: string) =>
  stdout.split(/(?<=^\}\n)/m).map((text) => {
    const { jobs } = JSON.parse(text) as {
      jobs: { read: { runtime: number; total_ios: number } }[];
    };
    return { runtime: jobs[0]?.read.runtime ?? 0, reads: jobs[0]?.read.total_ios ?? 0 };
  });

function planned(options: Record<string, unknown>, duration = 2): ToolPlan {
  const parsed = FioOptions.parse({ directory: disk, size: '8m', direct: false, ioengine: 'psync', ...options });
  const place = { nodePath: process.execPath, assetsDir: folder };
  return fioTool.plan({ options: parsed, connection: { kind: 'host' }, warmup: 1, duration, seed: 1, ...place });
}
const own = () => join(disk, 'kneepoint-fio');

const present = spawnSync('fio', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing fio fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('the installed fio', () => {
  it('reports its version', () => {
    const [program = '', ...rest] = fioTool.probe?.argv ?? [];
    expect(fioTool.probe?.version(spawnSync(program, rest, { encoding: 'utf8' }).stdout)).toMatch(/^3\.\d+/);
  });

  it('reads as planned, and the figures match its own report', async () => {
    writeFileSync(join(disk, 'kneepoint-fio.0.0'), 'mine');
    const plan = planned({ numjobs: 2, rw: 'randread', 'rate-iops': 1000 });
    expect(await done(plan.prepare as Command)).toMatchObject({ ok: true, samples: [], unparsed: [], findings: [] });
    expect(readdirSync(own()).sort()).toEqual(['kneepoint-fio.0.0', 'kneepoint-fio.1.0', 'made-by-kneepoint']);
    const { samples, summary, stdout, ...read } = await done(plan.run);
    expect(read).toMatchObject({ ok: true, unparsed: [], findings: [] });
    expect(samples.length).toBeGreaterThan(0);
    // The speed in a second depends on the machine: each must equal fio's count between two of its own documents.
    const printed = documents(stdout);
    for (const { t, metrics } of samples) {
      const index = printed.findIndex(({ runtime }) => runtime === Math.round(t * 1000));
      const [before = { runtime: 0, reads: 0 }, now] = [printed[index - 1], printed[index]];
      if (!now) throw new Error(`fio printed nothing at ${t} s.`);
      const iops = ((now.reads - before.reads) * 1000) / (now.runtime - before.runtime);
      integrity(`reads a second at ${t} s`, () => expect(metrics.iops).toBeCloseTo(iops, 6));
      expect(metrics.latency_p99_ms).toBeGreaterThan(0);
    }
    expectSame('reads in all', summary.ios_total, printed.at(-1)?.reads);
    for (let round = 0; round < 2; round += 1) expect(await done(plan.cleanup as Command)).toMatchObject({ ok: true });
    expectSame('files', readdirSync(disk), ['kneepoint-fio.0.0']);
    expectSame('the file of a person', readFileSync(join(disk, 'kneepoint-fio.0.0'), 'utf8'), 'mine');
  });

  it('writes and syncs as planned, and its percentiles match those of fio', async () => {
    const plan = planned({ rw: 'randrw', rwmixread: 60, fdatasync: 8, 'rate-iops': 400 });
    expect(await done(plan.prepare as Command)).toMatchObject({ ok: true });
    const { samples, summary, ...read } = await done(plan.run);
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    expect(samples.map(({ metrics }) => metrics)).toContainEqual(
      expect.objectContaining({
        iops_read: expect.any(Number),
        iops_write: expect.any(Number),
        fsyncs_per_s: expect.any(Number),
        read_latency_p99_ms: expect.any(Number),
        sync_latency_p99_ms: expect.any(Number),
      }),
    );
    expect(summary.iops).toBeLessThan(900);
    // The number of writes depends on the disk. Every eighth one is followed by an fdatasync, except possibly the last.
    const due = Math.floor((summary.ios_write_total ?? Number.NaN) / 8);
    expect(due).toBeGreaterThan(0);
    expect(summary.fsyncs_total).toBeGreaterThanOrEqual(due - 1);
  });

  it('measures several directories at the same time, by themselves and in total, until their passes are done', async () => {
    const other = join(folder, 'other: disk');
    mkdirSync(other);
    const load = { rw: 'write', bs: '64k', size: '4m', passes: 2, rate: '2m' };
    const options = { directories: `${disk}, ${other}`, ...load };
    const plan = planned({ directory: undefined, ...options }, 20);
    expect(await done(plan.prepare as Command)).toMatchObject({ ok: true, unparsed: [], findings: [] });
    for (const place of [disk, other])
      expect(readdirSync(join(place, 'kneepoint-fio')).sort()).toEqual(['kneepoint-fio.0.0', 'made-by-kneepoint']);
    const { samples, summary, ...read } = await done(plan.run, undefined, options);
    expect(read).toMatchObject({ ok: true, unparsed: [], findings: [] });
    const [one, two] = [disk, other].map((place) => placePart(place));
    // 4 MiB in blocks of 64 KiB, twice.
    for (const part of [one, two]) expectSame('writes of a place', summary[`${part}_ios_total`], 128);
    expectSame('writes in all', summary.ios_total, 256);
    for (const { metrics } of samples.slice(0, 2)) {
      const [first, second] = [one, two].map((part) => metrics[`${part}_iops`] ?? Number.NaN);
      integrity('the total of a second', () => expect(metrics.iops).toBeCloseTo((first ?? 0) + (second ?? 0), 6));
      expect(metrics[`${one}_latency_p99_ms`]).toBeGreaterThan(0);
    }
    const progress = samples.map(({ metrics }) => metrics.progress_pct ?? Number.NaN);
    expect(progress).toEqual(progress.toSorted((left, right) => left - right));
    expect(progress[0]).toBeGreaterThan(0);
    expect(await done(plan.cleanup as Command)).toMatchObject({ ok: true, unparsed: [] });
    for (const place of [disk, other]) expectSame('files left', readdirSync(place), []);
  });

  it('runs a job file, each job separately and all together', async () => {
    const text =
      '[global]\nsize=4m\nioengine=psync\n[log]\nrw=write\nfsync=1\n[pages]\nrw=randread\nbs=16k\nrate_iops=1000\n';
    const plan = planned({ source: 'job-file', 'job-file': text });
    expect(await done(plan.prepare as Command)).toMatchObject({ ok: true });
    const read = await done(plan.run);
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    expect(read.findings.map(({ message }) => message)).toEqual(['Jobs in order: 1 log, 2 pages.']);
    expect(read.samples.length).toBeGreaterThan(0);
    expectSame('reads a second of the job that reads', read.summary.job_2_iops_read, read.summary.iops_read);
    expect(readdirSync(own()).sort()).toEqual([
      'kneepoint-fio.log.0.0',
      'kneepoint-fio.pages.0.0',
      'made-by-kneepoint',
    ]);
    expect(await done(plan.cleanup as Command)).toMatchObject({ ok: true });
    expect(readdirSync(disk)).toEqual([]);
  });

  it('counts values repeated by unified_rw_reporting=both once', async () => {
    const text = '[j]\nsize=4m\nioengine=psync\nbs=4k\nrw=randrw\nrate_iops=1000\nunified_rw_reporting=both\n';
    const plan = planned({ source: 'job-file', 'job-file': text });
    await done(plan.prepare as Command);
    const read = await done(plan.run);
    expect(read).toMatchObject({ ok: true, unparsed: [] });
    for (const { iops = 0, iops_read: reads = 0, iops_write: writes = 0 } of [
      read.summary,
      ...read.samples.map(({ metrics }) => metrics),
    ]) {
      expect(writes).toBeGreaterThan(0);
      expect(iops / (reads + writes)).toBeCloseTo(1, 6);
    }
  });

  it('reports that figures over stages are means, and has figures of a stage only while it runs', async () => {
    const text = '[global]\nsize=4m\nioengine=psync\nrw=randread\nrate_iops=1000\nstonewall\n[a]\nbs=4k\n[b]\nbs=64k\n';
    const plan = planned({ source: 'job-file', 'job-file': text }, 5);
    await done(plan.prepare as Command);
    const read = await done(plan.run);
    expect(read.findings.find(({ code }) => code === 'groups-apart')?.message).toContain('means over all groups');
    const [first, last] = [read.samples[0], read.samples.at(-1)];
    expect(first?.metrics.group_0_iops).toBeGreaterThan(0);
    expect(first?.metrics).not.toHaveProperty('group_1_iops');
    expect(last?.metrics.group_1_iops).toBeGreaterThan(0);
    expect(last?.metrics).not.toHaveProperty('group_0_iops');
  });

  it('reports a steady state that ended it', async () => {
    const text =
      '[j]\nsize=4m\nioengine=psync\nrw=randread\nrate_iops=500\nsteadystate=iops:90%\nsteadystate_duration=2\n';
    const plan = planned({ source: 'job-file', 'job-file': text }, 30);
    await done(plan.prepare as Command);
    const read = await done(plan.run);
    expect(read.findings.map(({ code }) => code)).toContain('steady-state-reached');
    expect(read.samples.length).toBeLessThan(20);
  });

  it('keeps its measured data when it is stopped', async () => {
    // Long enough not to end before, however busy the computer is.
    const plan = planned({ 'rate-iops': 1000 }, 60);
    await done(plan.prepare as Command);
    let due: NodeJS.Timeout | undefined;
    // Between two documents: if stopped while printing one, fio can truncate it, or deadlock.
    const read = await done(plan.run, {
      watch: ({ stdout }, kill) => {
        const printedAt = Number([...stdout.matchAll(/"timestamp_ms" : (\d+)/g)].at(-1)?.[1]);
        if (!stdout.endsWith('\n}\n') || due !== undefined) return;
        due = setTimeout(() => {
          due = undefined;
          // If this computer was too busy to be in time, wait for the next document.
          if (Date.now() - printedAt < 700) kill('SIGTERM');
        }, 300);
      },
    });
    expect(read).toMatchObject({ ok: false, unparsed: [], reason: { code: 'killed-by-signal' } });
    expect(read.samples.length).toBeGreaterThan(0);
    expect(read.summary.iops).toBeGreaterThan(0);
  });

  it('does not create missing files if it may only read', async () => {
    const plan = planned({});
    expect((await done(plan.run)).reason?.code).toBe('files-missing');
    expect((await done(planned({ directory: join(folder, 'none') }).run)).reason?.code).toBe('directory-missing');
  });

  it('touches nothing that it did not create', async () => {
    const code = async (command: Command | undefined) => (await done(command as Command)).reason?.code;
    const { prepare, run, cleanup } = planned({ rw: 'write' });
    const everyStep = async () => [await code(prepare), await code(run), await code(cleanup)];
    const refused = ['place-refused', 'place-refused', 'place-refused'];
    // A foreign folder with this name.
    mkdirSync(own());
    writeFileSync(join(own(), 'kneepoint-fio.0.0'), 'mine');
    expect(await everyStep()).toEqual(refused);
    expectSame('the file of a person', readFileSync(join(own(), 'kneepoint-fio.0.0'), 'utf8'), 'mine');
    rmSync(own(), { recursive: true });
    // A file, and a link, with this name.
    writeFileSync(own(), 'mine');
    expect(await everyStep()).toEqual(refused);
    expectSame('the file of a person', readFileSync(own(), 'utf8'), 'mine');
    rmSync(own());
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), own());
    expect(await everyStep()).toEqual(refused);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    rmSync(own());
    // A link in place of a test file, as if to a device.
    expect(await code(prepare)).toBeUndefined();
    writeFileSync(join(folder, 'device'), 'mine');
    rmSync(join(own(), 'kneepoint-fio.0.0'));
    symlinkSync(join(folder, 'device'), join(own(), 'kneepoint-fio.0.0'));
    expect(await everyStep()).toEqual(refused);
    expectSame('what the link leads to', readFileSync(join(folder, 'device'), 'utf8'), 'mine');
  });

  it('does not follow a link into a folder of devices', async () => {
    symlinkSync('/dev', join(folder, 'innocent'));
    const { prepare, run } = planned({ directory: join(folder, 'innocent'), rw: 'write' });
    for (const command of [prepare, run]) expect((await done(command as Command)).reason?.code).toBe('place-refused');
    expect(existsSync('/dev/kneepoint-fio')).toBe(false);
  });

  it('creates no file in place of a missing device', async () => {
    const device = `/dev/kneepoint-missing-${process.pid}`;
    for (const rw of ['read', 'write'])
      expect((await done(planned({ directory: undefined, device, rw }).run)).reason?.code).toBe('device-missing');
    expect(existsSync(device)).toBe(false);
  });

  it('keeps foreign files in its folder', async () => {
    const { prepare, cleanup } = planned({});
    for (const name of ['note.txt', '.note']) {
      await done(prepare as Command);
      writeFileSync(join(own(), name), 'mine');
      expect(await done(cleanup as Command)).toMatchObject({ ok: true, unparsed: [] });
      expect(new Set(readdirSync(own()))).toEqual(new Set([name, 'made-by-kneepoint']));
      rmSync(join(own(), name));
    }
    expect(await done(cleanup as Command)).toMatchObject({ ok: true });
    expect(readdirSync(disk)).toEqual([]);
  });

  it('reports an engine error and a missing fio', async () => {
    const plan = planned({});
    await done(plan.prepare as Command);
    const wrong = (from: string, to: string): Command => ({
      ...plan.run,
      argv: plan.run.argv.map((word) => word.replace(from, to)),
    });
    expect((await done(wrong('--ioengine=psync', '--ioengine=nosuch'))).reason?.code).toBe('bad-engine');
    expect((await done(wrong('--bs=4k', '--bs=nothing'))).reason?.code).toBe('bad-option-value');
    expect((await done(wrong('--eta=never', '--nosuch=1'))).reason?.code).toBe('unknown-option');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync('/bin/sh', join(bin, 'sh'));
    const missing = await done({ ...plan.run, env: { ...plan.run.env, PATH: bin } });
    expect(missing.reason?.code).toBe('tool-missing');
  });
});

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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { percentileOf } from '../../../../shared/stats/index.ts';
import { type Ended, perform } from '../testing/perform.ts';
import type { Command, Phase, ToolPlan } from '../tool.ts';
import { sysbenchTool } from './index.ts';
import { SysbenchOptions } from './options/index.ts';
import { readOutput, unread } from './testing/recordings.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-sysbench-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function planned(options: Record<string, unknown>, connection: ConnectionFacts = { kind: 'host' }): ToolPlan {
  const parsed = SysbenchOptions.parse(options);
  const place = { nodePath: process.execPath, assetsDir: folder };
  return sysbenchTool.plan({ options: parsed, connection, warmup: 0, duration: 2, seed: 1, ...place });
}
const read = ({ stdout, stderr, exit }: Ended, phase: Phase = 'run') => readOutput(stdout, stderr, { phase, exit });

const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('the installed sysbench', () => {
  it('reports its version', async () => {
    const { probe } = sysbenchTool;
    const ended = await perform({ argv: probe?.argv ?? [], env: {}, files: [], plannedSeconds: 0 }, folder);
    expect(probe?.version(ended.stdout)).toMatch(/^1\.\d+\.\d+$/);
  });

  it('runs cpu as planned, and the figures match its own report', async () => {
    const ended = await perform(planned({ script: 'cpu', threads: 1 }).run, folder);
    const result = read(ended);
    const { ok, summary, samples, findings } = result;
    // On a busy machine, findings about late or missing seconds are allowed.
    expect(findings.filter(({ code }) => !code.startsWith('seconds-'))).toEqual([]);
    expect({ ok, unread: unread(result) }).toEqual({ ok: true, unread: [] });
    expect(summary.total_time_s).toBeGreaterThanOrEqual(2);
    expect(summary.events_total).toBeGreaterThan(0);
    // The line of the last second can be missing or truncated. sysbench does not report the exact length of each second.
    const printed = [...ended.stdout.matchAll(/^\[ (\d+)s \] thds: \d eps: ([\d.]+) lat \(ms,95%\): [\d.]+$/gm)];
    expect(printed.length).toBeGreaterThan(0);
    expectSame(
      'seconds against those that sysbench printed',
      samples.map(({ t, metrics }) => [t, metrics.eps]),
      printed.map(([, t, eps]) => [Number(t), Number(eps)]),
    );
    // Based on two clocks, its mean differs from its count divided by its time.
    const eps = Number(/^ +events per second: +([\d.]+)$/m.exec(ended.stdout)?.[1]);
    expectSame('events per second of the whole', summary.eps, eps);
  });

  it('restarts its counters at the end of the warm-up, including percentiles and histogram', async () => {
    const options = SysbenchOptions.parse({ script: 'cpu', histogram: true });
    const place = { nodePath: process.execPath, assetsDir: folder };
    const connection = { kind: 'host' } as const;
    const plan = sysbenchTool.plan({ options, connection, warmup: 1, duration: 2, seed: 1, ...place });
    const ended = await perform(plan.run, folder);
    const result = readOutput(ended.stdout, ended.stderr, { phase: 'run', exit: ended.exit, options });
    const { ok, summary, checkpoints, latencies, findings } = result;
    expect({ ok, unread: unread(result) }).toEqual({ ok: true, unread: [] });
    expect(findings.map(({ code }) => code)).not.toContain('counters-reset');
    // A busy machine may print it as the following second.
    const [from = 0] = (checkpoints ?? []).map(({ t }) => t);
    expect([1, 2]).toContain(from);
    expectSame('second from which is counted', summary.counted_from_s, from);
    const [part] = latencies?.latency ?? [];
    expect(part?.from).toBe(from);
    // Each event takes all of its thread's time: those in the final report fill the rest of the run, not all of it.
    const left = (summary.total_time_s ?? 0) - 1;
    const filled = (summary.latency_sum_ms ?? 0) / 1000 / (options.threads * left);
    expect(filled).toBeGreaterThan(0.5);
    expect(filled).toBeLessThan(1.2);
    const counted = (part?.histogram ?? []).reduce((sum, { count }) => sum + count, 0);
    expect(Math.abs(counted / (summary.events_total ?? 0) - 1)).toBeLessThan(0.01);
    // Its percentile is a value of its histogram, whose buckets are 2 % wide.
    expect(Math.abs((summary.latency_p95_ms ?? 0) / (percentileOf(part?.histogram ?? [], 95) ?? 0) - 1)).toBeLessThan(
      0.03,
    );
  });

  it('measures files in its own folder and removes only that', async () => {
    const plan = planned({
      script: 'fileio',
      directory: folder,
      'file-total-size': '4M',
      'file-num': 2,
      'file-test-mode': 'rndrw',
    });
    const own = join(folder, 'kneepoint-fileio', '2-files-4M');
    writeFileSync(join(folder, 'test_file.0'), 'mine');
    const prepared = read(await perform(plan.prepare as Command, folder), 'prepare');
    expect(prepared).toMatchObject({ ok: true, unparsed: [] });
    expect(readdirSync(own).sort()).toEqual(['test_file.0', 'test_file.1']);
    const run = read(await perform(plan.run, folder));
    expect({ ok: run.ok, unread: unread(run) }).toEqual({ ok: true, unread: [] });
    for (let round = 0; round < 2; round += 1)
      expect(read(await perform(plan.cleanup as Command, folder), 'cleanup')).toMatchObject({ ok: true, unparsed: [] });
    expect(existsSync(join(folder, 'kneepoint-fileio'))).toBe(false);
    expect(existsSync(join(folder, 'test_file.0'))).toBe(true);
    expect(read(await perform(plan.run, folder)).reason?.code).toBe('files-missing');
  });

  it('does not write through a link, nor to a place that is not a folder', async () => {
    const options = { script: 'fileio', 'file-total-size': '4M', 'file-num': 2, 'file-test-mode': 'rndrw' };
    const plan = planned({ ...options, directory: folder });
    const own = join(folder, 'kneepoint-fileio', '2-files-4M');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(folder, 'device'), 'mine');
    symlinkSync(join(folder, 'device'), join(own, 'test_file.1'));
    for (const [step, name] of [
      [plan.prepare, 'prepare'],
      [plan.run, 'run'],
    ] as const)
      expect(read(await perform(step as Command, folder), name).reason?.code).toBe('place-refused');
    expectSame('what the link leads to', readFileSync(join(folder, 'device'), 'utf8'), 'mine');
    // Only root may create a folder there.
    if (process.getuid?.() !== 0) return;
    symlinkSync('/dev', join(folder, 'innocent'));
    const innocent = planned({ ...options, directory: join(folder, 'innocent') });
    expect(read(await perform(innocent.prepare as Command, folder), 'prepare').reason?.code).toBe('place-refused');
    rmSync('/dev/kneepoint-fileio', { recursive: true });
  });

  it('reports a closed port, with either way of passing the password', async () => {
    for (const password of ['plain', `"both' and blank`])
      for (const kind of ['mysql', 'postgres'] as const) {
        const connection = { kind, host: '127.0.0.1', port: 1, user: 'u', password, database: 'd' };
        const ended = await perform(planned({ script: 'oltp_point_select' }, connection).run, folder);
        expect(read(ended).reason?.code, `${kind} ${ended.stdout}${ended.stderr}`).toBe('connection-refused');
      }
  });

  it('is reported as missing if it is not on the path', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const program of ['sh', 'mkdir']) symlinkSync(join('/bin', program), join(bin, program));
    const plan = planned({ script: 'fileio', directory: folder });
    const ended = await perform(plan.prepare as Command, folder, { env: { PATH: bin } });
    expect(read(ended, 'prepare').reason?.code).toBe('tool-missing');
  });
});

it('passes a password unchanged from its file to the variable', async () => {
  const password = `"it's", two\nlines `;
  const { run } = planned({}, { kind: 'mysql', user: 'u', password });
  const at = run.argv.indexOf('sysbench');
  const shown = { ...run, argv: [...run.argv.slice(0, at), 'printenv', 'MYSQL_PWD'] };
  expect((await perform(shown, folder)).stdout).toBe(`${password}\n`);
});

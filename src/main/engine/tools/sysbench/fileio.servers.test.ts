import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perform } from '../testing/perform.ts';
import type { Command, Phase } from '../tool.ts';
import { sysbenchTool } from './index.ts';
import { SysbenchOptions } from './options/index.ts';
import { readOutput } from './testing/recordings.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-fileio-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function planned(options: Record<string, unknown>) {
  const parsed = SysbenchOptions.parse({ script: 'fileio', directory: folder, ...options });
  const place = { nodePath: process.execPath, assetsDir: folder };
  return sysbenchTool.plan({
    options: parsed,
    connection: { kind: 'host' },
    warmup: 0,
    duration: 60,
    seed: 1,
    ...place,
  });
}
/** Ends after some requests instead of a time. */
const brief = (command: Command): Command => ({
  ...command,
  argv: command.argv.map((word) => (word === '--events=0' ? '--events=200' : word)),
});
async function done(command: Command | undefined, name: Phase) {
  if (!command) throw new Error(`there is no command ${name}`);
  const { stdout, stderr, exit } = await perform(command, folder);
  const read = readOutput(stdout, stderr, { phase: name, exit });
  expect(read.ok, `${name} ${read.reason?.message} ${stdout} ${stderr}`).toBe(true);
  return read.summary;
}

const MODES = {
  seqwr: { reads: false, writes: true },
  seqrewr: { reads: false, writes: true },
  seqrd: { reads: true, writes: false },
  rndrd: { reads: true, writes: false },
  rndwr: { reads: false, writes: true },
  rndrw: { reads: true, writes: true },
};
// sysbench chooses between reading and writing by completed requests: with a queue as long as the run, all are reads.
const small = { 'file-num': 2, 'file-total-size': '8M', 'file-async-backlog': 4, threads: 2 };
const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
const here = describe.skipIf(!present && process.env.CI !== 'true');

here.each(['sync', 'async', 'mmap'])('files read and written with %s', (io) => {
  it.each(Object.entries(MODES))('by %s', async (mode, does) => {
    const plan = planned({ ...small, 'file-test-mode': mode, 'file-io-mode': io });
    if (mode === 'seqwr') expect(plan.prepare).toBeUndefined();
    else await done(plan.prepare, 'prepare');
    const summary = await done(brief(plan.run), 'run');
    expect(summary.events_total).toBeGreaterThanOrEqual(200);
    expect({ reads: (summary.reads_per_s ?? 0) > 0, writes: (summary.writes_per_s ?? 0) > 0 }).toEqual(does);
    await done(plan.cleanup, 'cleanup');
    expect(readdirSync(folder)).toEqual([]);
  });
});

here('one page that is made durable again and again', () => {
  it('have one fsync for each write, with their total time as its latency', async () => {
    const plan = planned({
      'file-num': 1,
      'file-total-size': '4096',
      'file-block-size': 4096,
      'file-test-mode': 'rndwr',
      'file-fsync-all': true,
      'file-fsync-freq': 0,
      'file-fsync-end': false,
      percentile: 99,
    });
    await done(plan.prepare, 'prepare');
    const summary = await done(brief(plan.run), 'run');
    expect(summary.fsyncs_per_s).toBe(summary.writes_per_s);
    expect(summary.events_total).toBe(200);
    expect(summary.latency_p99_ms).toBeGreaterThanOrEqual(summary.latency_min_ms ?? Number.NaN);
    await done(plan.cleanup, 'cleanup');
  });
});

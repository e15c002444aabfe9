import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { expectSameSeconds, secondsPrinted } from '../../scripts/test/recorded.ts';
import { LOG_KINDS } from '../../src/shared/model/session.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let state: string;
let engine: TestEngine | undefined;
afterEach(async () => {
  await engine?.stop();
  execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true });
  rmSync(state, { recursive: true });
});

/** A library on a disk of 6 MB that is filled while a run is recorded. */
it.skipIf(!isRoot)('waits while the disk of this computer is full, reports it, and loses no sample', async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', folder]);
  const dataDir = path.join(folder, 'library');
  mkdirSync(dataDir);
  state = mkdtempSync(path.join(process.env.XDG_STATE_HOME ?? tmpdir(), 'kneepoint-state-'));
  process.env.XDG_STATE_HOME = state;
  engine = await startEngine(dataDir);
  const { client } = engine;
  const text = `kneepoint: 1
name: Full disk
workload: { tool: sysbench, options: { script: cpu, threads: 1, rate: 20 } }
where: {}
measure: { warmup: 0, duration: 25 }
monitors: { generators: false }
`;
  const { id } = await client.sessions.start({ text });
  const filler = path.join(folder, 'filler');
  let activity = '';
  let filled = false;
  for await (const event of client.sessions.watch({ id })) {
    if (!filled && event.kind === 'run' && event.run.state === 'running' && event.run.seconds >= 3) {
      filled = true;
      fill(folder, filler);
    }
    if (activity === '' && event.kind === 'session' && event.session.activity?.includes('Recording is suspended')) {
      activity = event.session.activity;
      unlinkSync(filler);
    }
  }
  expect(activity).toContain('output stays on the host');
  const [run] = await client.sessions.runs({ id });
  expect(run).toMatchObject({ state: 'done', partial: false });
  const [series] = await client.results.series({ runIds: [run?.id ?? 0], metrics: ['eps'] });
  const jobs = path.join(state, 'kneepoint/jobs');
  const [job = ''] = readdirSync(jobs);
  const output = readFileSync(path.join(jobs, job, 'stdout'), 'utf8');
  const written = secondsPrinted(output, 'eps');
  expectSameSeconds(series, written);
  expect(written.length).toBeGreaterThan(3);
  const log = await client.sessions.events({ id, kinds: [...LOG_KINDS] });
  expect(log.some((entry) => entry.message.includes('has disk space again'))).toBe(true);
});

function fill(disk: string, file: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}

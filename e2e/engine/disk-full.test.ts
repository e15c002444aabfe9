import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startEngine, type TestEngine } from './engine.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let engine: TestEngine | undefined;
afterEach(async () => {
  await engine?.stop();
  execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true });
});

/** A library on a disk of 6 MB that somebody fills while a run is recorded. */
it.skipIf(!isRoot)(
  'waits while the disk of this computer is full, says so, and loses nothing',
  { timeout: 180_000 },
  async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-small-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', folder]);
    const dataDir = path.join(folder, 'library');
    mkdirSync(dataDir);
    engine = await startEngine(dataDir);
    const { client } = engine;
    const text = `kneepoint: 1
name: Full disk
workload: { tool: sysbench, options: { script: cpu, threads: 1 } }
where: {}
measure: { warmup: 0, duration: 25 }
`;
    const { id } = await client.sessions.start({ text });
    const filler = path.join(folder, 'filler');
    let told = '';
    for await (const event of client.sessions.watch({ id })) {
      if (event.kind === 'run' && event.run.state === 'running' && event.run.seconds === 3) fill(folder, filler);
      if (event.kind === 'session' && event.session.activity?.includes('Recording waits')) {
        told = event.session.activity;
        unlinkSync(filler);
      }
    }
    expect(told).toContain('the host keeps the output');
    const [run] = await client.sessions.runs({ id });
    expect(run).toMatchObject({ state: 'done', partial: false });
    const [series] = await client.results.series({ runIds: [run?.id ?? 0], metrics: ['eps'] });
    const seconds = [...(series?.t ?? [])];
    expect(seconds).toEqual(Array.from({ length: seconds.length }, (_, index) => index + 1));
    expect(seconds.length).toBeGreaterThanOrEqual(24);
    const log = await client.sessions.log({ id });
    expect(log.some((entry) => entry.message.includes('room on the disk'))).toBe(true);
  },
);

function fill(disk: string, file: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}

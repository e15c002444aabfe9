import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame, expectSameBytes, expectSameSeconds, secondsPrinted } from '../../scripts/test/recorded.ts';
import { atDepth } from '../../src/shared/util/testing/depth.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { addBed, type DatabaseBed, jobOutputs, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine } from './testing/engine.ts';
import { seededRandom } from './testing/random.ts';

const CLI = path.resolve(import.meta.dirname, '../../src/main/cli.ts');
const SECONDS = atDepth(75, 60);

let bed: DatabaseBed;
let dataDir: string;
beforeAll(async () => {
  bed = await startDatabaseBed();
  dataDir = newLibraryFolder('faults');
});
afterAll(async () => {
  await bed?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const random = seededRandom('faults');

/**
 * One real sysbench run with faults all around it: its SSH session is killed, the cable is unplugged for 20 s, the engine is killed repeatedly. The
 * library must end up with exactly the bytes that sysbench wrote, from one launch.
 */
it('stores each second once and launches once, despite faults', async () => {
  const file = path.join(dataDir, 'experiment.yaml');
  writeFileSync(
    file,
    `kneepoint: 1
name: Faults
workload:
  tool: sysbench
  options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 2, rate: 100 }
where: { generators: [loadgen], target: mariadb }
measure: { warmup: 0, duration: ${SECONDS} }
`,
  );
  // The command line opens its vault as well.
  const setUp = await startEngine(dataDir, { realVault: true });
  const passphrase = 'correct horse battery';
  await setUp.client.app.unlockVault({ passphrase });
  await addBed(setUp.client, bed);
  await setUp.stop();

  const kneepoint = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [CLI, ...args, '--data', dataDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, KNEEPOINT_PASSPHRASE_FILE: passphraseFile },
    });
  const passphraseFile = path.join(dataDir, 'passphrase');
  writeFileSync(passphraseFile, passphrase, { mode: 0o600 });

  let words = '';
  const start = (...args: string[]) => {
    const child = kneepoint(...args);
    child.stdout?.on('data', (chunk) => (words += chunk));
    child.stderr?.on('data', (chunk) => (words += chunk));
    return { child, ended: once(child, 'exit') };
  };
  let current = start('run', file);
  // The run is under way once its job exists and has written something.
  await expect
    .poll(() => [...jobOutputs(bed.generator).values()].some((output) => output.includes('[ 3s ]')))
    .toBe(true);

  const until = Date.now() + (SECONDS - 30) * 1000;
  let cable = false;
  let kills = 0;
  while (Date.now() < until) {
    await delay(random(500, 4000));
    if (!cable && canMakeNetworks()) {
      cable = true;
      bed.generator.pullCable();
      await delay(20_000);
      bed.generator.plugCable();
    } else if (random(0, 1) < 0.5) {
      bed.generator.signalSessions('SIGKILL');
    } else {
      kills++;
      current.child.kill('SIGKILL');
      await current.ended;
      current = start('resume', '1');
    }
  }
  if (kills === 0) {
    current.child.kill('SIGKILL');
    await current.ended;
    current = start('resume', '1');
  }
  const [code] = await current.ended;
  expect(code, words).toBe(0);

  const end = await startEngine(dataDir);
  try {
    const [run, ...others] = await end.client.sessions.runs({ id: 1 });
    expectSame('runs beside the one', others, []);
    expect(run).toMatchObject({ state: 'done', partial: false, exit: { code: 0 } });
    const outputs = [...jobOutputs(bed.generator).values()].filter(
      (output) => output.includes('Threads started!') && output.includes('thds: 2'),
    );
    expectSame('number of launches', outputs.length, 1);
    const output = outputs[0] as Buffer;
    const raw = await end.client.results.raw({ runId: run?.id ?? 0, stream: 'stdout', limit: 4_000_000 });
    expectSameBytes(raw.bytes, output);
    const written = secondsPrinted(output.toString(), 'tps');
    const [series] = await end.client.results.series({ runIds: [run?.id ?? 0], metrics: ['tps'] });
    expectSameSeconds(series, written);
    // sysbench omits the line of a second if it wakes up too late for it.
    expect(Number(/total time: +([\d.]+)s/.exec(output.toString())?.[1])).toBeGreaterThanOrEqual(SECONDS);
    expect(written.length).toBeGreaterThan(SECONDS / 2);
  } finally {
    await end.stop();
  }
});

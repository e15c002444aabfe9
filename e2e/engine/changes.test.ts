import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { atDepth } from '../../src/shared/util/testing/depth.ts';
import { keepFile } from '../testbed/left.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { startEngine } from './testing/engine.ts';
import { startKillable } from './testing/killable-engine.ts';
import { seededRandom } from './testing/random.ts';
import { ended, measuring } from './testing/session.ts';

const CLI = path.resolve(import.meta.dirname, '../../src/main/cli.ts');
const PARAMETERS = ['vm/vfs_cache_pressure', 'vm/dirty_expire_centisecs'];
/** As the kernel itself reports it, bypassing Kneepoint. */
const outside = (): string[] => PARAMETERS.map((name) => readFileSync(`/proc/sys/${name}`, 'utf8').trim());

const folders: string[] = [];
const folder = (): string => {
  const made = newLibraryFolder('changes');
  folders.push(made);
  return made;
};
let first: string[];
beforeAll(() => {
  first = outside();
  for (const name of PARAMETERS) keepFile(`/proc/sys/${name}`);
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

const documentOf = (repeats: number, duration = 1): string => `kneepoint: 1
name: Kernel parameters
workload: { tool: sysbench, options: { script: cpu, threads: 1, rate: 20 } }
where: { generators: [this computer] }
factors:
  - {name: cache, kind: host-setting, setting: sysctl, of: vm.vfs_cache_pressure, on: generators, levels: [50, 200]}
  - {name: expire, kind: host-setting, setting: sysctl, of: vm.dirty_expire_centisecs, on: generators, levels: [1000, 2000]}
measure: { duration: ${duration}, repeats: ${repeats} }
`;
const kneepoint = (...args: string[]) => spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });

const random = seededRandom('kills');
/** Repeats of each of the four cells: more repeats meet more moments. `world/kills.test.ts` tests each moment individually. */
const REPEATS = atDepth(6, 1);

it('measures every trial once under its settings despite any number of kills, and restores the kernel', {
  timeout: REPEATS * 300_000,
}, async () => {
  const dataDir = folder();
  let engine = startKillable(dataDir);
  const { id } = await engine.client.sessions.start({ text: documentOf(REPEATS) });
  let kills = 0;
  for (;;) {
    // Count from the engine's first response; otherwise a busy machine makes no progress between kills.
    await delay(random(300, atDepth(6000, 3000)));
    if (ended((await engine.client.sessions.get({ id })).session)) break;
    await engine.kill();
    kills += 1;
    engine = startKillable(dataDir);
    await engine.client.sessions.get({ id });
  }
  const runs = await engine.client.sessions.runs({ id });
  const { session } = await engine.client.sessions.get({ id });
  const changed = await engine.client.changes.list({});
  await engine.kill();
  expect(session.state, session.message).toBe('done');
  expect(kills).toBeGreaterThan(0);
  expect(runs.map(({ state }) => state)).toEqual(Array.from({ length: 4 * REPEATS }, () => 'done'));
  for (const { facts, levels } of runs) {
    const found = facts?.map((fact) => Number(fact.found));
    expectSame('settings that a trial was measured under', found, [levels.cache, levels.expire]);
  }
  expectSame('changes that are not put back', changed, []);
  expectSame('settings of the kernel', outside(), first);
});

it('restores settings by the command of their library, and refuses in another library', async () => {
  const [dataDir, elsewhere] = [folder(), folder()];
  const engine = startKillable(dataDir);
  const { id } = await engine.client.sessions.start({ text: documentOf(1, 60) });
  await measuring(engine.client, id);
  await engine.kill();
  expect(outside()).toEqual(['50', '1000']);

  const otherEngine = await startEngine(elsewhere);
  await expect(otherEngine.client.changes.putBack({ session: id })).rejects.toThrow(
    /contains neither session 1 nor changes made by it/,
  );
  // The same place is refused: its settings are not the original ones.
  const { id: second } = await otherEngine.client.sessions.start({ text: documentOf(1) });
  for await (const _ of otherEngine.client.sessions.watch({ id: second }));
  const refused = (await otherEngine.client.sessions.get({ id: second })).session;
  expect(refused.message).toContain(dataDir);
  expect(refused.message).toMatch(/are being varied by session 1 of /);
  expect(outside()).toEqual(['50', '1000']);
  await otherEngine.close();

  const listed = kneepoint('restore', '--list', '--data', dataDir);
  expect(listed.stdout).toMatch(/sysctl vm\.vfs_cache_pressure +\d+ +50/);
  const early = kneepoint('restore', '--data', dataDir);
  expect(early.status).toBe(1);
  expect(early.stdout).toContain('A tool of session 1 uses this setting on this computer.');
  expect(outside()).toEqual(['50', '1000']);
  const restored = kneepoint('restore', String(id), '--force', '--data', dataDir);
  expect(restored.status, restored.stderr).toBe(0);
  expect(restored.stdout).toContain('restored  host this computer  sysctl vm.vfs_cache_pressure = ');
  expectSame('settings of the kernel', outside(), first);
  const claims = readdirSync('/var/tmp').filter((name) => name.startsWith('kneepoint-claim-'));
  const ours = claims.filter((name) => readlinkSync(`/var/tmp/${name}`).includes(dataDir));
  expect(ours).toEqual([]);

  const stopped = kneepoint('stop', '--data', dataDir);
  expect(stopped.status, stopped.stderr).toBe(0);
  expect(stopped.stdout).toBe('Session 1 is stopped. It left nothing behind on hosts and servers.\n');
  expectSame('settings of the kernel', outside(), first);

  // Also while another process has the library open.
  const holder = startKillable(dataDir);
  const { id: third } = await holder.client.sessions.start({ text: documentOf(1, 60) });
  await measuring(holder.client, third);
  expect(outside()).toEqual(['50', '1000']);
  const asked = kneepoint('stop', String(third), '--data', dataDir);
  expect(asked.status, asked.stderr).toBe(0);
  expect(asked.stderr).toContain(`Asking the Kneepoint process that has the library open to stop session ${third}`);
  expect((await holder.client.sessions.get({ id: third })).session.state).toBe('stopped');
  await holder.kill();
  expectSame('settings of the kernel', outside(), first);
});

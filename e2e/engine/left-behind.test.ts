import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { fault, keep, putBackAll } from '../testbed/left.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { startEngine } from './testing/engine.ts';
import { startKillable } from './testing/killable-engine.ts';
import { measuring } from './testing/session.ts';

const dataDir = newLibraryFolder('left');
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const text = `kneepoint: 1
name: Left
workload: { tool: sysbench, options: { script: cpu, rate: 20 } }
where: {}
measure: { duration: 300 }
`;

it('ends sessions that a test left behind, on an engine and in the library of a killed one', async () => {
  const engine = await startEngine(dataDir);
  const { id } = await engine.client.sessions.start({ text });
  expect(await putBackAll()).toEqual([expect.stringMatching(new RegExp(`^Session ${id} \\(Left\\) was \\w+\\.$`))]);
  expect((await engine.client.sessions.get({ id })).session.state).toBe('stopped');
  expect(await putBackAll()).toEqual([]);
  await engine.stop();

  const killable = startKillable(dataDir);
  const { id: second } = await killable.client.sessions.start({ text });
  await measuring(killable.client, second);
  await killable.kill();
  expect(await putBackAll()).toEqual([`Session ${second} (Left) was running.`]);
  expect(await putBackAll()).toEqual([]);
});

it('ends faults before it restores settings, each once', async () => {
  let setting = 'first';
  const forget = keep(
    'The setting',
    () => setting,
    (value) => {
      setting = value;
    },
  );
  const cut = fault('The way was cut.', () => {
    setting = 'of the fault';
    cut.ended();
  });
  cut.begun();
  cut.begun();
  expect(await putBackAll()).toEqual(['The way was cut.', 'The setting was of the fault in place of first.']);
  expect(setting).toBe('first');
  expect(await putBackAll()).toEqual([]);
  forget();
});

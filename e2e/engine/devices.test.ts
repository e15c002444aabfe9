import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import { LOCAL_HOST_NAME } from '../../src/shared/model/host.ts';
import { KneepointError } from '../../src/shared/model/problem.ts';
import { ENDED_SESSION, type Session } from '../../src/shared/model/session.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { type LoopDevice, makeLoopDevice } from './loop-devices.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  await engine?.close();
});

const writing = (device: string, repeats = 1): string => `kneepoint: 1
name: On a device
workload: { tool: fio, options: { device: ${device}, rw: randwrite, size: 32m, direct: false, ioengine: psync } }
where: {}
measure: { warmup: 0, duration: 2, repeats: ${repeats} }
`;
const lineOf = async (text: string, destroy: string[] = []): Promise<PreflightLine | undefined> => {
  let lines: PreflightLine[] = [];
  for await (lines of engine.client.experiments.preflight({ text, destroy }));
  return lines.find(({ id }) => id === 'devices');
};
const refusal = async (text: string, destroy: string[] = []): Promise<string> => {
  try {
    await engine.client.sessions.start({ text, destroy });
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'preflight-refused') return error.message;
    throw error;
  }
  return 'It started.';
};
async function until(id: number, wanted: (session: Session) => boolean): Promise<Session> {
  for await (const event of engine.client.sessions.watch({ id }))
    if (event.kind === 'session' && wanted(event.session)) return event.session;
  return (await engine.client.sessions.get({ id })).session;
}
async function measuring(id: number): Promise<void> {
  for await (const event of engine.client.sessions.watch({ id }))
    if (event.kind === 'run' && event.run.state === 'running') return;
}
const ended = ({ state }: Session): boolean => ENDED_SESSION.includes(state);

it('never writes to a disk of this machine that is in use, whatever is typed', async () => {
  const mounted = readFileSync('/proc/self/mounts', 'utf8').match(/^\/dev\/\S+/gm) ?? [];
  for (const device of new Set([...mounted, '/dev/null', '/dev/kneepoint-missing'])) {
    if (device.includes(':')) continue;
    const destroy = [`${LOCAL_HOST_NAME}:${device}`];
    expect(await lineOf(writing(device), destroy)).toMatchObject({
      state: 'block',
      finding: { code: 'device-refused' },
    });
    expect(await refusal(writing(device), destroy)).toContain('Nothing is written to it.');
  }
});

/** Reading a device, and files, need nobody's leave. */
it('does not ask for what only reads', async () => {
  const reading = writing('/dev/kneepoint-missing').replace('randwrite', 'randread');
  expect(await lineOf(reading)).toMatchObject({ state: 'ok' });
  expect(await lineOf(writing('/tmp').replace('device:', 'directory:'))).toMatchObject({ state: 'ok' });
});

const probe = makeLoopDevice('');
probe?.close();
// Devices to write to cannot be had everywhere; the decisions themselves are tested on recordings.
if (probe)
  describe('a device of our own', () => {
    const canary = 'what stood here before ';
    let device: LoopDevice;
    beforeEach(() => {
      device = makeLoopDevice(canary) as LoopDevice;
    });
    afterEach(() => device.close());
    const untouched = (): boolean => device.content().equals(Buffer.alloc(64 * 1024 * 1024, canary));

    it('is written to only after host and device were typed', { timeout: 120_000 }, async () => {
      const text = writing(device.path);
      const phrase = `${LOCAL_HOST_NAME}:${device.path}`;
      expect(await lineOf(text)).toMatchObject({ state: 'block', confirm: phrase });
      for (const destroy of [[], [device.path], [`another host:${device.path}`]])
        expect(await refusal(text, destroy)).toContain('will be overwritten');
      expect(untouched()).toBe(true);
      expect(await lineOf(text, [phrase])).toMatchObject({ state: 'warn', finding: { code: 'device-overwritten' } });
      const { id } = await engine.client.sessions.start({ text, destroy: [phrase] });
      expect(await until(id, ended)).toMatchObject({ state: 'done', trialsFailed: 0 });
      expect(untouched()).toBe(false);
    });

    it('is left alone once somebody has made a filesystem on it between two trials', { timeout: 120_000 }, async () => {
      const { client } = engine;
      const destroy = [`${LOCAL_HOST_NAME}:${device.path}`];
      const { id } = await client.sessions.start({ text: writing(device.path, 2), destroy });
      await measuring(id);
      await client.sessions.pause({ id });
      await until(id, ({ state }) => state === 'paused');
      expect(untouched()).toBe(false);
      execFileSync('mkfs.ext4', ['-q', '-F', device.path]);
      const before = device.content();
      await client.sessions.resume({ id });
      await until(id, ended);
      const runs = await client.sessions.runs({ id });
      expect(runs.map(({ state }) => state)).toEqual(['done', 'failed']);
      expect(runs.at(-1)).toMatchObject({ message: expect.stringContaining('holds data: ext4') });
      expect(device.content().equals(before)).toBe(true);
      expect(await refusal(writing(device.path), destroy)).toContain('holds data: ext4');
    });
  });

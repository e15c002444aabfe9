import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import { LOCAL_HOST_NAME } from '../../src/shared/model/host.ts';
import { KneepointError } from '../../src/shared/model/problem.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { type LoopDevice, makeLoopDevice } from './testing/loop-device.ts';
import { ended, until } from './testing/session.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  await engine?.close();
});

const writing = (device: string, repeats = 1): string => `kneepoint: 1
name: On a device
workload: { tool: fio, options: { device: ${device}, rw: randwrite, size: 4m, direct: false, ioengine: psync, rate-iops: 100 } }
where: {}
measure: { warmup: 0, duration: 2, repeats: ${repeats} }
monitors: { generators: false, place: false }
`;
/** A command that fills the first half MiB of a device, in one of its parts, and declares `declared` for it. */
const commanding = (part: 'command' | 'prepare', device: string, declared: 'overwrites' | 'only-reads'): string => {
  const fill = `dd if=/dev/zero of=${device} bs=64k count=8 conv=fsync`;
  const counting = 'for i in 1 2; do sleep 1; echo "$i: 5 done"; done';
  return `kneepoint: 1
name: A command on a device
workload:
  tool: command
  options:
    command: '${part === 'command' ? `${fill}; ${counting}` : counting}'
    prepare: '${part === 'prepare' ? fill : ''}'
    ${declared}: ${device}
    pattern: '^(?<t>\\d+): (?<ops>\\d+) done'
    metrics: ''
where: {}
measure: { warmup: 0, duration: 2 }
monitors: { generators: false, place: false }
`;
};
/** Puts a device into use; the returned function ends that. */
type Use = (device: string) => () => void;
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim();
/** The system itself may page out to swap space at any time. */
const SWAP_KIB = 40;
const USES: readonly (readonly [how: string, use: Use, words: RegExp, ownKib?: number])[] = [
  [
    'mounted',
    (device) => {
      const place = mkdtempSync(path.join(tmpdir(), 'kneepoint-mount-'));
      run('mkfs.ext4', '-q', '-F', device);
      run('mount', '-o', 'ro', device, place);
      return () => {
        run('umount', place);
        rmSync(place, { recursive: true });
      };
    },
    /is mounted at /,
  ],
  [
    'swap space',
    (device) => {
      // A few pages: enough to count as in use, too few for a machine that is short of memory.
      run('mkswap', device, String(SWAP_KIB));
      run('swapon', device);
      return () => void run('swapoff', device);
    },
    /is swap space/,
    SWAP_KIB,
  ],
  [
    'held by another loop device',
    (device) => {
      const other = run('losetup', '--find', '--show', device);
      return () => void run('losetup', '--detach', other);
    },
    /is used by /,
  ],
  [
    'open in a program',
    (device) => {
      const file = openSync(device, 'r');
      return () => closeSync(file);
    },
    /is open in a running program/,
  ],
  ['partitioned', signed('dos'), /holds data: .*dos/],
  ['a member of a RAID array, not assembled', signed('raid'), /holds data: linux_raid_member/],
  ['encrypted, not opened', signed('luks'), /holds data: crypto_LUKS/],
];
function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
/** The signature by which the content of a device is recognised, if no program of this machine can create the real thing. */
function signed(what: keyof typeof SIGNATURES): Use {
  return (device) => {
    const { bytes, offset } = SIGNATURES[what];
    const file = openSync(device, 'r+');
    writeSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
    return () => {};
  };
}
/** Superblock of Linux software RAID, version 1.2: magic number, version, offset in sectors, and checksum. */
function raidSuperblock(): Buffer {
  const block = Buffer.alloc(256);
  block.writeUInt32LE(0xa92b4efc, 0);
  block.writeUInt32LE(1, 4);
  block.writeBigUInt64LE(8n, 144);
  let sum = 0n;
  for (let at = 0; at < 256; at += 4) sum += BigInt(block.readUInt32LE(at));
  block.writeUInt32LE(Number((sum & 0xffffffffn) + (sum >> 32n)), 216);
  return block;
}
/** A DOS partition table: one Linux partition from sector 2048 on, and the signature at the end of the first sector. */
function partitionTable(): Buffer {
  const sector = Buffer.alloc(512);
  sector.writeUInt8(0x83, 450);
  sector.writeUInt32LE(2048, 454);
  sector.writeUInt32LE(4096, 458);
  sector.writeUInt16LE(0xaa55, 510);
  return sector;
}
const SIGNATURES = {
  dos: { bytes: partitionTable(), offset: 0 },
  luks: { bytes: Buffer.from('4c554b53babe0001', 'hex'), offset: 0 },
  raid: { bytes: raidSuperblock(), offset: 4096 },
};

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
async function measuring(id: number): Promise<void> {
  for await (const event of engine.client.sessions.watch({ id }))
    if (event.kind === 'run' && event.run.state === 'running') return;
}

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

/** Reading devices and files needs no permission. */
it('does not ask for confirmation of reads', async () => {
  const reading = writing('/dev/kneepoint-missing').replace('randwrite', 'randread');
  expect(await lineOf(reading)).toMatchObject({ state: 'ok' });
  expect(await lineOf(writing('/tmp').replace('device:', 'directory:'))).toMatchObject({ state: 'ok' });
});

const probe = makeLoopDevice('');
probe?.close();
// Writable devices are not available everywhere; the decisions themselves are tested on recordings.
if (probe)
  describe('a loop device', () => {
    const canary = 'what stood here before ';
    let device: LoopDevice;
    beforeEach(() => {
      device = makeLoopDevice(canary) as LoopDevice;
    });
    afterEach(() => device.close());
    const untouched = (): boolean => device.content().equals(Buffer.alloc(device.content().length, canary));
    const expectUntouched = (): void => expectSame('whether the device is as it was', untouched(), true);
    const expectContent = (found: Buffer, before: Buffer): void =>
      expectSame('whether the device is as it was', found.equals(before), true);

    it('is written to only after host and device are typed', async () => {
      const text = writing(device.path);
      const phrase = `${LOCAL_HOST_NAME}:${device.path}`;
      expect(await lineOf(text)).toMatchObject({ state: 'block', confirm: phrase });
      for (const destroy of [[], [device.path], [`another host:${device.path}`]])
        expect(await refusal(text, destroy)).toContain('will be overwritten');
      expectUntouched();
      expect(await lineOf(text, [phrase])).toMatchObject({ state: 'warn', finding: { code: 'device-overwritten' } });
      const { id } = await engine.client.sessions.start({ text, destroy: [phrase] });
      expect(await until(engine.client, id, ended)).toMatchObject({ state: 'done', trialsFailed: 0 });
      expect(untouched()).toBe(false);
    });

    it('is written to by a command, or by its prepare, only after the same confirmation', async () => {
      const phrase = `${LOCAL_HOST_NAME}:${device.path}`;
      const declared = 'overwrites';
      for (const part of ['command', 'prepare'] as const) {
        const text = commanding(part, device.path, declared);
        expect(await lineOf(text)).toMatchObject({ state: 'block', confirm: phrase });
        expect(await refusal(text)).toContain('will be overwritten');
        expect(await refusal(commanding(part, device.path, 'only-reads'))).toContain('writes to it (dd)');
        expectUntouched();
      }
      const { id } = await engine.client.sessions.start({
        text: commanding('prepare', device.path, declared),
        destroy: [phrase],
      });
      expect(await until(engine.client, id, ended)).toMatchObject({ state: 'done', trialsFailed: 0 });
      expect(untouched()).toBe(false);
      // It is checked again: a filesystem mounted meanwhile is not touched.
      execFileSync('mkfs.ext4', ['-q', '-F', device.path]);
      const before = device.content();
      expect(await refusal(commanding('command', device.path, declared), [phrase])).toContain('holds data: ext4');
      expectContent(device.content(), before);
    });

    // All kinds of content are found in the same way.
    it.for(byDay(USES, ([how]) => /^(?:mounted|open)/.test(how)))(
      'is refused if it is %s, whatever is typed',
      async ([, use, words, ownKib = 0], { skip }) => {
        const content = () => device.content().subarray(ownKib * 1024);
        const end = attempt(() => use(device.path));
        // A kernel without swap, or a container that may not mount.
        if (!end) return skip();
        try {
          const before = content();
          const destroy = [`${LOCAL_HOST_NAME}:${device.path}`];
          expect(await refusal(commanding('command', device.path, 'overwrites'), destroy)).toMatch(words);
          expect(await lineOf(writing(device.path), destroy)).toMatchObject({
            state: 'block',
            finding: { code: 'device-refused', message: expect.stringMatching(words) },
          });
          expectContent(content(), before);
        } finally {
          end();
        }
      },
    );

    it('is not written to once a file system has been created on it between two trials', async () => {
      const { client } = engine;
      const destroy = [`${LOCAL_HOST_NAME}:${device.path}`];
      const { id } = await client.sessions.start({ text: writing(device.path, 2), destroy });
      await measuring(id);
      await client.sessions.pause({ id });
      await until(engine.client, id, ({ state }) => state === 'paused');
      expect(untouched()).toBe(false);
      execFileSync('mkfs.ext4', ['-q', '-F', device.path]);
      const before = device.content();
      await client.sessions.resume({ id });
      await until(engine.client, id, ended);
      const runs = await client.sessions.runs({ id });
      expect(runs.map(({ state }) => state)).toEqual(['done', 'failed']);
      expect(runs.at(-1)).toMatchObject({ message: expect.stringContaining('holds data: ext4') });
      expectContent(device.content(), before);
      expect(await refusal(writing(device.path), destroy)).toContain('holds data: ext4');
    });
  });

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { bySettingName, numbersFrom, settingOf } from '../server-facts.ts';
import { defineTarget, type Reach, type TargetSession } from '../target.ts';
import { pathField } from '../wording.ts';
import { chosen, describeStorage } from './facts.ts';
import { parseStorage, type StorageReading, storageScript } from './reading.ts';

const config = z.strictObject({
  path: pathField(
    'Path',
    'Directory for test files, or a block device. Runs execute on its host; the app only reads.',
    { folder: true },
  ).min(1),
});

/** Names of the kernel's fields, in its order. */
const STAT = [
  'read_ios',
  'read_merges',
  'read_sectors',
  'read_ms',
  'write_ios',
  'write_merges',
  'write_sectors',
  'write_ms',
  'in_flight',
  'io_ms',
  'queue_ms',
  'discard_ios',
  'discard_merges',
  'discard_sectors',
  'discard_ms',
  'flush_ios',
  'flush_ms',
];

/** Throws `target-unreachable` for a path that is missing, or is neither directory nor block device. */
async function read(reach: Reach, path: string, signal: AbortSignal | undefined): Promise<StorageReading> {
  const nonce = randomBytes(8).toString('hex');
  const { stdout } = await reach.exec(storageScript(nonce, path), signal);
  const reading = parseStorage(stdout, nonce);
  const refuse = (message: string, next: string): never => {
    throw new KneepointError({ code: 'target-unreachable', message, safe: 'Nothing was written there.', next });
  };
  if (!reading)
    return refuse(`The host stopped responding while Kneepoint checked ${path}.`, 'Test the host, then try again.');
  if (reading.kind === 'missing') {
    return refuse(`Not found on its host: ${path}.`, 'Create the directory, or correct path and host.');
  }
  if (reading.kind === 'other') {
    return refuse(
      `${path} is neither a directory nor a block device.`,
      'Name a directory for test files, or a device.',
    );
  }
  return reading;
}

async function open(reach: Reach, path: string, signal: AbortSignal | undefined): Promise<TargetSession> {
  await read(reach, path, signal);
  return {
    ping: async () => {
      const start = performance.now();
      await reach.exec('exit 0', signal);
      return performance.now() - start;
    },
    describe: async () => describeStorage(await read(reach, path, signal), path, Date.now()),
    counters: async () => {
      const { device } = await read(reach, path, signal);
      return numbersFrom(
        (device?.stat ?? []).map((value, index) => [STAT[index] ?? `field ${index + 1}`, value] as const),
      );
    },
    settings: async () =>
      (await read(reach, path, signal)).queue
        .map(({ name, value, writable }) =>
          settingOf(name, chosen(value), { change: writable ? 'dynamic' : 'fixed', source: 'kernel' }),
        )
        .sort(bySettingName),
    countRows: async () => undefined,
    close: async () => undefined,
  };
}

/** A directory or block device of a host: the subject of storage benchmarks. */
export const storageTarget = defineTarget({
  kind: 'storage',
  title: 'Storage path',
  family: 'storage',
  example: { name: 'data disk of db-bench-01', config: { path: '/srv/data' } },
  config,
  takesSecret: false,
  via: 'place',
  tells: ['settings', 'counters'],
  facts: ({ path }) => ({ kind: 'storage', path }),
  open: async ({ path }, _secret, reach, signal) => open(reach, path, signal),
});

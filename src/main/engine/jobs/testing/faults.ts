import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine, Spawned } from '../../hosts/machine.ts';

export interface Faulty {
  machine: Machine;
  /** Number of channels opened so far; none delivers more than its limit of bytes. */
  channels(): number;
  /** Stops cutting channels. */
  restore(): void;
}

/** A machine whose channels end after a random number of bytes: half of them silently, half with a link loss. */
export function cutChannels(machine: Machine, random: () => number, mostBytes: number): Faulty {
  let channels = 0;
  let isRestored = false;
  const cutOff = async function* (spawned: Spawned): AsyncGenerator<Uint8Array> {
    let bytesLeft = Math.floor(random() ** 3 * mostBytes);
    const silent = random() < 0.5;
    for await (const chunk of spawned.stdout) {
      if (isRestored || chunk.length < bytesLeft) {
        bytesLeft -= chunk.length;
        yield chunk;
        continue;
      }
      if (bytesLeft > 0) yield chunk.subarray(0, bytesLeft);
      if (silent) return;
      throw new KneepointError({
        code: 'host-unreachable',
        host: machine.name,
        message: 'The link was cut by the test.',
      });
    }
  };
  return {
    machine: {
      ...machine,
      async spawn(script, options) {
        channels++;
        const spawned = await machine.spawn(script, options);
        return { ...spawned, stdout: cutOff(spawned) };
      },
    },
    channels: () => channels,
    restore: () => {
      isRestored = true;
    },
  };
}

import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine, Spawned } from '../../hosts/machine.ts';

export interface Faulty {
  machine: Machine;
  /** Number of channels opened so far; none delivers more than its limit of bytes. */
  channels(): number;
  /** Stops cutting channels. */
  relent(): void;
}

/** A machine whose channels end after a random number of bytes: half of them silently, half with a link loss. */
export function cutChannels(machine: Machine, random: () => number, mostBytes: number): Faulty {
  let channels = 0;
  let relented = false;
  const cutOff = async function* (spawned: Spawned): AsyncGenerator<Uint8Array> {
    let left = Math.floor(random() ** 3 * mostBytes);
    const silent = random() < 0.5;
    for await (const chunk of spawned.stdout) {
      if (relented || chunk.length < left) {
        left -= chunk.length;
        yield chunk;
        continue;
      }
      if (left > 0) yield chunk.subarray(0, left);
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
    relent: () => {
      relented = true;
    },
  };
}

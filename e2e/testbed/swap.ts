import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './databases/processes.ts';

/** Room on a disk for pages that do not fit into memory, MiB; undefined where the machine does not let us add any. */
export function addSwap(mib: number): { release(): void } | undefined {
  const file = join(tmpdir(), `kneepoint-swap-${process.pid}`);
  const release = (): void => {
    process.off('exit', release);
    runToEnd(['sh', '-c', 'PATH=$PATH:/sbin:/usr/sbin; swapoff "$1" 2>/dev/null; true', 'sh', file]);
    rmSync(file, { force: true });
  };
  // A machine must not be left with it, whatever becomes of the test.
  process.on('exit', release);
  try {
    const make = 'PATH=$PATH:/sbin:/usr/sbin; umask 077; fallocate -l "$2"M "$1" && mkswap "$1" && swapon "$1"';
    runToEnd(['sh', '-c', make, 'sh', file, String(mib)]);
    return { release };
  } catch {
    release();
    return undefined;
  }
}

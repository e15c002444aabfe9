import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './databases/processes.ts';

/** Adds swap on a disk, in MiB; or returns why the machine does not allow it. */
export function addSwap(mib: number): { release(): void } | { refused: string } {
  const file = join(tmpdir(), `kneepoint-swap-${process.pid}`);
  const release = (): void => {
    process.off('exit', release);
    runToEnd(['sh', '-c', 'PATH=$PATH:/sbin:/usr/sbin; swapoff "$1" 2>/dev/null; true', 'sh', file]);
    rmSync(file, { force: true });
  };
  // It must not remain on the machine, whatever happens to the test.
  process.on('exit', release);
  try {
    const make = 'PATH=$PATH:/sbin:/usr/sbin; umask 077; fallocate -l "$2"M "$1" && mkswap "$1" && swapon "$1"';
    runToEnd(['sh', '-c', make, 'sh', file, String(mib)]);
    return { release };
  } catch (error) {
    release();
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

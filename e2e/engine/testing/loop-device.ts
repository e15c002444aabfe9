import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A block device for tests: a loop device backed by a file. */
export interface LoopDevice {
  path: string;
  /** Its current content. */
  content(): Buffer;
  close(): void;
}

/** Creates a device filled with `content`, repeated; undefined if the machine has none, or if not all uses of one are visible. */
export function makeLoopDevice(content: string, bytes = 8 * 1024 * 1024): LoopDevice | undefined {
  if (process.getuid?.() !== 0 || readlinkSync('/proc/self/ns/pid') !== 'pid:[4026531836]') return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-loop-'));
  const file = path.join(folder, 'disk.img');
  writeFileSync(file, Buffer.alloc(bytes, content));
  try {
    const device = execFileSync('losetup', ['--find', '--show', file], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return {
      path: device,
      content() {
        execFileSync('sync', ['--file-system', file]);
        return readFileSync(file);
      },
      close() {
        execFileSync('losetup', ['--detach', device]);
        rmSync(folder, { recursive: true });
      },
    };
  } catch {
    // No loop devices here, as in most containers.
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

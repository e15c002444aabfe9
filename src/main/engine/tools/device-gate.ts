import { destroyingParts, unquoted } from './destroying.ts';
import { devicesNamedIn } from './device-path.ts';

/** What a script does to devices, and has not said, or must not do. */
export type Ungated =
  /** It names a device that is told as neither overwritten nor read. */
  | { kind: 'untold'; device: string }
  /** It writes to a device that is told as only read. */
  | { kind: 'written'; device: string; by: string }
  /** It runs a program that destroys what a device holds, on something that only the shell knows. */
  | { kind: 'unseen'; at: string; by: string }
  /** It names something in /dev that only the shell knows. */
  | { kind: 'hidden'; at: string };

/** The folder itself, or a name in it that only the shell knows. */
const HIDDEN = /(?<![\w./])\/dev(?:\/+(?![\w.])[^\s;|&)]*|(?![\w/.-]))/;

/** These write to files far more often than to devices; what they name in /dev is seen all the same. */
const FILE_TOOLS = /^(?:dd|tee|cp|mv|install|pv|shred|qemu-img|ddrescue|a redirection|(?:rw|readwrite)=.*)$/;

/**
 * The first thing that keeps a script from being run as it is. A text that names a device must say what it does to it, and what plainly
 * destroys one cannot be called reading: a slip of the pen in a command has destroyed more disks than any benchmark. What a variable
 * of the shell holds, nobody can see here: then a device that is overwritten must be named.
 */
export function ungatedIn(
  text: string,
  { overwrites, reads }: Readonly<Record<'overwrites' | 'reads', readonly string[]>>,
): Ungated | undefined {
  const script = unquoted(text);
  const device = devicesNamedIn(script).find((name) => !overwrites.includes(name) && !reads.includes(name));
  if (device !== undefined) return { kind: 'untold', device };
  for (const { by, at } of destroyingParts(script)) {
    if (reads.includes(at)) return { kind: 'written', device: at, by };
    if (!at.startsWith('/dev/') && overwrites.length === 0 && !FILE_TOOLS.test(by)) return { kind: 'unseen', at, by };
  }
  const at = HIDDEN.exec(script)?.[0];
  return at !== undefined && overwrites.length === 0 && reads.length === 0 ? { kind: 'hidden', at } : undefined;
}

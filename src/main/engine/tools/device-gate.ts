import { destroyingParts, unquoted } from './destroying.ts';

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

/** A device of a host. fio takes a colon for the end of a name, and what follows for another file; elsewhere none is needed either. */
export const DEVICE_PATH = /^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./@%+=-]+$/;

/** Whether a path is that of a device. What lies in /dev/shm are files, in memory. */
export const isDevicePath = (path: string): boolean => DEVICE_PATH.test(path) && !/^\/dev\/shm(\/|$)/.test(path);

/** Devices of a list with blanks or commas between. */
export const devicesIn = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

/** Of all below /dev, these are no disks. */
const HARMLESS =
  /^\/dev\/(null|zero|full|u?random|stdin|stdout|stderr|fd|tty\w*|ptmx|pts|shm|mqueue|hugepages|net|kvm|fuse|log|kmsg|cpu|cpu_dma_latency|hpet|rtc\d*|ptp\d+|tcp|udp)(\/|$)/;
const NAMED = /(?<![\w.])\/dev\/[\w./@%+=-]*\w/g;

/** Other ways to write /dev: over a folder above, the root of a process, or with more slashes and dots than it needs. */
const plainly = (text: string): string =>
  text
    .replaceAll(/\/(?:\.?\/)+/g, '/')
    .replaceAll(/(?:[\w.-]*\/)*\.\.\/dev\//g, '/dev/')
    .replaceAll(/\/proc\/(?:\w+|\$\$)\/root\/dev\//g, '/dev/');

/** Devices that a text of somebody's own names, and that could be disks. */
export const devicesNamedIn = (text: string): string[] =>
  [...plainly(text).matchAll(NAMED)].flatMap(([name]) => (HARMLESS.test(name) ? [] : [name]));

import { destroyingParts, unquoted } from './destroying.ts';

/** An undeclared or forbidden use of a device in a script. */
export type Ungated =
  /** It names a device declared neither as overwritten nor as read. */
  | { kind: 'untold'; device: string }
  /** It writes to a device declared as only read. */
  | { kind: 'written'; device: string; by: string }
  /** It runs a program that destroys data on a device known only to the shell. */
  | { kind: 'unseen'; at: string; by: string }
  /** It names something in /dev known only to the shell. */
  | { kind: 'hidden'; at: string };

/** The folder itself, or a name in it known only to the shell. */
const HIDDEN = /(?<![\w./])\/dev(?:\/+(?![\w.])[^\s;|&)]*|(?![\w/.-]))/;

/** These write to files far more often than to devices; devices in /dev that they name are detected anyway. */
const FILE_TOOLS = /^(?:dd|tee|cp|mv|install|pv|shred|qemu-img|ddrescue|a redirection|(?:rw|readwrite)=.*)$/;

/**
 * Returns the first reason not to run a script unchanged. It must declare the use of each device that it names, and a device that it clearly
 * overwrites cannot be declared as read: typing errors have destroyed more disks than any benchmark. The value of a shell variable is unknown here,
 * so an overwritten device must be named explicitly.
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

/** A device of a host. No colons: for fio, a colon separates file names, and no device needs one. */
export const DEVICE_PATH = /^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./@%+=-]+$/;

/** Whether a path is that of a device. /dev/shm contains files in memory. */
export const isDevicePath = (path: string): boolean => DEVICE_PATH.test(path) && !/^\/dev\/shm(\/|$)/.test(path);

/** Devices in a list separated by blanks or commas. */
export const devicesIn = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

/** Entries of /dev that are not disks. */
const HARMLESS =
  /^\/dev\/(null|zero|full|u?random|stdin|stdout|stderr|fd|tty\w*|ptmx|pts|shm|mqueue|hugepages|net|kvm|fuse|log|kmsg|cpu|cpu_dma_latency|hpet|rtc\d*|ptp\d+|tcp|udp)(\/|$)/;
const NAMED = /(?<![\w.])\/dev\/[\w./@%+=-]*\w/g;

/** Normalizes other notations of /dev: through a parent folder, the root of a process, or with redundant slashes and dots. */
const plainly = (text: string): string =>
  text
    .replaceAll(/\/(?:\.?\/)+/g, '/')
    .replaceAll(/(?:[\w.-]*\/)*\.\.\/dev\//g, '/dev/')
    .replaceAll(/\/proc\/(?:\w+|\$\$)\/root\/dev\//g, '/dev/');

/** Devices named in a user's text that could be disks. */
export const devicesNamedIn = (text: string): string[] =>
  [...plainly(text).matchAll(NAMED)].flatMap(([name]) => (HARMLESS.test(name) ? [] : [name]));

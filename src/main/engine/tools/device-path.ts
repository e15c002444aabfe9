/** A device of a host. fio takes a colon for the end of a name, and what follows for another file; elsewhere none is needed either. */
export const DEVICE_PATH = /^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./@%+=-]+$/;

/** Devices of a list with blanks or commas between. */
export const devicesIn = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

/** Of all below /dev, these are no disks. */
const HARMLESS =
  /^\/dev\/(null|zero|full|u?random|stdin|stdout|stderr|fd|tty\w*|ptmx|pts|shm|mqueue|hugepages|net|kvm|fuse|log|cpu|tcp|udp)(\/|$)/;
const NAMED = /(?<![\w.])\/dev\/[\w./@%+=-]*\w/g;

/** Devices that a text of somebody's own names, and that could be disks. */
export const devicesNamedIn = (text: string): string[] =>
  [...text.matchAll(NAMED)].flatMap(([name]) => (HARMLESS.test(name) ? [] : [name]));

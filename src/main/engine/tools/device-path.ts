/** A device of a host. fio takes a colon for the end of a name, and what follows for another file; elsewhere none is needed either. */
export const DEVICE_PATH = /^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./@%+=-]+$/;

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

/** A device of a host. fio takes a colon for the end of a name, and what follows for another file; elsewhere none is needed either. */
export const DEVICE_PATH = /^\/dev\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./@%+=-]+$/;

/** Devices of a list with blanks or commas between. */
export const devicesIn = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

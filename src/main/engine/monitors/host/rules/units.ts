/** Of bytes, MiB. */
export const MIB = 1 / 1024 ** 2;
/** Of KiB, MiB. */
export const KIB = 1 / 1024;

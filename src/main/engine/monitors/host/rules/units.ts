/** Bytes in MiB. */
export const MIB = 1 / 1024 ** 2;
/** KiB in MiB. */
export const KIB = 1 / 1024;

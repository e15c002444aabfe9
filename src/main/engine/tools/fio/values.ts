/** A size as fio reads it, with a unit of 1024: `4x` would be taken for 4 bytes without a word. At least 512 bytes. */
export const SIZE = /^(?:(?:51[2-9]|5[2-9]\d|[6-9]\d\d|[1-9]\d{3,14})|[1-9]\d{0,11}(?:[kmgt](?:i?b)?))$/i;
export const SIZE_WORDS = 'A number of bytes from 512 on, or a number with k, m, g or t.';

/** Absolute, without `.` and `..`, and not where devices and the kernel's own files are. */
export const SAFE_PATH = /^(?!\/+(?:dev|proc|sys)(?:\/|$))(?!(?:.*\/)?\.\.?(?:\/|$))\/[^\n\r\0]*$/;

import { KneepointError } from '../../../../../shared/model/problem.ts';

/** All test files begin with this, and so does the folder that holds nothing else. */
export const PREFIX = 'kneepoint-fio';

/** The folder that was named: in the options, or as the target's path. Throws `experiment-invalid` when there is none that may be used. */
export function folderOf(named: string | undefined): string {
  if (named !== undefined && SAFE_PATH.test(named)) return named.length > 1 ? named.replace(/\/+$/, '') : named;
  throw new KneepointError({
    code: 'experiment-invalid',
    message:
      named === undefined
        ? 'fio needs a folder on the host for its test files, and none is named.'
        : `“${named}” is not a folder that fio may use: it must be an absolute path, not of a device.`,
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option directory to an absolute path on the disk that is to be measured.',
  });
}

/** A size as fio reads it, with a unit of 1024: `4x` would be taken for 4 bytes without a word. At least 512 bytes. */
export const SIZE = /^(?:(?:51[2-9]|5[2-9]\d|[6-9]\d\d|[1-9]\d{3,14})|[1-9]\d{0,11}(?:[kmgt](?:i?b)?))$/i;
export const SIZE_WORDS = 'A number of bytes from 512 on, or a number with k, m, g or t.';

/** Absolute, without `.` and `..`, and not where devices and the kernel's own files are; what lies in /dev/shm are files, in memory. */
export const SAFE_PATH = /^(?!\/+(?:dev(?!\/shm(?:\/|$))|proc|sys)(?:\/|$))(?!(?:.*\/)?\.\.?(?:\/|$))\/[^\n\r\0]*$/;

/** A size of the form in fio's own letters: there `16KiB` is 16,000 bytes, and `16k` what everybody else calls 16 KiB. */
export const sizeArgument = (size: string): string => size.replace(/^(\d+[kmgt])i?b$/i, '$1');

const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Bytes of a size as a job file means it; undefined when it is none that the form could hold. */
export function bytesOf(size: string): number | undefined {
  if (!SIZE.test(size)) return undefined;
  const [, number = '', unit = '', decimal] = /^(\d+)([kmgt]?)(i)?b?$/i.exec(size) ?? [];
  return Number(number) * (decimal === undefined ? 1024 : 1000) ** (POWERS[unit.toLowerCase()] ?? 0);
}

/** A size of a job file as the form says it; undefined when the form cannot. */
export function formSize(size: string): string | undefined {
  const bytes = bytesOf(size);
  if (bytes === undefined || bytes < 512 || !Number.isSafeInteger(bytes)) return undefined;
  return /^\d+[kmgt]ib$/i.test(size) ? String(bytes) : sizeArgument(size);
}

const SECONDS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a time as a job file writes it; undefined when it is another notation of fio. */
export function secondsOf(time: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)(us|ms|s|m|h|d)?$/i.exec(time) ?? [];
  return number === undefined ? undefined : Number(number) * (SECONDS[unit.toLowerCase()] ?? Number.NaN);
}

/** A time as a job file takes it: whole seconds, or whole milliseconds. */
export const timeArgument = (seconds: number): string =>
  Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;

import { KneepointError } from '../../../../../shared/model/problem.ts';
import { isDevicePath } from '../../device-gate.ts';

/** Prefix of all test files, and name of the folder that contains only them. */
export const PREFIX = 'kneepoint-fio';

/** The given folder: from the options, or the target's path. Throws `experiment-invalid` if it is missing or not allowed. */
export function folderOf(named: string | undefined): string {
  if (named !== undefined && SAFE_PATH.test(named)) return named.length > 1 ? named.replace(/\/+$/, '') : named;
  throw new KneepointError({
    code: 'experiment-invalid',
    message:
      named === undefined
        ? 'fio needs a folder on the host for its test files, and none is named.'
        : `“${named}” is not a folder that fio may use: it must be an absolute path, not of a device.`,
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option “directory” to an absolute path on the disk to measure.',
  });
}

/** Most places that one load measures at the same time. */
const MOST_PLACES = 32;

/** Places in a list separated by commas or line breaks. */
const placesIn = (list = ''): string[] => list.split(/[,\n]/).flatMap((place) => place.trim() || []);

/** Whether a list names places of this form, each once. */
export function isPlaceList(list: string, form: RegExp): boolean {
  const places = placesIn(list).map((place) => place.replace(/(?<=.)\/+$/, ''));
  return (
    places.length <= MOST_PLACES && new Set(places).size === places.length && places.every((place) => form.test(place))
  );
}
export const PLACE_LIST_WORDS = `up to ${MOST_PLACES}, each once, separated by commas or line breaks.`;

/** The options that name what is measured. */
export interface PlaceOptions {
  source: 'form' | 'job-file';
  directory?: string | undefined;
  device?: string | undefined;
  /** Sessions of earlier versions have no lists. */
  directories?: string | undefined;
  devices?: string | undefined;
}

/** The places of a load: one folder or device, or several at the same time. */
export interface Places {
  is: 'folders' | 'devices';
  /** In order. Empty: the options name none, and the target has no path. */
  paths: readonly string[];
}

const lists = ({ directory, device, directories, devices }: PlaceOptions): Record<Places['is'], string[]> => ({
  folders: [directory ?? [], placesIn(directories)].flat(),
  devices: [device ?? [], placesIn(devices)].flat(),
});

/** The places of a load. `path`: of the target, used if the options name none. */
export function placesOf(options: PlaceOptions, path?: string): Places {
  const { folders, devices } = lists(options);
  if (devices.length > 0) return { is: 'devices', paths: devices };
  if (folders.length > 0) return { is: 'folders', paths: folders };
  const isDevice = path !== undefined && isDevicePath(path);
  return { is: isDevice ? 'devices' : 'folders', paths: path === undefined ? [] : [path] };
}

/** The number of places that options name, at least 1. */
export const placeCount = (options: PlaceOptions): number => Math.max(1, placesOf(options).paths.length);

/** Throws `experiment-invalid` for places that exclude each other. */
export function requirePlaces(options: PlaceOptions): void {
  const { folders, devices } = lists(options);
  if (folders.length > 0 && devices.length > 0)
    throw refused(
      'Both a folder and a device are set; fio measures only one kind.',
      'Unset the options “directory” and “directories”, or “device” and “devices”.',
    );
  const named = [...folders, ...devices].map((place) => place.replace(/(?<=.)\/+$/, ''));
  if (new Set(named).size < named.length)
    throw refused('A folder or device is listed twice.', 'List each folder or device once.');
  if (named.length > 1 && options.source === 'job-file')
    throw refused(
      'A job file measures one folder or device, but several are set.',
      'Describe the job with the options of the form, or set a single folder or device.',
    );
}

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({
    code: 'experiment-invalid',
    message,
    safe: 'Nothing was started and nothing was written.',
    next,
  });

/** A size in fio's notation, with a unit of 1024. fio would silently read `4x` as 4 bytes. At least 512 bytes. */
export const SIZE = /^(?:(?:51[2-9]|5[2-9]\d|[6-9]\d\d|[1-9]\d{3,14})|[1-9]\d{0,11}(?:[kmgt](?:i?b)?))$/i;
export const SIZE_WORDS = 'A number of bytes, at least 512, or a number with k, m, g or t.';

/** The share of a device that each job uses. */
export const SHARE = /^(?:[1-9]\d?|100)%$/;

/** An absolute path without `.` and `..`, outside the folders of devices and of the kernel. /dev/shm contains files in memory. */
export const SAFE_PATH = /^(?!\/+(?:dev(?!\/shm(?:\/|$))|proc|sys)(?:\/|$))(?!(?:.*\/)?\.\.?(?:\/|$))\/[^\n\r\0]*$/;

/** Converts a size of the form to fio's notation. For fio, `16KiB` is 16,000 bytes, and `16k` is the usual 16 KiB. */
export const sizeArgument = (size: string): string => size.replace(/^(\d+[kmgt])i?b$/i, '$1');

const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Bytes of a size in a job file. Undefined if the form cannot represent it. */
export function bytesOf(size: string): number | undefined {
  if (!SIZE.test(size)) return undefined;
  const [, number = '', unit = '', decimal] = /^(\d+)([kmgt]?)(i)?b?$/i.exec(size) ?? [];
  return Number(number) * (decimal === undefined ? 1024 : 1000) ** (POWERS[unit.toLowerCase()] ?? 0);
}

/** Converts a size of a job file to that of the form. Undefined if the form cannot represent it. */
export function formSize(size: string): string | undefined {
  const bytes = bytesOf(size);
  if (bytes === undefined || bytes < 512 || !Number.isSafeInteger(bytes)) return undefined;
  return /^\d+[kmgt]ib$/i.test(size) ? String(bytes) : sizeArgument(size);
}

const SECONDS: Readonly<Record<string, number>> = { us: 1e-6, ms: 1e-3, '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of a time in a job file. Undefined for other notations of fio. */
export function secondsOf(time: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)(us|ms|s|m|h|d)?$/i.exec(time) ?? [];
  return number === undefined ? undefined : Number(number) * (SECONDS[unit.toLowerCase()] ?? Number.NaN);
}

/** Formats a time for a job file: whole seconds, or whole milliseconds. */
export const timeArgument = (seconds: number): string =>
  Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;

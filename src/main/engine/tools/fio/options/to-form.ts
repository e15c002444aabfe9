import type { ReadLine } from '../../../../../shared/contract/experiments.ts';
import type { Scalar } from '../../../../../shared/model/experiment.ts';
import { isDevicePath } from '../../device-gate.ts';
import type { Effective } from './effective.ts';
import { bytesOf, formSize, PREFIX, secondsOf } from './place.ts';

/** The conversion of a line: options of the form, the time of the experiment, or an explanation. */
interface Taken {
  options?: Record<string, Scalar>;
  measure?: { warmup?: number; duration?: number };
  note?: string;
}
type Reading = Taken | { not: string };
const AS_IT_IS: Taken = {};
type Options = Effective['options'];

const number =
  (name: string): Translate =>
  (value) =>
    /^\d+$/.test(value) ? { options: { [name]: Number(value) } } : { not: 'The form accepts only a whole number.' };
const size =
  (name: string): Translate =>
  (value) => {
    const text = formSize(value);
    return text === undefined
      ? {
          not: 'The form accepts only a single size of 512 bytes or more, as a number with k, m, g or t.',
        }
      : { options: { [name]: text } };
  };
const on = (value: string): boolean | undefined => ({ '': true, '1': true, '0': false })[value];
const ours =
  (note: string): Translate =>
  () => ({ note });

type Translate = (value: string, options: Options) => Reading;

const mixed = (options: Options): boolean => /^(rw|readwrite|randrw)$/.test(options.get('rw')?.value ?? '');
const writing = (options: Options): boolean =>
  mixed(options) || /^(write|randwrite)$/.test(options.get('rw')?.value ?? '');

const share =
  (percent: (value: number) => number): Translate =>
  (value, options) => {
    if (!/^\d{1,2}$|^100$/.test(value)) return { not: 'The form accepts only a share from 0 to 100.' };
    if (!mixed(options)) return { note: 'No effect with a pattern that does not mix reads and writes.' };
    return { options: { rwmixread: percent(Number(value)) } };
  };
const synced =
  (name: string): Translate =>
  (value, options) =>
    writing(options) ? number(name)(value, options) : { note: 'No effect with a pattern that does not write.' };
const direct =
  (opposite: boolean): Translate =>
  (value) => {
    const set = on(value);
    return set === undefined ? { not: 'The form accepts only 0 or 1.' } : { options: { direct: set !== opposite } };
  };

/** Converts each job file option to the form. Options not listed here are not in the form. */
const TRANSLATIONS: Readonly<Record<string, Translate>> = {
  rw: (value) =>
    /^(read|write|randread|randwrite|rw|readwrite|randrw)$/.test(value)
      ? { options: { rw: value === 'readwrite' ? 'rw' : value } }
      : { not: 'The form supports only the patterns read, write, rw and their rand… forms.' },
  rwmixread: share((reads) => reads),
  rwmixwrite: share((writes) => 100 - writes),
  bs: size('bs'),
  size: size('size'),
  rate: size('rate'),
  rate_iops: number('rate-iops'),
  iodepth: number('iodepth'),
  numjobs: number('numjobs'),
  fsync: synced('fsync'),
  fdatasync: synced('fdatasync'),
  ioengine: (value) => ({ options: { ioengine: value } }),
  direct: direct(false),
  buffered: direct(true),
  directory: (value, options) => ({ options: { directory: directoryOf(value, options) } }),
  filename: (value) =>
    isDevicePath(value)
      ? { options: { device: value } }
      : { not: 'Kneepoint names the test files; the form accepts only a device.' },
  filename_format: (value) =>
    value === OWN_FILES ? AS_IT_IS : { not: 'Kneepoint names the test files, one per job.' },
  offset_increment: (value, options) =>
    partsOf(options) && bytesOf(value) === bytesOf(options.get('size')?.value ?? '')
      ? AS_IT_IS
      : { not: 'In the form, each job has a consecutive part of the device, as large as its size.' },
  loops: (value, options) =>
    inPasses(options) && /^[1-9]\d?$|^100$/.test(value)
      ? {
          options: { passes: Number(value) },
          note: 'Becomes the option “passes”: a load that has not done them within its duration fails.',
        }
      : { not: 'The form accepts it only with a runtime as the limit, without time_based, and up to 100.' },
  runtime: (value) => timed('duration', value),
  ramp_time: (value) => (value === '0' ? AS_IT_IS : timed('warmup', value)),
  time_based: (value) =>
    on(value) === undefined ? { not: 'The form accepts only 0 or 1.' } : on(value) ? AS_IT_IS : { note: TIME_NOTE },
  thread: ours('Kneepoint always runs jobs as threads.'),
  group_reporting: ours('Kneepoint always reports the jobs of the form together.'),
  randseed: ours('Replaced by the seed of the experiment.'),
};
const OWN_FILES = `${PREFIX}.$jobnum.$filenum`;
const TIME_NOTE = 'Kneepoint runs jobs for the time of the experiment and repeats them as needed.';

function timed(name: 'warmup' | 'duration', value: string): Reading {
  const seconds = secondsOf(value);
  if (seconds === undefined || (name === 'duration' && seconds < 1))
    return { not: 'The experiment accepts only a time of one second or more, as a number with s, m or h.' };
  return { measure: { [name]: seconds } };
}

/** A file written by Kneepoint names the folder that it creates; other files name its parent. */
function directoryOf(value: string, options: Options): string {
  const plain = value.replaceAll('\\:', ':');
  const isOurs = options.get('filename_format')?.value === OWN_FILES && plain.endsWith(`/${PREFIX}`);
  return isOurs ? plain.slice(0, -PREFIX.length - 1) || '/' : plain;
}

/** Whether jobs share a device, each with a separate part. */
const partsOf = (options: Options): boolean =>
  isDevicePath(options.get('filename')?.value ?? '') && Number(options.get('numjobs')?.value ?? 1) > 1;

/** Whether jobs end after their loops, or at the latest after a time. */
const inPasses = (options: Options): boolean =>
  options.has('loops') && options.has('runtime') && on(options.get('time_based')?.value ?? '0') === false;

/** fio's own defaults for options missing in a file, which differ from the form's. */
const DEFAULTS = { rw: 'read', ioengine: 'psync', direct: false } as const;

/** Converts a job to options of the form and the time of the experiment, and returns an explanation for each remaining line. */
export function toForm({ options }: Effective): {
  options: Record<string, Scalar>;
  measure: { warmup?: number; duration?: number };
  lines: ReadLine[];
} {
  const form: Record<string, Scalar> = { ...DEFAULTS };
  const measure: { warmup?: number; duration?: number } = {};
  const lines: ReadLine[] = [];
  for (const [name, { value, ...line }] of options) {
    const place = { number: line.number, text: line.text };
    const read: Reading = Object.hasOwn(TRANSLATIONS, name)
      ? (TRANSLATIONS[name] as Translate)(value, options)
      : { not: 'The form has no such option.' };
    if ('not' in read) {
      lines.push({ ...place, is: 'not-in-form', message: read.not });
      continue;
    }
    Object.assign(form, read.options);
    Object.assign(measure, read.measure);
    if (read.note !== undefined) lines.push({ ...place, is: 'note', message: read.note });
  }
  lines.push(...missing(options, measure));
  return { options: form, measure, lines };
}

/** Options that the form requires. */
function missing(options: Options, { duration }: { duration?: number }): ReadLine[] {
  const lines: ReadLine[] = [];
  const note = (is: ReadLine['is'], message: string): void => void lines.push({ text: '', is, message });
  if (!options.has('size')) note('not-in-form', 'The file sets no size, which the form requires.');
  if (options.has('filename') && options.has('directory'))
    note('not-in-form', 'The form accepts a folder or a device, not both.');
  if (partsOf(options) && !options.has('offset_increment'))
    note('not-in-form', 'Its jobs share one part of the device; in the form, each has its own part.');
  if (!inPasses(options) && (duration === undefined || !options.has('time_based'))) note('note', TIME_NOTE);
  return lines;
}

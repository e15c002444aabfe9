import type { ReadLine } from '../../../../../shared/contract/experiments.ts';
import { Measure } from '../../../../../shared/model/experiment.ts';
import { named } from '../../../../../shared/util/format.ts';
import { isDevicePath } from '../../device-gate.ts';
import { NO_DISK } from './job-options.ts';
import { type JobFileLine, jobFileLines, type OptionLine } from './job-sections.ts';
import { PREFIX, SAFE_PATH, secondsOf } from './place.ts';
import { hasShares, keepsRamps, needsTimeBased, type Schedule, scheduleOf } from './schedule.ts';

/** A job file without the lines that options and experiment replace. Times in seconds. */
export interface TakenOver {
  /** Unchanged if there were none. */
  text: string;
  place: { directory?: string; device?: string };
  measure: { warmup?: number; duration?: number };
  /** An explanation for each changed line. */
  lines: readonly ReadLine[];
}

const TIME_NOTE =
  'The file sets no time for its jobs, so they would end once their size is processed; here they repeat for the duration of the experiment.';
/** The only device of its jobs, if they use exactly one and no file. */
function onlyDevice(lines: readonly JobFileLine[]): string | undefined {
  const names = new Set(
    lines.flatMap((line) => (line.kind === 'option' && line.name === 'filename' ? [line.value] : [])),
  );
  const [only] = names;
  return names.size === 1 && only !== undefined && isDevicePath(only) && !NO_DISK.test(only) ? only : undefined;
}

const plainName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[_.-]+/, '') || 'file';

const jobName = (name: string): string => plainName(name.replaceAll('.', '-')).slice(0, 50);

class Taking {
  readonly place: TakenOver['place'] = {};
  readonly notes: ReadLine[] = [];
  readonly #names = new Set<string>();
  readonly #device: string | undefined;
  readonly #schedule: Schedule;
  warmup: number | undefined;

  constructor(lines: readonly JobFileLine[], schedule: Schedule) {
    this.#device = onlyDevice(lines);
    this.#schedule = schedule;
  }

  /** The replacement of a line. Undefined if it is removed. */
  line(line: JobFileLine): string | undefined {
    if (line.kind === 'section') return this.#section(line);
    return line.kind === 'option' ? this.#option(line) : line.text;
  }

  #note(line: JobFileLine, message: string): void {
    this.notes.push({ number: line.number, text: line.text, is: 'note', message });
  }

  /** The section name becomes part of file names, and jobs with equal names would share files. */
  #section(line: Extract<JobFileLine, { kind: 'section' }>): string {
    if (line.name === 'global') return line.text;
    const plain = jobName(line.name);
    let name = plain;
    for (let number = 2; this.#names.has(name); number += 1) name = `${plain}-${number}`;
    this.#names.add(name);
    if (name === line.name) return line.text;
    this.#note(line, `The job is renamed ${name}: its name is part of its file names.`);
    return `[${name}]`;
  }

  #option(line: OptionLine): string | undefined {
    const { name, value, text } = line;
    if (name === 'filename' || name === 'donorname') return this.#file(line);
    if (name === 'loops' && !this.#isOfSize(line)) this.#note(line, 'Here jobs run by time and repeat as needed.');
    if (/^(runtime|timeout)$/.test(name) && hasShares(this.#schedule)) {
      this.#note(line, 'Jobs keep their own times, as shares of the duration of the experiment.');
      return text;
    }
    if (name === 'time_based' && needsTimeBased(this.#schedule)) {
      this.#note(line, 'Jobs that do not run by time end after their size, as in fio.');
      return text;
    }
    if (name === 'ramp_time' && keepsRamps(this.#schedule)) {
      this.#note(line, 'Kept because the jobs do not all warm up at once; the experiment itself needs no warm-up.');
      return text;
    }
    if (name === 'wait_for') return `wait_for=${jobName(value)}`;
    if (name === 'directory') return this.#directory(line);
    const taken = this.#taken(name, value);
    if (taken === undefined) return text;
    this.#note(line, taken);
    return undefined;
  }

  /** Whether the line applies to a job that ends by its size. */
  #isOfSize({ number, name }: OptionLine): boolean {
    return this.#schedule.jobs.some(({ job, bySize }) => bySize && job.options.get(name)?.number === number);
  }

  /** Why an option is removed. Undefined if it is kept. */
  #taken(name: string, value: string): string | undefined {
    const seconds = secondsOf(value);
    if (name === 'runtime' || name === 'timeout')
      return seconds === undefined || (seconds > 0 && seconds < 1)
        ? undefined
        : 'Replaced by the duration of the experiment.';
    if (name === 'ramp_time' && seconds !== undefined) {
      this.warmup = Math.max(this.warmup ?? 0, seconds);
      return 'Replaced by the warm-up of the experiment.';
    }
    if (/^write_.*log$|^per_job_logs$|^log_/.test(name)) return 'Kneepoint records every second.';
    if (name === 'time_based') return 'Kneepoint always runs jobs by time.';
    if (/^threads?$/.test(name)) return 'Kneepoint always runs jobs as threads.';
    if (name === 'randseed') return 'Replaced by the seed of the experiment.';
    if (name === 'name') return 'The section names the job.';
    if (name === 'filename_format') return 'Kneepoint names the test files, one per job.';
    return undefined;
  }

  #directory(line: OptionLine): string | undefined {
    const { value, text } = line;
    const absolute = value.startsWith('/') && !value.includes(':') && !value.includes('$');
    if (absolute && !SAFE_PATH.test(value)) return text;
    if (absolute && (this.place.directory ?? value) !== value) {
      this.#note(
        line,
        `In fio, its files would be in a different folder. Here the files of all jobs are in one (${this.place.directory}): if the folders are on different disks, one disk gets the load of both. Jobs that do the same in each folder are described by the options of the form, with “directories”.`,
      );
      return undefined;
    }
    if (absolute) this.place.directory = value;
    this.#note(
      line,
      absolute
        ? 'Replaced by the option “directory”.'
        : 'Not a single folder of the host: replaced by the option “directory”.',
    );
    return undefined;
  }

  /** Jobs that share files still do, under Kneepoint's names and in its folder. */
  #file(line: OptionLine): string | undefined {
    const { value, text } = line;
    if (this.#device !== undefined) {
      this.place.device = this.#device;
      this.#note(line, 'Replaced by the option “device”.');
      return undefined;
    }
    const files = value.split(/(?<!\\):/);
    if (NO_DISK.test(value)) return text;
    if (value === '' || files.some((file) => /^\/+(dev|proc|sys)\//.test(file) || file.includes('..'))) return text;
    const [first = ''] = files;
    const folder = first.slice(0, first.lastIndexOf('/'));
    if (folder.startsWith('/') && !folder.includes('$') && SAFE_PATH.test(folder)) this.place.directory ??= folder;
    const names = files.map(
      (file) => `${PREFIX}.${plainName(file.slice(file.lastIndexOf('/') + 1)).replace(`${PREFIX}.`, '')}`,
    );
    const renamed = `${line.name}=${names.join(':')}`;
    if (names.join(':') === value) return text;
    this.#note(line, `Changed to ${renamed}: test files are in a separate folder, with this prefix.`);
    return renamed;
  }
}

/**
 * Removes place, times and everything that Kneepoint sets itself from a job file, gives files and jobs unique names, and leaves the rest unchanged.
 * Line numbers are preserved: a removed line becomes a comment.
 */
export function takeOver(text: string): TakenOver {
  const lines = jobFileLines(text);
  const schedule = scheduleOf(lines);
  const taking = new Taking(lines, schedule);
  const raw = text.split('\n');
  for (const line of lines) {
    const now = taking.line(line);
    const index = line.number - 1;
    const end = raw[index]?.endsWith('\r') ? '\r' : '';
    if (now === undefined) raw[index] = `; ${line.text}${end}`;
    else if (now !== line.text) raw[index] = `${now}${end}`;
  }
  const { warmup } = taking;
  const time = durationOf(schedule);
  return {
    text: raw.join('\n'),
    place: taking.place,
    measure: {
      ...(warmup !== undefined && { warmup }),
      ...(time.duration !== undefined && { duration: time.duration }),
    },
    lines: [...taking.notes, ...time.notes.map((message): ReadLine => ({ text: '', is: 'note', message }))],
  };
}

/** The measured time of the experiment, and notes for the user about it. */
function durationOf({ jobs, stages, seconds, delay, untimed }: Schedule): { duration?: number; notes: string[] } {
  const notes =
    stages > 1
      ? [
          `Its jobs run in ${stages} stages, one after the other, which share the duration of the experiment. Figures of the whole run are means over all stages; each has its own as group_0, group_1 and so on.`,
        ]
      : [];
  const bySize = jobs.flatMap(({ job, bySize: isBySize }) => (isBySize ? [job.name] : []));
  if (bySize.length > 0)
    notes.push(
      `${named(bySize)} ${bySize.length === 1 ? 'ends when it has' : 'end when they have'} processed ${bySize.length === 1 ? 'its' : 'their'} size, as in fio, after an unknown time: ${untimed > 0 ? 'a stage without a time in the file lasts as long as the longest other stage, and ' : ''}the duration of the experiment is the upper limit. Set a longer one if this disk needs it.`,
    );
  if (seconds !== undefined) return { duration: seconds, notes };
  notes.push(TIME_NOTE);
  if (delay === 0) return { notes };
  const duration = delay + Measure.parse({}).duration;
  notes.push(`Its last job starts after ${delay} s, so the duration is set to ${duration} s.`);
  return { duration, notes };
}

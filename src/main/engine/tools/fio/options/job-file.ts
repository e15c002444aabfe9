import { KneepointError } from '../../../../../shared/model/problem.ts';
import { type JobFileLine, jobFileLines } from './job-file-lines.ts';
import { SIZE } from './values.ts';

const NUMBER = /^\d+$/;
const DECIMAL = /^\d+(\.\d+)?$/;
const SWITCH = /^[01]?$/;
const WORDS = /^[A-Za-z0-9_.,:%/-]+$/;
/** One size, or one for reads, writes and trims each; ranges have a hyphen. */
const SIZES = new RegExp(`^${SIZE.source.slice(1, -1)}(?:[-,]${SIZE.source.slice(1, -1)})*$`, 'i');
const RW = /^(read|write|randread|randwrite|rw|readwrite|randrw)(:\d+)?$/;
const ENGINE = /^(libaio|io_uring|posixaio|psync|sync|pvsync|pvsync2|vsync|mmap|splice)$/;

/**
 * Options that a job file may set, and what their values look like. None of them names a file, a device or a program, or decides how
 * long a job runs: that is why the list says what may be there, and not what may not.
 */
const ALLOWED: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    rw: RW,
    readwrite: RW,
    bs: SIZES,
    blocksize: SIZES,
    bsrange: SIZES,
    blocksize_range: SIZES,
    bssplit: WORDS,
    blockalign: SIZES,
    ba: SIZES,
    size: SIZE,
    filesize: SIZES,
    nrfiles: NUMBER,
    io_size: SIZE,
    number_ios: NUMBER,
    iodepth: NUMBER,
    iodepth_batch: NUMBER,
    iodepth_batch_submit: NUMBER,
    iodepth_batch_complete: NUMBER,
    iodepth_batch_complete_min: NUMBER,
    iodepth_batch_complete_max: NUMBER,
    iodepth_low: NUMBER,
    numjobs: NUMBER,
    ioengine: ENGINE,
    direct: SWITCH,
    buffered: SWITCH,
    sync: /^(0|1|none|sync|dsync)?$/,
    fsync: NUMBER,
    fdatasync: NUMBER,
    end_fsync: SWITCH,
    fsync_on_close: SWITCH,
    rwmixread: NUMBER,
    rwmixwrite: NUMBER,
    percentage_random: WORDS,
    random_distribution: WORDS,
    random_generator: WORDS,
    norandommap: SWITCH,
    randrepeat: SWITCH,
    allrandrepeat: SWITCH,
    file_service_type: WORDS,
    rate: SIZES,
    rate_iops: WORDS,
    rate_process: WORDS,
    thinktime: WORDS,
    thinktime_spin: WORDS,
    thinktime_blocks: NUMBER,
    latency_target: WORDS,
    latency_window: WORDS,
    latency_percentile: DECIMAL,
    unified_rw_reporting: WORDS,
    percentile_list: WORDS,
    group_reporting: SWITCH,
    new_group: SWITCH,
    description: /^.*$/,
    invalidate: SWITCH,
    fadvise_hint: WORDS,
    buffer_compress_percentage: NUMBER,
    refill_buffers: SWITCH,
    zero_buffers: SWITCH,
    scramble_buffers: SWITCH,
    hipri: SWITCH,
    fixedbufs: SWITCH,
    registerfiles: SWITCH,
    sqthread_poll: SWITCH,
    nice: /^-?\d+$/,
    prio: NUMBER,
    prioclass: NUMBER,
    cpus_allowed: WORDS,
    cpus_allowed_policy: WORDS,
  }),
);
/** Options that people write into job files and that are refused, with the reason. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(runtime|timeout|time_based|ramp_time|startdelay|stonewall|wait_for_previous|wait_for|loops)$/,
    'the duration and the warm-up of the experiment decide how long the jobs run, all at the same time',
  ],
  [
    /^(filename|directory|opendir|filename_format|unique_filename|unlink|write_.*_log|read_iolog|replay_.*|merge_blktrace_.*)$/,
    'test files lie in a folder of their own inside the option directory, so that nothing else can be overwritten',
  ],
  [/^(exec_prerun|exec_postrun|include)$/, 'a job file starts no other programs and reads no other files'],
  [/^(thread|randseed|status_interval|output.*)$/, 'Kneepoint sets it itself'],
];

/** A line of a job file that is refused, and why. */
export interface Refusal {
  /** From 1; absent for what is missing in the whole. */
  line?: number;
  message: string;
  next: string;
}

/** What a job file holds: its text with everything that is not needed taken out, and whether any job writes. */
export interface CheckedJobFile {
  text: string;
  jobs: readonly string[];
  writes: boolean;
}

const WRITES = /^(rw|readwrite)\s*=\s*(write|randwrite|rw|readwrite|randrw)\b/;

/** Reads a job file and tells every line that is refused. */
export function judgeJobFile(text: string): { file: CheckedJobFile; refusals: readonly Refusal[] } {
  const kept: string[] = [];
  const jobs: string[] = [];
  const refusals: Refusal[] = [];
  let begun = false;
  for (const line of jobFileLines(text)) {
    if (line.kind === 'comment') continue;
    kept.push(line.text);
    const refusal = line.kind === 'section' ? ofSection(line.name, jobs) : begun ? ofOption(line) : BEFORE_ALL;
    if (refusal) refusals.push({ line: line.number, ...refusal });
    if (line.kind !== 'section') continue;
    begun = true;
    if (line.name !== 'global') jobs.push(line.name);
  }
  if (jobs.length === 0) refusals.push(NO_JOB);
  return { file: { text: `${kept.join('\n')}\n`, jobs, writes: kept.some((line) => WRITES.test(line)) }, refusals };
}

const BEFORE_ALL: Refusal = {
  message: 'an option stands before the first [section].',
  next: 'Begin with [global] or the name of a job.',
};
const NO_JOB: Refusal = {
  message: 'The workload runs a job file, but there is no job in it.',
  next: 'Write a section like [reads] with rw=randread and size=1g into the option job-file.',
};

function ofSection(name: string, jobs: readonly string[]): Refusal | undefined {
  // It becomes a part of the names of the files.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$/.test(name))
    return { message: `“${name}” is no name for a job.`, next: 'Use letters, digits, hyphens and underscores.' };
  if (!jobs.includes(name)) return undefined;
  return { message: `two jobs are called “${name}”.`, next: 'Give each its own name.' };
}

function ofOption(line: JobFileLine): Refusal | undefined {
  const { name, value } =
    line.kind === 'option' ? line : { name: line.kind === 'include' ? 'include' : line.text, value: '' };
  const pattern = ALLOWED.get(name);
  if (pattern)
    return pattern.test(value)
      ? undefined
      : { message: `“${value}” is no value for ${name}.`, next: 'Correct it; sizes are numbers with k, m, g or t.' };
  const reason = REASONS.find(([names]) => names.test(name))?.[1];
  return {
    message: `the option “${name}” cannot be set in a job file here${reason ? `: ${reason}` : ''}.`,
    next: 'Take the line out.',
  };
}

/** Checks a job file line by line. Throws `experiment-invalid` with the first line that is refused and the reason. */
export function checkJobFile(text: string): CheckedJobFile {
  const { file, refusals } = judgeJobFile(text);
  const [first] = refusals;
  if (!first) return file;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: first.line === undefined ? first.message : `Line ${first.line} of the job file: ${first.message}`,
    safe: 'Nothing was started and no file was written.',
    next: first.next,
  });
}

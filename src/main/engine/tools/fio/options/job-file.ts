import { KneepointError } from '../../../../../shared/model/problem.ts';
import { type JobFileLine, jobFileLines } from './job-file-lines.ts';
import { PREFIX } from './place.ts';

const NUMBER = /^\d+$/;
const DECIMAL = /^\d+(\.\d+)?$/;
const SWITCH = /^[01]?$/;
const WORDS = /^[A-Za-z0-9_.,:%/-]+$/;
/** fio takes what stands behind a number and is no unit for nothing at all, without a word. */
const ONE_SIZE = '\\d{1,15}(?:[kmgtp](?:i?b)?)?';
const ONE = new RegExp(`^${ONE_SIZE}%?$`, 'i');
/** One size, or one for reads, writes and trims each; ranges have a hyphen. */
const SIZES = new RegExp(`^${ONE_SIZE}(?:[-,]${ONE_SIZE})*,?$`, 'i');
const TIME = /^\d+(us|ms|s|m|h|d)?$/;
/** Files of ours, by names that only our folder has; several with colons between. */
const OWN_FILES = new RegExp(`^${PREFIX}\\.[A-Za-z0-9_.-]+(?::${PREFIX}\\.[A-Za-z0-9_.-]+)*$`);
const RW = /^(read|write|randread|randwrite|rw|readwrite|randrw)(:-?\d+[kmg]?)?$/i;
/** Engines that work on files and need nothing but them, and two that do no I/O. */
const ENGINE =
  /^(libaio|io_uring|posixaio|psync|sync|pvsync|pvsync2|vsync|mmap|splice|falloc|ftruncate|filecreate|filestat|filedelete|null|cpuio)$/;

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
    size: ONE,
    filesize: SIZES,
    nrfiles: NUMBER,
    io_size: ONE,
    io_limit: ONE,
    filename: OWN_FILES,
    offset: ONE,
    offset_increment: ONE,
    offset_align: ONE,
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
    stonewall: SWITCH,
    wait_for_previous: SWITCH,
    wait_for: /^[A-Za-z0-9_-]+$/,
    startdelay: TIME,
    loops: NUMBER,
    openfiles: NUMBER,
    lockfile: /^(none|exclusive|readwrite)$/,
    create_on_open: SWITCH,
    create_serialize: SWITCH,
    create_fsync: SWITCH,
    allow_file_create: SWITCH,
    fallocate: /^(none|native|posix|keep|truncate|0|1)$/,
    overwrite: SWITCH,
    file_append: SWITCH,
    unlink: SWITCH,
    pre_read: SWITCH,
    exitall: SWITCH,
    exitall_on_error: SWITCH,
    exit_what: WORDS,
    bs_unaligned: SWITCH,
    blocksize_unaligned: SWITCH,
    bs_is_seq_rand: SWITCH,
    softrandommap: SWITCH,
    rw_sequencer: WORDS,
    rwmixcycle: NUMBER,
    sync_file_range: /^[a-z_]+:\d+(,[a-z_]+:\d+)*$/,
    write_barrier: NUMBER,
    fdatasync_on_close: SWITCH,
    verify: /^(0|1|meta|pattern|null|md5|crc64|crc32c|crc32c-intel|crc32|crc16|crc7|xxhash|sha\d*(-\d+)?|sha3-\d+)$/,
    do_verify: SWITCH,
    verifysort: SWITCH,
    verify_fatal: SWITCH,
    verify_dump: SWITCH,
    verify_only: SWITCH,
    verify_offset: SIZES,
    verify_interval: SIZES,
    verify_backlog: NUMBER,
    verify_backlog_batch: NUMBER,
    verify_async: NUMBER,
    verify_pattern: /^(0x[0-9a-f]+|"[^"]*"|%o|-?\d+)+$/i,
    experimental_verify: SWITCH,
    buffer_compress_chunk: ONE,
    buffer_pattern: /^(0x[0-9a-f]+|"[^"]*"|-?\d+)+$/i,
    dedupe_percentage: NUMBER,
    dedupe_global: SWITCH,
    dedupe_mode: WORDS,
    dedupe_working_set_percentage: NUMBER,
    zonesize: ONE,
    zonerange: ONE,
    zoneskip: ONE,
    zonemode: /^(none|strided)$/,
    flow: /^-?\d+$/,
    flow_id: NUMBER,
    flow_watermark: NUMBER,
    flow_sleep: NUMBER,
    rate_min: SIZES,
    rate_iops_min: WORDS,
    rate_cycle: NUMBER,
    rate_ignore_thinktime: SWITCH,
    thinktime_iotime: TIME,
    max_latency: TIME,
    latency_run: SWITCH,
    steadystate: WORDS,
    ss: WORDS,
    steadystate_duration: TIME,
    ss_dur: TIME,
    steadystate_ramp_time: TIME,
    ss_ramp: TIME,
    gtod_reduce: SWITCH,
    gtod_cpu: NUMBER,
    clocksource: /^(gettimeofday|clock_gettime|cpu)$/,
    disable_lat: SWITCH,
    disable_clat: SWITCH,
    disable_slat: SWITCH,
    disable_bw_measurement: SWITCH,
    disable_bw: SWITCH,
    clat_percentiles: SWITCH,
    slat_percentiles: SWITCH,
    lat_percentiles: SWITCH,
    disk_util: SWITCH,
    bwavgtime: NUMBER,
    iopsavgtime: NUMBER,
    log_avg_msec: NUMBER,
    continue_on_error: WORDS,
    ignore_error: WORDS,
    error_dump: SWITCH,
    mem: /^(malloc|shm|shmhuge|mmap)$/,
    iomem: /^(malloc|shm|shmhuge|mmap)$/,
    iomem_align: SIZES,
    mem_align: SIZES,
    cpuload: NUMBER,
    cpuchunks: NUMBER,
    exit_on_io_done: SWITCH,
    cmdprio_percentage: WORDS,
    cmdprio_class: WORDS,
    cmdprio: WORDS,
    cmdprio_bssplit: WORDS,
    numa_cpu_nodes: WORDS,
    numa_mem_policy: WORDS,
    userspace_reap: SWITCH,
    nonvectored: SWITCH,
    uncached: SWITCH,
    nowait: SWITCH,
    force_async: NUMBER,
    kb_base: NUMBER,
    unit_base: NUMBER,
  }),
);
/** Options that people write into job files and that are refused, with the reason. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(runtime|timeout|time_based|ramp_time)$/,
    'the duration and the warm-up of the experiment decide how long the jobs run',
  ],
  [
    /^(filename|directory|opendir|filename_format|unique_filename|write_.*_log|read_iolog|replay_.*|merge_blktrace_.*)$/,
    'test files lie in a folder of their own inside the option directory, so that nothing else can be overwritten',
  ],
  [/^(exec_prerun|exec_postrun|include)$/, 'a job file starts no other programs and reads no other files'],
  [/^fill_(device|fs)$/, 'it would fill the disk of the host to the last byte'],
  [/^(ioscheduler|cgroup.*|uid|gid)$/, 'it changes the host for other programs, or who runs the jobs'],
  [/^(thread|randseed|status_interval|output.*)$/, 'Kneepoint sets it itself'],
];

/** Values that fio takes and Kneepoint does not, with the reason. */
const VALUE_REASONS: readonly (readonly [option: RegExp, value: RegExp, reason: string])[] = [
  [/^(rw|readwrite)$/, /trim/, 'it discards blocks of a device, and test files have none of their own'],
  [
    /^ioengine$/,
    /^(net|netsplice|rdma|librpma.*|http|nbd|rbd|rados|gfapi.*|libhdfs|libiscsi|libnfs|dfs|windowsaio)/,
    'it works over a network or with a service, and not on files of the host',
  ],
  [
    /^ioengine$/,
    /^(sg|bsg|libzbc|xnvme|io_uring_cmd|nvme|libblkio|dev-dax|libpmem|pmemblk|mtd|e4defrag|solarisaio)/,
    'it needs a device or a file system of its kind',
  ],
  [/^ioengine$/, /^(exec|external|cpp_null|guasi|ime)/, 'it loads or starts another program'],
  [
    /^filename$/,
    /\/dev\//,
    'several devices, or devices beside files, cannot be measured at once: name one in the option device',
  ],
  [
    /^filename$/,
    /./,
    'test files lie in a folder of their own inside the option directory, so that nothing else can be overwritten',
  ],
  [/./, /\$\{/, 'it stands for a variable of the environment, which the run does not have'],
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

const WRITES =
  /^(rw|readwrite)\s*=\s*(write|randwrite|rw|readwrite|randrw)\b|^ioengine\s*=\s*(falloc|ftruncate|filecreate|filedelete)\b|^(unlink|overwrite)\b/;

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
  if (pattern?.test(value)) return undefined;
  const why = pattern && VALUE_REASONS.find(([option, values]) => option.test(name) && values.test(value))?.[2];
  if (why) return { message: `“${name}=${value}” is not run here: ${why}.`, next: 'Take the line out.' };
  if (pattern)
    return { message: `“${value}” is no value for ${name}.`, next: 'Correct it; sizes are numbers with k, m, g or t.' };
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

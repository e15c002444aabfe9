import { JOB_OPTIONS } from './job-options.ts';
import type { Job } from './job-sections.ts';

/** A refused line of a job file, with the reason. */
export interface Refusal {
  /** Counts from 1. Undefined for something missing in the whole file. */
  line?: number;
  message: string;
  next: string;
}

/** Common job file options that are refused, with the reason. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(runtime|timeout|time_based|ramp_time)$/,
    'the duration and the warm-up of the experiment set the run time of the jobs',
  ],
  [
    /^(directory|opendir|filename_format|unique_filename|write_.*_log|write_iolog|read_iolog|replay_.*|merge_blktrace_.*)$/,
    'test files are in a separate folder inside that of the option “directory”, so that nothing else can be overwritten',
  ],
  [/^(exec_prerun|exec_postrun|include)$/, 'a job file starts no other programs and reads no other files'],
  [/^fill_(device|fs)$/, 'it would fill the disk of the host to the last byte'],
  [/^(allow_mounted_write)$/, 'it would write to a disk that is in use'],
  [/^(ioscheduler|cgroup.*|uid|gid|lockmem)$/, 'it affects other programs on the host, or the account of the jobs'],
  [/^(threads?|randseed|status_interval|output.*|stats|create_only)$/, 'Kneepoint sets it itself'],
  [
    /^(hostname|port|protocol|listen|pingpong|interface|ttl|nodelay|window_size|mss|verb|bindname|serverip|direct_write_to_pmem|busy_wait_polling|nfs_url|namenode|hostname|uri|https?|http_.*|pool|cont|chunk_size|object_class|svcl|clustername|clientname|conf|rbdname|busy_poll|touch_objects|volume|brick)$/,
    'it belongs to an engine that uses a network or a service',
  ],
  [/^(gpu_dev_ids?|cuda_io)$/, 'it belongs to an engine that needs a graphics card'],
  [
    /^(sg_write_mode|readfua|writefua|cmd_type|md_per_io_size|pi_.*|skip_bad|block_error_percentiles|xnvme_.*|libblkio_.*)$/,
    'it belongs to an engine that needs a device of its kind',
  ],
  [/^(program|arguments|grace_time|std_redirect)$/, 'it belongs to an engine that starts another program'],
];
const UNKNOWN = 'it is not known to be safe on a host';

const VARIABLE = 'it refers to an environment variable, which is not set in the run';
const OF_THE_HOST = 'fio replaces it with a value of its host (CPUs, page size, memory), which is unknown here';
const SEVERAL = 'a job file measures one device, named in the option “device”, without other files';
/** Advice where removing the line would remove something essential. */
const NEXT: ReadonlyMap<string, string> = new Map([
  [
    VARIABLE,
    'Write a value instead; to vary it, describe the job in the form and make the option a factor with a level per value.',
  ],
  [OF_THE_HOST, 'Write the number instead, or vary it as a factor.'],
  [SEVERAL, 'For jobs that do the same on several devices, use the form and list the devices in its option “devices”.'],
]);

/** Values that fio accepts and Kneepoint refuses, with the reason. */
const VALUE_REASONS: readonly (readonly [option: RegExp, value: RegExp, reason: string])[] = [
  [/./, /\$\{/, VARIABLE],
  [/./, /\$(ncpus|pagesize|mb_memory)/, OF_THE_HOST],
  [
    /^ioengine$/,
    /^(net|netsplice|rdma|librpma.*|http|nbd|nfs|rbd|rados|gfapi.*|libhdfs|libiscsi|libnfs|dfs|windowsaio)$/,
    'it uses a network or a service, not files of the host',
  ],
  [
    /^ioengine$/,
    /^(sg|bsg|libzbc|xnvme|io_uring_cmd|nvme|libblkio|dev-dax|libpmem|pmemblk|mtd|solarisaio)$/,
    'it needs a device or a file system of its kind',
  ],
  [/^(ioengine|mem|iomem)$/, /^(libcufile|cudamalloc.*)$/, 'it needs a graphics card'],
  [
    /^ioengine$/,
    /^(exec|external.*|cpp_null|guasi|ime.*|.*\/.*)$/,
    'it starts another program, or loads one that is not part of fio',
  ],
  [/^ioengine$/, /./, 'it is not known to work on files alone'],
  [/^(filename|donorname)$/, /\/dev\//, SEVERAL],
  [
    /^(filename|donorname)$/,
    /./,
    'test files are in a separate folder inside that of the option “directory”, so that nothing else can be overwritten',
  ],
];

const SIZED = /size|^bs|range|limit|offset|align|^rate/;

/**
 * Why a job file option is refused. Undefined if it is allowed. `shares`: its jobs have different times, which define their shares of the duration.
 */
export function optionRefusal(name: string, value: string, shares: boolean): Refusal | undefined {
  const pattern = shares || !/^(runtime|timeout|ramp_time|time_based)$/.test(name) ? JOB_OPTIONS.get(name) : undefined;
  if (pattern?.test(value)) return undefined;
  const why = pattern && VALUE_REASONS.find(([option, values]) => option.test(name) && values.test(value))?.[2];
  if (why)
    return { message: `“${name}=${value}” is not supported here: ${why}.`, next: NEXT.get(why) ?? 'Remove the line.' };
  if (pattern)
    return {
      message: `“${value}” is not a known value for ${name}.`,
      next: SIZED.test(name) ? 'Correct it; sizes are numbers with k, m, g or t.' : 'Correct it.',
    };
  const reason = REASONS.find(([names]) => names.test(name))?.[1] ?? UNKNOWN;
  return { message: `the option “${name}” cannot be set in a job file here: ${reason}.`, next: 'Remove the line.' };
}

/** Blocks of a file can be discarded only by punching holes, which only one engine does. */
export function trimRefusal({ options }: Job): Refusal | undefined {
  const rw = options.get('rw');
  const engine = options.get('ioengine')?.value ?? 'psync';
  const isRefused = optionRefusal('ioengine', engine, false) !== undefined;
  if (!rw || !/trim/i.test(rw.value) || engine === 'falloc' || isRefused) return undefined;
  return {
    line: rw.number,
    message: `“${rw.text}” is not supported here: it discards blocks of a device. In a file, only ioengine=falloc can discard blocks (by punching holes).`,
    next: 'Remove the line, or set ioengine=falloc for the job.',
  };
}

import { KneepointError } from '../../../../../shared/model/problem.ts';
import { isDevicePath } from '../../device-gate.ts';
import { wholeSeconds } from '../../option-problem.ts';
import type { Command, PlanInput, ToolPlan } from '../../tool.ts';
import { filesOf } from '../files.ts';
import type { FioOptions } from '../options/index.ts';
import { checkJobFile } from '../options/job-file.ts';
import { jobFileLines } from '../options/job-file-lines.ts';
import { type Job, jobsIn } from '../options/job-sections.ts';
import { folderOf, PREFIX, sizeArgument } from '../options/place.ts';
import { timedJobFile } from '../options/schedule.ts';

type Input = PlanInput<FioOptions>;

/** fio's random generator accepts a 64-bit seed; integers in JavaScript have 53 bits. */
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
/** Jobs run as threads of one process: separate processes would survive when fio is killed. */
const ALWAYS = ['--thread', '--eta=never', '--output-format=json+'];
/** Percentiles of the total latency. Those of completion exclude the time in which an engine blocks on submission. */
const WHOLE_LATENCY = ['lat_percentiles=1', 'clat_percentiles=0'];

export const seedOf = (input: Input): number => Math.trunc(Math.abs(input.seed)) % LARGEST_SEED;

/** Where jobs work: in files, or each on its own part of a device. Equal for prepare and run, so that both use the same place. */
const placeArguments = ({ device, size, numjobs }: FioOptions): string[] =>
  device === undefined
    ? [`--filename_format=${PREFIX}.$jobnum.$filenum`]
    : [`--filename=${device}`, ...(numjobs > 1 ? [`--offset_increment=${sizeArgument(size)}`] : [])];

const fileArguments = (options: FioOptions): string[] => [
  ...placeArguments(options),
  `--size=${sizeArgument(options.size)}`,
  `--numjobs=${options.numjobs}`,
  '--group_reporting=1',
];

export const writes = (options: FioOptions): boolean => options.rw !== 'read' && options.rw !== 'randread';
const synced = (name: string, every: number): string[] => (every > 0 ? [`--${name}=${every}`] : []);

function loadArguments(input: Input): string[] {
  const { options } = input;
  return [
    `--name=${PREFIX}`,
    `--rw=${options.rw}`,
    ...(options.rw === 'rw' || options.rw === 'randrw' ? [`--rwmixread=${options.rwmixread}`] : []),
    `--bs=${sizeArgument(options.bs)}`,
    `--iodepth=${options.iodepth}`,
    `--ioengine=${options.ioengine}`,
    `--direct=${options.direct ? 1 : 0}`,
    ...(writes(options) ? [...synced('fsync', options.fsync), ...synced('fdatasync', options.fdatasync)] : []),
    ...(options['rate-iops'] > 0 ? [`--rate_iops=${options['rate-iops']}`] : []),
    ...(options.rate === '' ? [] : [`--rate=${sizeArgument(options.rate)}`]),
    ...fileArguments(options),
    '--time_based',
    `--runtime=${wholeSeconds(input)}`,
    `--randseed=${seedOf(input)}`,
  ];
}

interface Commands extends Record<'prepare' | 'run', { argv: string[]; files: Command['files'] }> {
  writes: boolean;
}

/** Commands for a form's job. A reading job is not allowed to write: if files are missing, it fails. */
function formCommands(input: Input): Commands {
  const { options } = input;
  const only = writes(options) ? [] : ['--readonly'];
  return {
    writes: writes(options),
    // Files are laid out with a read job: later writes go to existing blocks, as in a database.
    prepare: {
      argv: ['fio', ...ALWAYS, `--name=${PREFIX}`, '--rw=read', '--create_only=1', ...fileArguments(options)],
      files: [],
    },
    run: {
      argv: [
        ...['fio', ...ALWAYS, ...only, '--status-interval=1'],
        ...loadArguments(input),
        ...WHOLE_LATENCY.map((word) => `--${word}`),
      ],
      files: [],
    },
  };
}

/**
 * Options that prevent creation of all files at once: a delayed job would block the others, the first finished job would end all others, and fio 3.33
 * never ends when it only creates files with an offloading submit mode.
 */
const toCreate = (text: string): string =>
  text.replaceAll(/^(startdelay|time_based|exitall|exitall_on_error|exit_what|io_submit_mode)\b.*\n/gm, '');

const filesOnDevice = (): KneepointError =>
  new KneepointError({
    code: 'experiment-invalid',
    message: 'The option device is set, but jobs of the job file name, create or remove files.',
    safe: 'Nothing was started and nothing was written.',
    next: 'Remove these lines from the job file, or unset the option device.',
  });

/** Test files are created for their jobs, so no existing file provides a size. */
function requireSizes(text: string): void {
  const jobs = jobsIn(jobFileLines(text));
  const isSized = ({ options }: Job): boolean => options.has('size') || options.has('filesize');
  const shared = new Set(jobs.filter(isSized).flatMap(({ options }) => options.get('filename')?.value ?? []));
  const without = jobs.find((job) => {
    const { options } = job;
    return (
      !isSized(job) && options.get('ioengine')?.value !== 'cpuio' && !shared.has(options.get('filename')?.value ?? '')
    );
  });
  if (!without) return;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The job ${without.name} of the job file has no size to create its file with.`,
    safe: 'Nothing was started and no file was written.',
    next: 'Write size= into the job, or name a device that has one.',
  });
}

function fileCommands(input: Input): Commands {
  const { device } = input.options;
  const { text, writes: writing } = checkJobFile(input.options['job-file']);
  if (device !== undefined && /^filename\s*=/m.test(text)) throw filesOnDevice();
  if (device !== undefined && /^ioengine\s*=\s*(f(ile|alloc|truncate)\w*|e4defrag)/m.test(text)) throw filesOnDevice();
  if (device === undefined) requireSizes(text);
  const place = device === undefined ? `filename_format=${PREFIX}.$jobname.$jobnum.$filenum` : `filename=${device}`;
  const shared = ['[global]', place, 'thread'];
  const timed = timedJobFile(text, wholeSeconds(input));
  const file = (own: readonly string[], jobs: string): Command['files'] => [
    { name: 'jobs.fio', content: `${[...shared, ...own].join('\n')}\n${jobs}`, mode: 0o600, secret: false },
  ];
  return {
    writes: writing,
    prepare: { argv: ['fio', ...ALWAYS.slice(1), '@jobs.fio@'], files: file(['create_only=1'], toCreate(text)) },
    run: {
      argv: ['fio', ...ALWAYS.slice(1), ...(writing ? [] : ['--readonly']), '--status-interval=1', '@jobs.fio@'],
      files: file(
        ['time_based', `runtime=${timed.seconds}`, `randseed=${seedOf(input)}`, ...WHOLE_LATENCY],
        timed.text,
      ),
    },
  };
}

/** A storage path can be a device. If so, the device is measured unless the options name another place. */
export function placed(input: Input): Input {
  const { options, connection } = input;
  const { path } = connection;
  const isDevice = connection.kind === 'storage' && path !== undefined && isDevicePath(path);
  if (!isDevice || options.directory !== undefined || options.device !== undefined) return input;
  return { ...input, options: { ...options, device: path } };
}

/** Commands of a fio workload. Throws `experiment-invalid` without an allowed folder or device, and for a refused job file. */
export function planFio(asked: Input): ToolPlan {
  const input = placed(asked);
  const { options, connection } = input;
  if (connection.kind !== 'host' && connection.kind !== 'storage')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `fio measures the disk of a host, not a target of kind ${connection.kind}.`,
      safe: 'Nothing was started and no file was written.',
      next: 'Choose a storage path, or no target.',
    });
  const commands = options.source === 'form' ? formCommands(input) : fileCommands(input);
  return options.device === undefined ? inFolder(input, commands) : onDevice(input, options.device, commands);
}

const scripted = (script: string, place: string, { argv, files }: Commands['run']): Command => ({
  argv: ['sh', '@own-files.sh@', place, ...argv],
  env: { LC_ALL: 'C' },
  files: [{ name: 'own-files.sh', content: script, mode: 0o600, secret: false }, ...files],
  plannedSeconds: 0,
});

function inFolder(input: Input, { prepare, run }: Commands): ToolPlan {
  const folder = folderOf(input.options.directory ?? input.connection.path);
  return {
    prepare: scripted(ENTER_NEW, folder, prepare),
    run: { ...scripted(ENTER_NEW, folder, run), plannedSeconds: wholeSeconds(input) },
    // Only the files of this workload: other files in the folder belong to other file sets.
    cleanup: scripted(REMOVE, folder, { argv: (filesOf(input.options) ?? []).map(({ name }) => name), files: [] }),
  };
}

/** A device is measured as it is: nothing is laid out before, and nothing can be restored after. */
function onDevice(input: Input, device: string, { run, writes: writing }: Commands): ToolPlan {
  if (input.options.directory !== undefined)
    throw new KneepointError({
      code: 'experiment-invalid',
      message: 'Both a directory and a device are set; fio measures only one of them.',
      safe: 'Nothing was started and nothing was written.',
      next: 'Unset the option directory or the option device.',
    });
  return {
    run: {
      ...scripted(ON_DEVICE, device, run),
      plannedSeconds: wholeSeconds(input),
      ...(writing && { overwrites: [device] }),
    },
  };
}

/** Marks the folder as created by Kneepoint. Nothing inside a folder without it is touched. */
const MARK = 'made-by-kneepoint';

/** Enters the folder given by the user, `$1`. Symbolic links are resolved before it is checked. */
const ENTER_NAMED = `
refuse() { echo "kneepoint: refused: $1" >&2; exit 1; }
folder=$1; shift
cd -P -- "$folder" || exit
case $PWD/ in /dev/shm/*) ;; /dev/*|/proc/*|/sys/*) refuse "$folder is not a place for files" ;; esac
[ -L ${PREFIX} ] && refuse "$PWD/${PREFIX} is a link"
`;
/** Only a folder with the mark belongs to Kneepoint. A link or a device among its files would redirect writes. */
const ENTER_OWN = `
[ -d ${PREFIX} ] && [ -f ${PREFIX}/${MARK} ] && [ ! -L ${PREFIX}/${MARK} ] ||
  refuse "$PWD/${PREFIX} was not made by Kneepoint"
cd -P -- ${PREFIX} || exit
for file in ${PREFIX}.*; do
  [ ! -L "$file" ] && { [ ! -e "$file" ] || [ -f "$file" ]; } || refuse "$PWD/$file is not a plain file"
done
`;

/** Script that creates the folder if missing, enters it and runs the remaining arguments. */
const ENTER_NEW = `${ENTER_NAMED}
[ -e ${PREFIX} ] || { mkdir -- ${PREFIX} && : >${PREFIX}/${MARK}; } || exit
${ENTER_OWN}
exec "$@"
`.replaceAll(/\n+/g, '\n');

/** Script that removes the named test files, or all, and the folder with its mark if nothing else is in it. A missing folder is not an error. */
const REMOVE = `${ENTER_NAMED}
[ -e ${PREFIX} ] || exit 0
${ENTER_OWN}
[ $# -gt 0 ] || set -- ${PREFIX}.*
rm -f -- "$@" || exit
for left in * .[!.]*; do
  [ "$left" = ${MARK} ] || [ ! -e "$left" ] || { echo "kneepoint: $PWD holds other files and stays" >&2; exit 0; }
done
rm -f -- ${MARK} && cd .. && rmdir -- ${PREFIX}
`.replaceAll(/\n+/g, '\n');

/** Script that runs the remaining arguments if `$1` is a block device: fio would create a file in its place. */
const ON_DEVICE = `device=$1; shift
[ -b "$device" ] || { echo "kneepoint: refused: $device is not a block device" >&2; exit 1; }
exec "$@"
`;

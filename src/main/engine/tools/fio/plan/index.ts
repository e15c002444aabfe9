import { KneepointError } from '../../../../../shared/model/problem.ts';
import { wholeSeconds } from '../../option-problem.ts';
import type { Command, PlanInput, ToolPlan } from '../../tool.ts';
import { filesOf } from '../files.ts';
import type { FioOptions } from '../options/index.ts';
import { checkJobFile } from '../options/job-file.ts';
import { type Job, jobFileLines, jobsIn } from '../options/job-sections.ts';
import { folderOf, type Places, PREFIX, placesOf, requirePlaces, SHARE, sizeArgument } from '../options/place.ts';
import { timedJobFile } from '../options/schedule.ts';

type Input = PlanInput<FioOptions>;

/** fio's random generator accepts a 64-bit seed; integers in JavaScript have 53 bits. */
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
/** Jobs run as threads of one process: separate processes would survive when fio is killed. */
const ALWAYS = ['--thread', '--eta=never', '--output-format=json+'];
/** Percentiles of the total latency. Those of completion exclude the time in which an engine blocks on submission. */
const WHOLE_LATENCY = ['lat_percentiles=1', 'clat_percentiles=0'];

export const seedOf = (input: Input): number => Math.trunc(Math.abs(input.seed)) % LARGEST_SEED;

/** The place of a load: the only one as options, or several, each with jobs of its own. */
interface Placed {
  options: FioOptions;
  /** Several folders or devices, in order; undefined for a single place. */
  several: Places | undefined;
}

const isOnDevice = ({ options, several }: Placed): boolean =>
  several ? several.is === 'devices' : options.device !== undefined;

/** Name of the job of a place, from 1 on. The parser recognizes places by it. */
export const placeJob = (index: number): string => `place-${index + 1}`;

/** Folder of the test files in a folder of the user. A colon separates directories. */
export const ownFolder = (folder: string): string =>
  `${folderOf(folder).replace(/\/$/, '')}/${PREFIX}`.replaceAll(':', '\\:');

/** Where jobs work: in files, or each on its own part of a device. Equal for prepare and run, so that both use the same place. */
const placeArguments = (placed: Placed): string[] => {
  const { size, numjobs, device } = placed.options;
  if (!isOnDevice(placed)) return [`--filename_format=${PREFIX}.$jobnum.$filenum`];
  return [
    ...(placed.several ? [] : [`--filename=${device}`]),
    ...(numjobs > 1 ? [`--offset_increment=${sizeArgument(size)}`] : []),
  ];
};

const fileArguments = (placed: Placed): string[] => [
  ...placeArguments(placed),
  `--size=${sizeArgument(placed.options.size)}`,
  `--numjobs=${placed.options.numjobs}`,
  '--group_reporting=1',
];

/** A job, or the same job in each of several places. Each is a group, so that fio reports it by itself, all at the same time. */
function jobArguments({ several }: Placed, shared: readonly string[]): string[] {
  if (!several) return [`--name=${PREFIX}`, ...shared];
  const { is, paths } = several;
  const place = (path: string): string => (is === 'devices' ? `--filename=${path}` : `--directory=${ownFolder(path)}`);
  return [
    ...['--name=global', ...shared],
    ...paths.flatMap((path, index) => [
      `--name=${placeJob(index)}`,
      place(path),
      ...(index > 0 ? ['--new_group=1'] : []),
    ]),
  ];
}

export const writes = (options: FioOptions): boolean => options.rw !== 'read' && options.rw !== 'randread';
const synced = (name: string, every: number): string[] => (every > 0 ? [`--${name}=${every}`] : []);

function loadArguments(input: Input, several: Placed['several']): string[] {
  const { options } = input;
  return [
    `--rw=${options.rw}`,
    ...(options.rw === 'rw' || options.rw === 'randrw' ? [`--rwmixread=${options.rwmixread}`] : []),
    `--bs=${sizeArgument(options.bs)}`,
    `--iodepth=${options.iodepth}`,
    `--ioengine=${options.ioengine}`,
    `--direct=${options.direct ? 1 : 0}`,
    ...(writes(options) ? [...synced('fsync', options.fsync), ...synced('fdatasync', options.fdatasync)] : []),
    ...(options['rate-iops'] > 0 ? [`--rate_iops=${options['rate-iops']}`] : []),
    ...(options.rate === '' ? [] : [`--rate=${sizeArgument(options.rate)}`]),
    ...fileArguments({ options, several }),
    ...(options.passes > 0 ? [`--loops=${options.passes}`] : ['--time_based']),
    `--runtime=${wholeSeconds(input)}`,
    `--randseed=${seedOf(input)}`,
  ];
}

interface Commands extends Record<'prepare' | 'run', { argv: string[]; files: Command['files'] }> {
  writes: boolean;
}

/** Commands for a form's job. A reading job is not allowed to write: if files are missing, it fails. */
function formCommands(input: Input, several: Placed['several']): Commands {
  const { options } = input;
  const place = { options, several };
  const only = writes(options) ? [] : ['--readonly'];
  return {
    writes: writes(options),
    // Files are laid out with a read job: later writes go to existing blocks, as in a database.
    prepare: {
      argv: ['fio', ...ALWAYS, ...jobArguments(place, ['--rw=read', '--create_only=1', ...fileArguments(place)])],
      files: [],
    },
    run: {
      argv: [
        ...['fio', ...ALWAYS, ...only, '--status-interval=1'],
        ...jobArguments(place, [...loadArguments(input, several), ...WHOLE_LATENCY.map((word) => `--${word}`)]),
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
    message: 'The option “device” is set, but jobs of the job file name, create or remove files.',
    safe: 'Nothing was started and nothing was written.',
    next: 'Remove these lines from the job file, or unset the option “device”.',
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
    next: 'Write size= into the job, or choose a device that has one.',
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

/** A load with its place: the only one in the options, or several. */
export interface PlacedInput {
  input: Input;
  several: Placed['several'];
}

/**
 * Decides where a load runs. A storage path can be a device, which is measured unless the options name another place. Throws
 * `experiment-invalid` for places that exclude each other, and for a size that no device or not all jobs have room for.
 */
export function placed(input: Input): PlacedInput {
  const { options, connection } = input;
  requirePlaces(options);
  const { is, paths } = placesOf(options, connection.kind === 'storage' ? connection.path : undefined);
  requireShare(options, is);
  if (paths.length > 1) return { input, several: { is, paths } };
  const { device: _device, directory: _directory, ...rest } = options;
  const [only] = paths;
  const place = only === undefined ? {} : is === 'devices' ? { device: only } : { directory: only };
  return { input: { ...input, options: { ...rest, ...place } }, several: undefined };
}

/** A share is one of a device, and the jobs together cannot have more than all of it. */
function requireShare({ source, size, numjobs }: FioOptions, is: 'folders' | 'devices'): void {
  if (source !== 'form' || !SHARE.test(size)) return;
  const message =
    is === 'folders'
      ? `The size ${size} is a share of a device, and files in a folder need a size in bytes.`
      : Number.parseInt(size, 10) * numjobs > 100
        ? `${numjobs} jobs with ${size} of the device each need more than the whole device.`
        : undefined;
  if (message !== undefined)
    throw new KneepointError({
      code: 'experiment-invalid',
      message,
      safe: 'Nothing was started and nothing was written.',
      next: is === 'folders' ? 'Set a size with k, m, g or t.' : 'Use a smaller share, or fewer jobs.',
    });
}

/** Commands of a fio workload. Throws `experiment-invalid` without an allowed folder or device, and for a refused job file. */
export function planFio(asked: Input): ToolPlan {
  const { input, several } = placed(asked);
  const { options, connection } = input;
  if (connection.kind !== 'host' && connection.kind !== 'storage')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `fio measures the disk of a host, not a target of kind ${connection.kind}.`,
      safe: 'Nothing was started and no file was written.',
      next: 'Choose a storage path, or no target.',
    });
  const commands = options.source === 'form' ? formCommands(input, several) : fileCommands(input);
  if (several?.is === 'folders') return inFolders(input, several.paths, commands);
  const devices = several?.paths ?? [options.device ?? []].flat();
  return devices.length === 0 ? inFolder(input, commands) : onDevices(input, devices, commands);
}

const scripted = (script: string, places: readonly string[], { argv, files }: Commands['run']): Command => ({
  argv: ['sh', '@own-files.sh@', ...places, ...argv],
  env: { LC_ALL: 'C' },
  files: [{ name: 'own-files.sh', content: script, mode: 0o600, secret: false }, ...files],
  plannedSeconds: 0,
});

function inFolder(input: Input, { prepare, run }: Commands): ToolPlan {
  const folder = folderOf(input.options.directory ?? input.connection.path);
  return {
    prepare: scripted(ENTER_NEW, [folder], prepare),
    run: { ...scripted(ENTER_NEW, [folder], run), plannedSeconds: wholeSeconds(input) },
    // Only the files of this workload: other files in the folder belong to other file sets.
    cleanup: scripted(REMOVE, [folder], { argv: ownNames(input.options), files: [] }),
  };
}

const ownNames = (options: FioOptions): string[] => (filesOf(options) ?? []).map(({ name }) => name);

/** The scripts of several places take their number first. */
const counted = (paths: readonly string[]): string[] => [String(paths.length), ...paths];

function inFolders(input: Input, paths: readonly string[], { prepare, run }: Commands): ToolPlan {
  const folders = counted(paths.map((path) => folderOf(path)));
  return {
    prepare: scripted(MAKE_ALL, folders, prepare),
    run: { ...scripted(MAKE_ALL, folders, run), plannedSeconds: wholeSeconds(input) },
    cleanup: scripted(REMOVE_ALL, folders, { argv: ownNames(input.options), files: [] }),
  };
}

/** Devices are measured as they are: nothing is laid out before, and nothing can be restored after. */
function onDevices(input: Input, devices: readonly string[], { run, writes: writing }: Commands): ToolPlan {
  const [only] = devices;
  const isSized = input.options.source === 'form' && input.options.passes > 0 && SHARE.test(input.options.size);
  const script =
    isSized || devices.length > 1
      ? scripted(isSized ? ON_SIZED_DEVICES : ON_DEVICES, counted(devices), run)
      : scripted(ON_DEVICE, [only ?? ''], run);
  return {
    run: { ...script, plannedSeconds: wholeSeconds(input), ...(writing && { overwrites: [...devices] }) },
  };
}

/** Marks the folder as created by Kneepoint. Nothing inside a folder without it is touched. */
const MARK = 'made-by-kneepoint';

const REFUSE = `
refuse() { echo "kneepoint: refused: $1" >&2; exit 1; }
`;
/** Enters the folder given by the user. Symbolic links are resolved before it is checked. */
const ENTER_FOLDER = `cd -P -- "$folder" || exit
case $PWD/ in /dev/shm/*) ;; /dev/*|/proc/*|/sys/*) refuse "$folder is not a place for files" ;; esac
[ -L ${PREFIX} ] && refuse "$PWD/${PREFIX} is a link"
`;
const ENTER_NAMED = `${REFUSE}folder=$1; shift
${ENTER_FOLDER}`;
/** Only a folder with the mark belongs to Kneepoint. A link or a device among its files would redirect writes. */
const ENTER_OWN = `
[ -d ${PREFIX} ] && [ -f ${PREFIX}/${MARK} ] && [ ! -L ${PREFIX}/${MARK} ] ||
  refuse "$PWD/${PREFIX} was not made by Kneepoint"
cd -P -- ${PREFIX} || exit
for file in ${PREFIX}.*; do
  [ ! -L "$file" ] && { [ ! -e "$file" ] || [ -f "$file" ]; } || refuse "$PWD/$file is not a plain file"
done
`;

const MAKE_OWN = `
[ -e ${PREFIX} ] || { mkdir -- ${PREFIX} && : >${PREFIX}/${MARK}; } || exit
${ENTER_OWN}`;

/** Script that creates the folder if missing, enters it and runs the remaining arguments. */
const ENTER_NEW = `${ENTER_NAMED}
${MAKE_OWN}
exec "$@"
`.replaceAll(/\n+/g, '\n');

/** Runs `body` in each of `$1` folders, by name after it, in a shell of its own with the remaining arguments. */
const inEach = (body: string): string => `${REFUSE}count=$1; shift
while [ "$count" -gt 0 ]; do
folder=$1; shift; count=$((count - 1))
(
shift "$count"
${ENTER_FOLDER}
${body}
) || exit
done
`;
/** Script that creates all folders if missing, and runs the remaining arguments. */
const MAKE_ALL = `${inEach(MAKE_OWN)}exec "$@"
`.replaceAll(/\n+/g, '\n');

/** Removes the named test files, or all, and the folder with its mark if nothing else is in it. A missing folder is not an error. */
const REMOVE_OWN = `
[ -e ${PREFIX} ] || exit 0
${ENTER_OWN}
[ $# -gt 0 ] || set -- ${PREFIX}.*
rm -f -- "$@" || exit
for left in * .[!.]*; do
  [ "$left" = ${MARK} ] || [ ! -e "$left" ] || { echo "kneepoint: $PWD holds other files and stays" >&2; exit 0; }
done
rm -f -- ${MARK} && cd .. && rmdir -- ${PREFIX}
`;
const REMOVE = `${ENTER_NAMED}${REMOVE_OWN}`.replaceAll(/\n+/g, '\n');
const REMOVE_ALL = inEach(REMOVE_OWN).replaceAll(/\n+/g, '\n');

/** Script that runs the remaining arguments if `$1` is a block device: fio would create a file in its place. */
const ON_DEVICE = `device=$1; shift
[ -b "$device" ] || { echo "kneepoint: refused: $device is not a block device" >&2; exit 1; }
exec "$@"
`;

/** The same for `$1` devices, by name after it. `look`: run for each. */
const devicesScript = (look: string): string => `count=$1; shift; seen=
while [ "$count" -gt 0 ]; do
  device=$1; shift; count=$((count - 1))
  [ -b "$device" ] || { echo "kneepoint: refused: $device is not a block device" >&2; exit 1; }
  real=$(readlink -f -- "$device")
  case " $seen " in *" $real "*) echo "kneepoint: refused: $device is $real, which is named twice" >&2; exit 1 ;; esac
  seen="$seen $real"
${look}done
exec "$@"
`;
const ON_DEVICES = devicesScript('');
/** Prints the bytes of each device before fio starts: the parser compares what was done to a share of them. */
const ON_SIZED_DEVICES =
  devicesScript(`  read -r blocks <"/sys/class/block/\${real##*/}/size" && echo "kneepoint: $device has $((blocks * 512)) bytes"
`);

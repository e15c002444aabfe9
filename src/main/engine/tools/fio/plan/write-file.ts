import { KneepointError } from '../../../../../shared/model/problem.ts';
import { wholeSeconds } from '../../option-problem.ts';
import type { PlanInput } from '../../tool.ts';
import type { FioOptions } from '../options/index.ts';
import { judgeJobFile } from '../options/job-file.ts';
import { folderOf, PREFIX, sizeArgument, timeArgument } from '../options/place.ts';
import { isAtOnce, timedJobFile } from '../options/schedule.ts';
import { ownFolder, type PlacedInput, placed, placeJob, seedOf, writes } from './index.ts';

type Input = PlanInput<FioOptions>;

/** Characters with a special meaning in a value: comments, environment variables, and fio's own escapes. */
const UNWRITABLE = /[;#$\\]|^\s|\s$/;

/** The place of the jobs, and comments above it. */
function placeLines(input: Input, everyJob: string): { above: string[]; lines: string[] } {
  const { options, connection } = input;
  if (options.device !== undefined)
    return {
      above:
        options.source === 'job-file' || writes(options)
          ? [`; Jobs that write destroy everything on ${options.device} without confirmation.`]
          : [],
      lines: [`filename=${options.device}`],
    };
  const folder = `${folderOf(options.directory ?? connection.path).replace(/\/$/, '')}/${PREFIX}`;
  const files = `filename_format=${PREFIX}.${everyJob}$jobnum.$filenum`;
  if (UNWRITABLE.test(folder))
    return {
      above: ['; The folder name has characters that a job file cannot contain: start fio inside it.'],
      lines: [files],
    };
  // fio would look for them below the directory.
  if (options.source === 'job-file' && /^filename\s*=\s*\/dev\//m.test(options['job-file']))
    return {
      above: ['; Jobs name /dev/null or /dev/zero: start fio inside the folder of the test files.'],
      lines: [files],
    };
  return {
    above: ['; The folder must exist; fio creates missing files in it.'],
    // Colons separate directories.
    lines: [`directory=${folder.replaceAll(':', '\\:')}`, files],
  };
}

const timeLines = (input: Input): string[] => [
  input.options.source === 'form' && input.options.passes > 0 ? `loops=${input.options.passes}` : 'time_based=1',
  ...(input.warmup > 0 ? [`ramp_time=${timeArgument(input.warmup)}`] : []),
  `runtime=${timeArgument(input.duration)}`,
];

/**
 * Jobs of a file, and their time. If they do not all start together, a ramp would apply to each job separately; the warm-up is then part of the time.
 */
function jobFileParts(input: Input): { time: string[]; jobs: string } {
  const { text } = judgeJobFile(input.options['job-file']).file;
  if (isAtOnce(text)) return { time: timeLines(input), jobs: text };
  const timed = timedJobFile(text, wholeSeconds(input));
  return { time: ['time_based=1', `runtime=${timed.seconds}`], jobs: timed.text };
}

const some = (name: string, value: number): string[] => (value > 0 ? [`${name}=${value}`] : []);

function jobLines(options: FioOptions, isOnDevice: boolean): string[] {
  const { size, numjobs } = options;
  return [
    `rw=${options.rw}`,
    ...(options.rw === 'rw' || options.rw === 'randrw' ? [`rwmixread=${options.rwmixread}`] : []),
    `bs=${sizeArgument(options.bs)}`,
    `iodepth=${options.iodepth}`,
    `ioengine=${options.ioengine}`,
    `direct=${options.direct ? 1 : 0}`,
    ...(writes(options) ? [...some('fsync', options.fsync), ...some('fdatasync', options.fdatasync)] : []),
    ...some('rate_iops', options['rate-iops']),
    ...(options.rate === '' ? [] : [`rate=${sizeArgument(options.rate)}`]),
    `size=${sizeArgument(size)}`,
    ...(isOnDevice && numjobs > 1 ? [`offset_increment=${sizeArgument(size)}`] : []),
    `numjobs=${numjobs}`,
  ];
}

/**
 * The load as a job file for fio alone: same files or device, same options, the warm-up as its ramp. Throws `experiment-invalid` without an allowed
 * folder or device, and if a job would start after the end.
 */
export function writeJobFile(asked: Input): string {
  const { input, several } = placed(asked);
  const { options } = input;
  if (several) return severalPlaces(input, several);
  const isForm = options.source === 'form';
  const place = placeLines(input, isForm ? '' : '$jobname.');
  const { time, jobs } = isForm
    ? { time: timeLines(input), jobs: `[${PREFIX}]\n${jobLines(options, options.device !== undefined).join('\n')}\n` }
    : jobFileParts(input);
  const head = [
    ...place.above,
    '[global]',
    ...place.lines,
    'thread=1',
    ...(isForm ? ['group_reporting=1'] : []),
    ...time,
    `randseed=${seedOf(input)}`,
  ];
  return `${head.join('\n')}\n\n${jobs}`;
}

/** The same job in each of several places, as a group of its own. */
function severalPlaces(input: Input, { is, paths }: NonNullable<PlacedInput['several']>): string {
  const { options } = input;
  const isOnDevice = is === 'devices';
  const unwritable = isOnDevice ? undefined : paths.find((path) => UNWRITABLE.test(path));
  if (unwritable !== undefined)
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `The folder name ${unwritable} has characters that a job file cannot contain.`,
      safe: 'No file was written.',
      next: 'Choose other folders to export the load as a job file.',
    });
  const above = isOnDevice
    ? writes(options)
      ? [`; The jobs destroy everything on ${paths.join(', ')} without confirmation.`]
      : []
    : ['; The folders must exist; fio creates missing files in them.'];
  const head = [
    ...above,
    '[global]',
    ...(isOnDevice ? [] : [`filename_format=${PREFIX}.$jobnum.$filenum`]),
    'thread=1',
    'group_reporting=1',
    ...timeLines(input),
    `randseed=${seedOf(input)}`,
    ...jobLines(options, isOnDevice),
  ];
  const sections = paths.map((path, index) =>
    [
      `[${placeJob(index)}]`,
      isOnDevice ? `filename=${path}` : `directory=${ownFolder(path)}`,
      ...(index > 0 ? ['new_group=1'] : []),
    ].join('\n'),
  );
  return `${head.join('\n')}\n\n${sections.join('\n\n')}\n`;
}

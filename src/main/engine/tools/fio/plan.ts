import { KneepointError } from '../../../../shared/model/problem.ts';
import type { PlanInput, Step, ToolPlan } from '../tool.ts';
import { checkJobFile } from './job-file.ts';
import type { FioOptions } from './options.ts';
import { ENTER_NEW, folderOf, PREFIX, REMOVE } from './place.ts';

type Input = PlanInput<FioOptions>;

/** fio's generator takes a seed of 64 bits; a whole number of the script language has 53. */
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;
/** Jobs as threads of one process: as processes they would live on when fio is killed. */
const ALWAYS = ['--thread', '--eta=never', '--output-format=json+'];

/** fio takes whole seconds only. */
const seconds = (input: Input): number => Math.ceil(input.warmup + input.duration);
const seedOf = (input: Input): number => Math.trunc(Math.abs(input.seed)) % LARGEST_SEED;

/** What a job needs to know of its files: the same in preparing and running, or each would have others. */
const fileArguments = (options: FioOptions): string[] => [
  `--filename_format=${PREFIX}.$jobnum.$filenum`,
  `--size=${options.size}`,
  `--numjobs=${options.numjobs}`,
  '--group_reporting=1',
];

const writes = (options: FioOptions): boolean => options.rw !== 'read' && options.rw !== 'randread';
const synced = (name: string, every: number): string[] => (every > 0 ? [`--${name}=${every}`] : []);

function loadArguments(input: Input): string[] {
  const { options } = input;
  return [
    `--name=${PREFIX}`,
    `--rw=${options.rw}`,
    ...(options.rw === 'rw' || options.rw === 'randrw' ? [`--rwmixread=${options.rwmixread}`] : []),
    `--bs=${options.bs}`,
    `--iodepth=${options.iodepth}`,
    `--ioengine=${options.ioengine}`,
    `--direct=${options.direct ? 1 : 0}`,
    ...(writes(options) ? [...synced('fsync', options.fsync), ...synced('fdatasync', options.fdatasync)] : []),
    ...(options['rate-iops'] > 0 ? [`--rate_iops=${options['rate-iops']}`] : []),
    ...(options.rate === '' ? [] : [`--rate=${options.rate}`]),
    ...fileArguments(options),
    '--time_based',
    `--runtime=${seconds(input)}`,
    `--randseed=${seedOf(input)}`,
  ];
}

/** What a form's job runs. A job that reads has no right to write: the files are there, or it fails. */
function formCommands(input: Input): Record<'prepare' | 'run', { argv: string[]; files: Step['files'] }> {
  const { options } = input;
  const only = writes(options) ? [] : ['--readonly'];
  return {
    // Files are laid out by reading: what is written later then goes to blocks that are there, as in a database.
    prepare: {
      argv: ['fio', ...ALWAYS, `--name=${PREFIX}`, '--rw=read', '--create_only=1', ...fileArguments(options)],
      files: [],
    },
    run: { argv: ['fio', ...ALWAYS, ...only, '--status-interval=1', ...loadArguments(input)], files: [] },
  };
}

function fileCommands(input: Input): ReturnType<typeof formCommands> {
  const { text, writes: writing } = checkJobFile(input.options['job-file']);
  const shared = ['[global]', `filename_format=${PREFIX}.$jobname.$jobnum.$filenum`, 'thread'];
  const content = (own: readonly string[]): string => `${[...shared, ...own].join('\n')}\n${text}`;
  const file = (own: readonly string[]): Step['files'] => [
    { name: 'jobs.fio', content: content(own), mode: 0o600, secret: false },
  ];
  return {
    prepare: { argv: ['fio', ...ALWAYS.slice(1), '@jobs.fio@'], files: file(['create_only=1']) },
    run: {
      argv: ['fio', ...ALWAYS.slice(1), ...(writing ? [] : ['--readonly']), '--status-interval=1', '@jobs.fio@'],
      files: file(['time_based', `runtime=${seconds(input)}`, `randseed=${seedOf(input)}`]),
    },
  };
}

/** Steps of a fio workload. Throws `experiment-invalid` when there is no folder that may be used, or the job file is refused. */
export function planFio(input: Input): ToolPlan {
  const { options, connection } = input;
  if (connection.kind !== 'host')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `fio measures the disk of a host, not a target of kind ${connection.kind}.`,
      safe: 'Nothing was started and no file was written.',
      next: 'Choose a host target, or none.',
    });
  const folder = folderOf(options.directory ?? connection.path);
  const { prepare, run } = options.source === 'form' ? formCommands(input) : fileCommands(input);
  const step = (script: string, { argv, files }: { argv: readonly string[]; files: Step['files'] }): Step => ({
    argv: ['sh', '@own-files.sh@', folder, ...argv],
    env: { LC_ALL: 'C' },
    files: [{ name: 'own-files.sh', content: script, mode: 0o600, secret: false }, ...files],
    plannedSeconds: 0,
  });
  return {
    prepare: step(ENTER_NEW, prepare),
    run: { ...step(ENTER_NEW, run), plannedSeconds: seconds(input) },
    cleanup: step(REMOVE, { argv: [], files: [] }),
  };
}

import type { Command, Phase, PlanInput, ToolPlan } from '../../tool.ts';
import { ownNeed } from '../data/own.ts';
import { type SysbenchOptions, tableCount } from '../options/index.ts';
import { OWN_SCRIPT, usesDatabase, usesTables } from '../scripts/index.ts';
import { optionArguments } from './arguments.ts';
import { connectionArguments, connectionEnvironment } from './connection.ts';
import { place } from './folder.ts';
import { eventLimit, fillsTables } from './library.ts';
import { scriptOf } from './script.ts';
import { deliverPassword } from './secret.ts';

type Input = PlanInput<SysbenchOptions>;

/** sysbench reads a signed 32-bit seed, and takes 0 for "the time of day". */
const LARGEST_SEED = 2_147_483_647;

/** bulk_insert numbers its rows from 1 in every run, and insert_rows measures how a table grows: each run starts from new tables. */
const WITH_NEW_TABLES = 'for step in cleanup prepare; do "$@" "$step" || exit; done; exec "$@" run';

const PREPARE_THREADS = 4;

function threads(options: SysbenchOptions, command: Phase): number {
  if (command === 'run' || options.script === 'bulk_insert') return options.threads;
  if (options.script === 'fileio' || (command === 'cleanup' && !usesTables(options.script))) return 1;
  const given = options['prepare-threads'];
  // A script of one's own has each thread run its whole prepare, unless it divides the work itself.
  if (options.script === OWN_SCRIPT) return given ?? 1;
  return usesTables(options.script)
    ? Math.min(tableCount(options), given ?? PREPARE_THREADS)
    : (given ?? PREPARE_THREADS);
}

/** sysbench takes whole seconds only. */
const seconds = (input: Input): number => Math.ceil(input.warmup + input.duration);

/**
 * At the end of the warm-up sysbench reports, and counts again: its final report is then of the measured seconds alone, percentile and histogram
 * too. Scripts of one's own may report in a way of their own, which would be printed twice.
 */
function warmUpCheckpoint({ options, warmup }: Input): string[] {
  const planned = options['report-checkpoints'] !== '' || options.script === OWN_SCRIPT;
  return planned || warmup < 1 || !Number.isInteger(warmup) ? [] : [`--report-checkpoints=${warmup}`];
}

function timing(input: Input): string[] {
  const seed = Math.trunc(Math.abs(input.seed)) % LARGEST_SEED;
  return [
    '--report-interval=1',
    ...warmUpCheckpoint(input),
    `--time=${seconds(input)}`,
    `--events=${eventLimit(input.options)}`,
    ...(seed > 0 ? [`--rand-seed=${seed}`] : []),
  ];
}

function commandOf(input: Input, command: Phase): Command {
  const { options, connection } = input;
  const database = usesDatabase(options.script);
  const renews = command === 'run' && fillsTables(options);
  const script = scriptOf(options);
  const password = database ? deliverPassword(connection) : { files: [], before: [], options: [] };
  return {
    argv: [
      ...place(input, command),
      ...password.before,
      ...(renews ? ['sh', '-c', WITH_NEW_TABLES, 'sh'] : []),
      'sysbench',
      ...password.options,
      script.word,
      ...(database ? connectionArguments(options, connection) : []),
      `--threads=${threads(options, command)}`,
      ...optionArguments(input, command),
      ...script.arguments,
      ...(command === 'run' ? timing(input) : []),
      ...(renews ? [] : [command]),
    ],
    // Client libraries translate their messages, and the parser knows them in English.
    env: { LC_ALL: 'C', ...script.env, ...(database ? connectionEnvironment(connection) : {}) },
    files: [...password.files, ...script.files],
    plannedSeconds: command === 'run' ? seconds(input) : 0,
  };
}

/** Steps of a sysbench workload. Throws `experiment-invalid` when the target or what is said of the data does not fit the script. */
export function planSysbench(input: Input): ToolPlan {
  const { options } = input;
  const run = commandOf(input, 'run');
  const files = options.script === 'fileio';
  if (!files && !usesDatabase(options.script)) return { run };
  if (options.script === OWN_SCRIPT && !options['script-prepare']) return { run };
  ownNeed(options);
  // A sequential write creates its own files, and prepare would only write them twice.
  const creates = files && options['file-test-mode'] === 'seqwr';
  return {
    ...(creates ? {} : { prepare: commandOf(input, 'prepare') }),
    run,
    cleanup: commandOf(input, 'cleanup'),
  };
}

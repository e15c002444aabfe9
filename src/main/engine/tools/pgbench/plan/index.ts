import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { invalidOptions, shareOf, wholeSeconds } from '../../option-problem.ts';
import { libpqPassword, loginVariables, socketFolder } from '../../secret.ts';
import type { Command, Part, PlanInput, ToolPlan } from '../../tool.ts';
import { type PgbenchOptions, usesTables } from '../options/index.ts';

type Input = PlanInput<PgbenchOptions>;

/** Prefix of the log files: pgbench appends its process id and the thread's number. */
const LOG = 'aggregate';
/** Precedes each log printed after the run. */
export const LOG_MARK = 'Aggregated log of pgbench:';

/** Precedes the latencies counted after the run: epoch second, latency in µs, transactions. */
export const LATENCIES_MARK = 'Latencies of pgbench by second and microseconds:';

/**
 * Script that runs the remaining arguments, then counts the transactions in the logs with the prefix `$1` by second and latency, and removes the
 * logs. Exits with pgbench's code. Latencies are accurate to 0.8 %. Failed or skipped transactions have words instead of latencies.
 */
const WITH_LATENCIES = `log=$1; shift
"$@"
code=$?
echo "${LATENCIES_MARK}"
for file in "$log".*; do
  [ -f "$file" ] && cat -- "$file"
done | awk '$3 ~ /^[0-9]+$/ {
  low = $3 + 0; step = 1
  while (low >= 128) { low = int(low / 2); step *= 2 }
  count[$5 " " (step == 1 ? low : (low + 0.5) * step)]++
}
END { for (row in count) print row, count[row] }'
rm -f -- "$log".*
exit $code
`;

/** Script that runs the remaining arguments, then prints the logs with the prefix `$1` and removes them. Exits with pgbench's code. */
const WITH_LOGS = `log=$1; shift
"$@"
code=$?
for file in "$log".*; do
  [ -f "$file" ] || continue
  echo "${LOG_MARK}"
  cat -- "$file"
  rm -f -- "$file"
done
exit $code
`;

const flag = (name: string, wanted: boolean): string[] => (wanted ? [`--${name}`] : []);

function scriptArguments(options: PgbenchOptions): { argv: string[]; files: Command['files'] } {
  const scripts = weightedScripts(options);
  const builtin = scripts.some((script) => 'builtin' in script);
  const own = scripts.filter((script) => 'text' in script);
  const variables = options.define.split(/[\s,]+/).filter((word) => word !== '');
  return {
    argv: [
      ...scripts.map((script) =>
        'builtin' in script
          ? `--builtin=${script.builtin}@${script.weight}`
          : `--file=@${script.name}.sql@@${script.weight}`,
      ),
      // With a built-in script, pgbench counts the branches itself, and warns if a scale is given as well.
      ...(builtin ? [] : [`--scale=${options.scale}`]),
      ...(own.length > 0 ? variables.map((variable) => `--define=${variable}`) : []),
    ],
    files: own.map(({ name, text }) => ({ name: `${name}.sql`, content: text, mode: 0o600, secret: false })),
  };
}

function loadArguments(input: Input): string[] {
  const { options } = input;
  return [
    `--client=${options.client}`,
    `--jobs=${options.jobs}`,
    `--protocol=${options.protocol}`,
    ...flag('connect', options.connect),
    ...(options.rate > 0 ? [`--rate=${options.rate}`] : []),
    ...(options['latency-limit'] > 0 ? [`--latency-limit=${options['latency-limit']}`] : []),
    ...(options['max-tries'] === 1 ? [] : [`--max-tries=${options['max-tries']}`]),
    ...flag('failures-detailed', options['failures-detailed']),
    // Its long name is different in older versions.
    ...(options['report-per-command'] ? ['-r'] : []),
    ...flag('no-vacuum', options['no-vacuum'] || !usesTables(options)),
    `--random-seed=${Math.trunc(Math.abs(input.seed))}`,
    '--progress=1',
    `--time=${wholeSeconds(input)}`,
  ];
}

function logArguments(input: Input): { before: string[]; argv: string[]; files: Command['files'] } {
  if (input.options['transaction-log'])
    return {
      before: ['sh', '@with-logs.sh@', `@${LOG}@`],
      argv: ['--log', `--log-prefix=@${LOG}@`],
      files: [
        { name: LOG, content: '', mode: 0o600, secret: false },
        { name: 'with-logs.sh', content: WITH_LATENCIES, mode: 0o600, secret: false },
      ],
    };
  const interval = input.options['aggregate-interval'];
  if (interval === 0) return { before: [], argv: [], files: [] };
  if (wholeSeconds(input) % interval !== 0)
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `pgbench writes its aggregated log only when the run, here ${wholeSeconds(input)} seconds with the warm-up, is a multiple of the log interval of ${interval} seconds.`,
      safe: 'Nothing was started.',
      next: 'Change aggregate-interval, the warm-up or the duration.',
    });
  return {
    before: ['sh', '@with-logs.sh@', `@${LOG}@`],
    argv: ['--log', `--log-prefix=@${LOG}@`, `--aggregate-interval=${interval}`],
    files: [
      { name: LOG, content: '', mode: 0o600, secret: false },
      { name: 'with-logs.sh', content: WITH_LOGS, mode: 0o600, secret: false },
    ],
  };
}

/** Steps of `--init-steps`: drop, create tables, generate on the client or the server, vacuum, primary keys, foreign keys. */
function initArguments(options: PgbenchOptions): string[] {
  const generate = options['server-side-generate'] ? 'G' : 'g';
  return [
    `--init-steps=dt${generate}vp${options['foreign-keys'] ? 'f' : ''}`,
    `--scale=${options.scale}`,
    `--fillfactor=${options.fillfactor}`,
    ...(options.partitions > 0
      ? [`--partitions=${options.partitions}`, `--partition-method=${options['partition-method']}`]
      : []),
    ...flag('unlogged-tables', options['unlogged-tables']),
  ];
}

const given = (name: string, value: string | number | undefined): string[] =>
  value === undefined || value === '' ? [] : [`--${name}=${value}`];

/** A database name that looks like an option or a connection string would be read as one. */
const databaseArgument = (name: string): string =>
  /^\w+$/.test(name) ? name : `dbname='${name.replace(/[\\']/g, '\\$&')}'`;

/** Connection arguments; the database is the last argument. */
function connectionArguments(connection: ConnectionFacts): { before: string[]; database: string[] } {
  if (connection.kind !== 'postgres')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `pgbench needs a PostgreSQL target, not one of kind ${connection.kind}.`,
      safe: 'Nothing was started.',
      next: 'Choose a PostgreSQL target, or another tool.',
    });
  const { socket, host, port, user, database } = connection;
  return {
    before: [
      ...given('host', socket ? socketFolder(socket) : host),
      ...given('port', port),
      ...given('username', user),
    ],
    database: database ? [databaseArgument(database)] : [],
  };
}

/** Client libraries translate their messages, and the parser expects English. pgbench has no TLS options. */
const environment = (connection: ConnectionFacts): Record<string, string> => ({
  LC_ALL: 'C',
  ...loginVariables(connection),
});

/** A pgbench command with these arguments, followed by the connection arguments. */
function commandOf(input: Input, argv: readonly string[], files: Command['files'], before: readonly string[]): Command {
  const { connection } = input;
  const password = libpqPassword(connection.password);
  const where = connectionArguments(connection);
  return {
    argv: [...password.before, ...before, 'pgbench', ...argv, ...where.before, ...where.database],
    env: environment(connection),
    files: [...password.files, ...files],
    plannedSeconds: 0,
  };
}

/** Commands of a pgbench workload. Throws `experiment-invalid` for an unsuitable target, script or duration. */
export function planPgbench(input: Input): ToolPlan {
  const { options } = input;
  const scripts = scriptArguments(options);
  const logs = logArguments(input);
  const argv = [...scripts.argv, ...loadArguments(input), ...logs.argv];
  const run = {
    ...commandOf(input, argv, [...scripts.files, ...logs.files], logs.before),
    plannedSeconds: wholeSeconds(input),
  };
  if (!usesTables(options)) return { run };
  return {
    prepare: commandOf(input, ['--initialize', ...initArguments(options)], [], []),
    run,
    // Only its own tables, by name; nothing else in the database is touched.
    cleanup: commandOf(input, ['--initialize', '--init-steps=d'], [], []),
  };
}

/** A generator's part of the clients, the threads and the rate; everything else is the same on each. */
export function dividePgbench(options: PgbenchOptions, part: Part): PgbenchOptions {
  const client = shareOf(['client', 'clients'], options.client, part);
  const jobs = Math.max(1, Math.ceil(options.jobs / part.count));
  return {
    ...options,
    client,
    jobs: Math.min(jobs, client),
    ...(options.rate > 0 && { rate: options.rate / part.count }),
    // The vacuum truncates pgbench_history, to which the other generators are already writing.
    'no-vacuum': options['no-vacuum'] || part.index > 0,
  };
}

/** A user's script: its file name without extension, its weight and its text. */
interface OwnScript {
  name: string;
  weight: number;
  text: string;
}

/** One of the scripts of a run. */
type WeightedScript = { builtin: string; weight: number } | OwnScript;

const HEADING = /^--[ \t]*script:[ \t]*([^\s@]+)(?:[ \t]*@[ \t]*(\d+))?[ \t]*$/;
const LARGEST_WEIGHT = 1_000_000;

/** Splits the text of own scripts at its headings. A text without headings is a single script called `own`. Throws `experiment-invalid`. */
export function ownScripts(text: string): OwnScript[] {
  const scripts: OwnScript[] = [];
  const before: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    if (heading) scripts.push({ name: heading[1] ?? '', weight: Number(heading[2] ?? 1), text: '' });
    const open = scripts.at(-1);
    if (open && !heading) open.text += `${line}\n`;
    else if (!open) before.push(line);
  }
  const preamble = before.join('\n');
  if (scripts.length === 0) return preamble.trim() === '' ? [] : [{ name: 'own', weight: 1, text: `${preamble}\n` }];
  if (before.some((line) => line.trim() !== '' && !line.startsWith('--')))
    throw invalidOptions(
      'The custom script has lines before the first “-- script: name” heading, so it is not clear which script they belong to.',
      'Begin the text with a heading, or omit the headings.',
    );
  for (const { name, weight, text: body } of scripts) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$/.test(name))
      throw invalidOptions(`“${name}” is not a valid script name.`, 'Use letters, digits, hyphens and underscores.');
    if (scripts.filter((other) => other.name === name).length > 1)
      throw invalidOptions(`Two custom scripts are called “${name}”.`, 'Use a different name for each.');
    if (weight > LARGEST_WEIGHT)
      throw invalidOptions(`The weight ${weight} of script “${name}” is too large.`, 'Use weights up to 1,000,000.');
    if (body.trim() === '')
      throw invalidOptions(`The custom script “${name}” is empty.`, 'Write its statements below its heading.');
  }
  return scripts;
}

/** The scripts of the run. Throws `experiment-invalid` if there are none. */
function weightedScripts(options: PgbenchOptions): WeightedScript[] {
  const { script } = options;
  if (script !== 'own' && script !== 'mix') return [{ builtin: script, weight: 1 }];
  const share = script === 'own' ? 1 : options['own-weight'];
  const own = share > 0 ? ownScripts(options['own-script']) : [];
  if (share > 0 && own.length === 0)
    throw invalidOptions(
      'The workload runs a custom script, but its text is missing.',
      'Write it into the option “own-script”.',
    );
  const builtins =
    script === 'own'
      ? []
      : (['tpcb-like', 'simple-update', 'select-only'] as const).map((builtin) => ({
          builtin,
          weight: options[`${builtin}-weight`],
        }));
  const drawn = [...builtins, ...own.map((entry) => ({ ...entry, weight: entry.weight * share }))].filter(
    ({ weight }) => weight > 0,
  );
  if (drawn.length === 0)
    throw invalidOptions(
      'Every script of the mix has the weight 0, so there is nothing to run.',
      'Give one of them a weight.',
    );
  return drawn;
}

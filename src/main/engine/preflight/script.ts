import { type Experiment, type Levels, pauseBetween } from '../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { turnsOf } from '../../../shared/model/parallel-steps.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import {
  gateWords,
  isMeasured,
  mostSeconds,
  preparesInTrial,
  steadyWords,
  type TrialStep,
  untilWords,
  type WaitUntil,
  wholeSteps,
} from '../../../shared/model/step.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { plainLevels } from '../../../shared/util/format.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { actToolOf, dataStepOf, makePlan, readDocument, restartOf, type Step, trialSeed } from '../plans/index.ts';
import { commandsOf, toolOf, workloadOf } from '../runs/index.ts';
import { targetByKind } from '../targets/index.ts';
import { loopArguments, RESTART_LOOP, shownCommand } from '../tools/index.ts';
import type { Command } from '../tools/tool.ts';
import { scenarioWords } from '../trial/index.ts';
import { type CheckingContext, checkText } from './check-text.ts';
import { shownConnection } from './target-checks.ts';

/*
 * A document as a plain shell script that does the same on the generator: data, trials in order, steps with their outputs in files. It asks
 * the user for everything that only Kneepoint does (settings of hosts and servers, restarts, events, monitoring). Passwords are in variables.
 */

const HEAD = `set -u
work=$(mktemp -d) && cd "$work" || exit 1
echo "Outputs: $work"
by_hand() { printf '%s\\nPress Enter when it is done. ' "$1"; read -r answer; }
# run NAME COMMAND…: one step, its output in a file, its seconds behind it.
run() {
  name=$1; shift
  began=$(date +%s)
  "$@" >"$name.out" 2>"$name.err"; code=$?
  echo "$name: exit code $code, $(($(date +%s) - began)) s"
  return $code
}
# until SECONDS COMMAND…: once a second, until it succeeds.
until_so() {
  most=$1; shift
  end=$(($(date +%s) + most))
  while ! "$@" >/dev/null 2>&1; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 1
  done
}
`;

/** Asks at a terminal, since the figures are in the outputs; otherwise it goes on. */
const GATE = `# gate CONDITIONS…: whether the rest of the trial is to be measured.
gate() {
  echo "Gate: $1"
  [ -t 0 ] || return 0
  printf 'Press Enter if it is met, or type n to skip the rest of the trial: '; read -r answer
  [ "$answer" != n ]
}
`;

/** The loop in which Kneepoint itself starts a tool again. */
const AGAIN = [
  '# A tool that dies of a fault is restarted for the remaining time. Each line “kneepoint-again” in its output is a start.',
  `again=${shellQuote(RESTART_LOOP)}`,
];

/** Throws `bad-request` with the first problem of an invalid document, and for several generators. */
export function scriptOf(context: CheckingContext, text: string): string {
  const [problem] = checkText(context, text).problems;
  const { experiment } = readDocument(text);
  if (problem || !experiment)
    throw refused(problem?.message ?? 'The document cannot be read.', 'Correct it, then try again.');
  const workload = workloadOf(context, experiment);
  const { cells, trials } = makePlan(experiment, workload);
  const whole = wholeSteps(experiment.steps ?? []);
  const names = whole.map(({ name }) => name);
  const generators = new Set(cells.flatMap(({ steps }) => steps.flatMap((step) => step.generators)));
  if (generators.size > 1)
    throw refused(
      'A script is written for one generator.',
      'Specify one host with --generator, and run the script on it.',
    );
  const writer = new Writer(context, experiment);
  const lines = [
    '#!/bin/sh',
    `# ${experiment.name}: ${trials.length} trials in their order, for ${[...generators][0]}. It runs the same commands as Kneepoint, without monitoring or findings.`,
    HEAD,
    ...(whole.length > 1 ? ['failed=0'] : []),
    ...(whole.some(({ gate }) => gate) ? [GATE] : []),
    ...(experiment.measure['tool-died'] === 'restart' ? AGAIN : []),
    ...writer.passwords(cells.flatMap(({ steps }) => steps)),
    ...writer.data(cells.flatMap(({ steps }) => steps).filter((step) => !actToolOf(step))),
  ];
  let before = '';
  let last: Levels | undefined;
  for (const trial of trials) {
    const cell = cells[trial.cell];
    if (!cell) continue;
    const label = plainLevels(cell.levels);
    lines.push('', `# Trial ${trial.index + 1}${label ? `: ${label}` : ''}`);
    const pause = last ? pauseBetween(experiment, last, cell.levels) : 0;
    if (pause > 0) lines.push(`sleep ${pause}`);
    last = cell.levels;
    const wanted = writer.wanted(cell.steps[0]);
    if (wanted !== before) lines.push(...wanted.split('\n').filter(Boolean));
    before = wanted;
    lines.push(
      ...writer.before(),
      ...(whole.length > 1 ? ['('] : []),
      ...turnsOf(cell.steps.map((step, place) => ({ ...step, place }))).flatMap((turn) => {
        const written = turn.map(({ place, ...step }) =>
          writer.step(step, {
            name: `trial-${trial.index + 1}${names[place] === undefined ? '' : `-${(names[place] ?? '').replaceAll(/[^\w.-]+/g, '-')}`}`,
            place,
            seed: trialSeed(experiment.measure, { ...trial, step: place, steps: cell.steps.length }),
          }),
        );
        return [
          ...turn.flatMap(({ place }) => (whole[place]?.note === undefined ? [] : `# ${whole[place].note}`)),
          ...(turn.length > 1 ? inParallel(turn, written) : written.flat()),
          ...turn.flatMap(({ place }) => gateLine(whole[place])),
        ];
      }),
      // A measured step that fails ends nothing, not even as the last one.
      ...(whole.length > 1
        ? ['exit 0', `) || { echo 'The rest of trial ${trial.index + 1} is skipped.'; failed=1; }`]
        : []),
    );
  }
  if (whole.length > 1) lines.push('', 'exit $failed');
  return `${lines.join('\n')}\n`;
}

/** Runs each step in the background, starting at its second, and waits for all of them. */
const inParallel = (steps: readonly Pick<Step, 'from'>[], written: readonly string[][]): string[] => [
  '# At the same time',
  ...steps.flatMap(({ from = 0 }, index) => [
    '{',
    ...(from > 0 ? [`sleep ${from}`] : []),
    ...(written[index] ?? []),
    '} &',
  ]),
  'wait',
];

const gateLine = (step: TrialStep | undefined): string[] =>
  step?.gate ? [`gate ${shellQuote(`step ${step.name}: ${gateWords(step.gate)}.`)} || exit 1`] : [];

/** The trial ends if a step fails that the next ones depend on: it prepares the state of the system. */
const orEnds = (lines: string, step: Pick<TrialStep, 'do' | 'measured'> | undefined): string =>
  step && (!isMeasured(step) || step.do === 'prepare') ? `${lines} || exit 1` : lines;

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'bad-request', message, safe: 'Nothing was written.', next });

/** Placeholder, because the script asks for the password when it runs. */
const PASSWORD = 'KNEEPOINT-PASSWORD';

class Writer {
  readonly #context: CheckingContext;
  readonly #experiment: Experiment;

  constructor(context: CheckingContext, experiment: Experiment) {
    this.#context = context;
    this.#experiment = experiment;
  }

  #connection(step: Step): ConnectionFacts {
    return { ...shownConnection(this.#context, this.#experiment, step.target), password: PASSWORD };
  }

  /** One variable for each target with a password. */
  passwords(steps: readonly Step[]): string[] {
    const targets = [...new Set(steps.flatMap(({ target }) => target ?? []))];
    return targets.map(
      (target) =>
        `[ -n "\${${variableOf(target)}:-}" ] || { printf '%s' ${shellQuote(`Password of ${target}: `)}; stty -echo; read -r ${variableOf(target)}; stty echo; echo; }\nexport ${variableOf(target)}`,
    );
  }

  data(steps: readonly Step[]): string[] {
    const made = new Set<string>();
    for (const step of steps) {
      const { prepare } = this.#commands(step, this.#experiment.measure.seed);
      if (prepare) made.add(this.#command(prepare, step, 'prepare'));
    }
    const kept = this.#experiment.workload.data === 'keep' || preparesInTrial(this.#experiment.steps);
    return made.size === 0 || kept ? [] : ['', '# Data', ...made];
  }

  /** Asks the user to set the levels' settings. */
  wanted(step: Step | undefined): string {
    return (step?.settings ?? [])
      .map(({ what, value, place }) => `by_hand ${shellQuote(`Set ${what} = ${value} on ${place.name}.`)}`)
      .join('\n');
  }

  before(): string[] {
    const { restart, caches, statement, until, dirty, writes, rest } = this.#experiment.measure.before ?? {};
    return [
      ...(restart ? [`by_hand 'Restart the server.'`] : []),
      ...(caches !== undefined && caches !== 'none'
        ? [`by_hand ${shellQuote(`Drop the OS caches (${caches}): sync; echo 3 >/proc/sys/vm/drop_caches`)}`]
        : []),
      ...(statement === undefined ? [] : [`by_hand ${shellQuote(`Send this statement: ${statement}`)}`]),
      ...(dirty === undefined && writes === undefined
        ? []
        : [`by_hand 'Wait until dirty pages and device writes of the server host are low.'`]),
      ...(until === undefined ? [] : [`by_hand ${shellQuote(`Wait until this query is true: ${until}`)}`]),
      ...(rest === undefined ? [] : [`sleep ${rest}`]),
    ];
  }

  step(step: Step, { name, place, seed }: { name: string; place: number; seed: number }): string[] {
    const own = wholeSteps(this.#experiment.steps ?? [])[place];
    if (own?.do === undefined)
      return [
        ...(own?.steady ? [`# Kneepoint ends this load when the ${steadyWords(own.steady)}.`] : []),
        ...this.#events(step),
        orEnds(this.#command(this.#commands(step, seed).run, step, name, this.#again(step, place)), own),
      ];
    const prepared = dataStepOf(step);
    if (prepared) return this.#dataStep(prepared, name, own.do === 'prepare').map((each) => orEnds(each, own));
    if (own.until) return [this.#wait(own.until, step, mostSeconds(own), own.else === 'measure')];
    if (own.statement !== undefined) return this.#statements([own.statement].flat(), step, name, own);
    const command = own.command ?? '';
    const ends = own.for === undefined ? '' : `timeout -k 10 ${own.for} `;
    const here = `${ends}sh -c ${shellQuote(command)}`;
    const line = `run ${name} ${own.on === undefined || own.on === LOCAL_HOST_NAME ? here : `ssh ${shellQuote(own.on)} ${shellQuote(here)}`}`;
    if (!own.overwrites) return [orEnds(line, own)];
    return [
      `# It overwrites ${own.overwrites}, and this script does not check that the device is unused: remove the # yourself.`,
      ...line.split('\n').map((each) => `# ${each}`),
    ];
  }

  /** Events of each trial, printed for the user. */
  #events(step: Step): string[] {
    return (this.#experiment.measure.events ?? []).map(
      (event) =>
        `printf '%s\\n' ${shellQuote(`At second ${event.at} of the next load, by hand: ${scenarioWords(event, step)}`)}`,
    );
  }

  #again(step: Step, place: number): ReturnType<typeof restartOf> {
    return restartOf(this.#experiment, place, { tool: toolOf(this.#context, step.workload.tool), step });
  }

  /** The clean-up, and the commands that make the data again. */
  #dataStep(step: Step, name: string, isMade: boolean): string[] {
    const { prepare, cleanup } = this.#commands(step, this.#experiment.measure.seed);
    return [
      ...(cleanup ? [this.#command(cleanup, step, isMade ? `${name}-cleanup` : name)] : []),
      ...(isMade && prepare ? [this.#command(prepare, step, name)] : []),
    ];
  }

  #commands(step: Step, seed: number) {
    return commandsOf(this.#context, toolOf(this.#context, step.workload.tool), step, {
      ...{ seed, connection: this.#connection(step) },
    });
  }

  /** A command with its files; a password in them is replaced by the target's variable. */
  #command(command: Command, { target }: Step, name: string, again?: ReturnType<typeof restartOf>): string {
    const variable = variableOf(target ?? '');
    const files = command.files.flatMap(({ name: file, content, secret }) => {
      const text = secret
        ? content.replaceAll(/[\\$`]/g, '\\$&').replaceAll(PASSWORD, () => `\${${variable}}`)
        : content;
      const end = secret ? END : `'${END}'`;
      return [`cat >${wordsOf([file])} <<${end}`, text.replace(/\n$/, ''), END, `chmod 600 ${wordsOf([file])}`];
    });
    const { cpus, limits = {} } = command.under ?? {};
    const variables = Object.entries(command.env).map(([key, value]) => `${key}=${value}`);
    const argv = [
      ...(variables.length > 0 ? ['env', ...variables] : []),
      ...(cpus === undefined ? [] : ['taskset', '-c', cpus]),
      ...command.argv,
    ];
    const { under: _under, ...plain } = command;
    const loop = again ? `sh -c "$again" ${wordsOf(loopArguments(command, again))} ` : '';
    const line = `run ${name} ${loop}${shownCommand({ ...plain, env: {}, argv })}`;
    const set = Object.entries(limits).map(([letter, limit]) => `ulimit -${letter} ${limit}; `);
    return [...files, set.length > 0 ? `(${set.join('')}${line})` : line].join('\n');
  }

  #statements(statements: readonly string[], step: Step, name: string, own: TrialStep): string[] {
    const lines = statements.map((statement) => this.#client(step, statement));
    if (lines.some((line) => line === undefined))
      return statements.map((statement) => `by_hand ${shellQuote(`Send to ${step.target}: ${statement}`)}`);
    return lines.map((line, place) => orEnds(`run ${name}${lines.length > 1 ? `-${place + 1}` : ''} ${line}`, own));
  }

  /** Sends a statement with the server's client. Undefined for a kind without one. */
  #client(step: Step, statement: string): string | undefined {
    const facts = this.#connection(step);
    const client = targetByKind(facts.kind).client;
    if (!client) return undefined;
    return `env ${client.passwordVariable}="\${${variableOf(step.target ?? '')}}" ${wordsOf(client.argv(facts, statement))}`;
  }

  #wait(until: WaitUntil, step: Step, seconds: number, continues: boolean): string {
    const words = untilWords(until);
    const test = this.#test(until, step);
    if (test === undefined) return `by_hand ${shellQuote(`Wait until ${words}.`)}`;
    const away =
      until.on === undefined || until.on === LOCAL_HOST_NAME ? test : `ssh ${shellQuote(until.on)} ${shellQuote(test)}`;
    const missed = shellQuote(`Timed out after ${seconds} s, waiting until ${words}`);
    return `until_so ${seconds} sh -c ${shellQuote(away)} || { echo ${missed}${continues ? '' : '; exit 1'}; }`;
  }

  /** A line of shell that succeeds if the condition is met. Undefined if that takes more than a line. */
  #test({ status, sql, file, port, dirty, writes, below, above }: WaitUntil, step: Step): string | undefined {
    const so = [below === undefined ? [] : `v < ${below}`, above === undefined ? [] : `v > ${above}`].flat();
    const asked = status === undefined ? sql : targetByKind(this.#connection(step).kind).client?.status?.(status);
    if (status !== undefined || sql !== undefined) {
      const client = asked === undefined ? undefined : this.#client(step, asked);
      const condition = so.length > 0 ? so.join(' && ') : 'v != 0 && v != "" && v != "f"';
      return client && `${client} | awk ${shellQuote(`{ v = $NF } END { exit !(NR > 0 && ${condition}) }`)}`;
    }
    if (file !== undefined) return `[ -e ${shellQuote(file)} ]`;
    if (port !== undefined) {
      const hex = port.toString(16).toUpperCase().padStart(4, '0');
      return `grep -Eq ':${hex} [0-9A-F]+:0000 0A' /proc/net/tcp /proc/net/tcp6`;
    }
    if (writes !== undefined || dirty === undefined) return undefined;
    return `awk '/^(Dirty|Writeback):/ { sum += $2 } END { exit !(sum <= ${dirty * 1024}) }' /proc/meminfo`;
  }
}

const wordsOf = (argv: readonly string[]): string => shownCommand({ argv, env: {}, files: [], plannedSeconds: 0 });

const END = 'KNEEPOINT_END';

/** Name of the shell variable for a target's password. */
const variableOf = (target: string): string => `PASSWORD_${target.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

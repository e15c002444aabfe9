import { z } from 'zod';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import { TOOK } from '../../../../shared/model/step.ts';
import { failedExit } from '../faults.ts';
import { invalidOptions } from '../option-problem.ts';
import { shownCommand } from '../secret.ts';
import { isTimedOut, limitedTo, MARK, NOW, rounded, StepTime, timeOver } from '../step-time.ts';
import {
  type Command,
  defineTool,
  type ParseEvents,
  type ParseOutcome,
  type Parser,
  type PlanInput,
  type Tool,
} from '../tool.ts';

/** The tool of the workload with its options. `at-most`: seconds, 0: no limit. */
const DataOptions = z.strictObject({
  tool: z.string(),
  options: z.record(z.string(), z.unknown()),
  'at-most': z.number(),
});
type DataOptions = z.output<typeof DataOptions>;

type DataPhase = 'prepare' | 'cleanup';

/**
 * Runs the words after the first `$1` words, then those words themselves, which are timed. Output before the mark belongs to the first command.
 */
const TIMED = `${NOW}
words=$1; shift
if [ $# -gt "$words" ]; then (shift "$words"; exec "$@") 2>&1 </dev/null || exit; fi
all=$#; turn=0
while [ "$turn" -lt "$words" ]; do set -- "$@" "$1"; shift; turn=$((turn + 1)); done
shift $((all - words))
now; echo "${MARK} began $at"
"$@" </dev/null; code=$?
now; printf '\\n%s\\n' "${MARK} ended $at $code"
exit $code`;

/** One command that runs `before`, if present, and then `timed`. Files with equal names but different content are renamed. */
function together(timed: Command, before: Command | undefined, seconds: number): Command {
  const renamed = before && withoutClashes(before, timed.files);
  const overwrites = [...new Set([...(timed.overwrites ?? []), ...(before?.overwrites ?? [])])];
  const programs = new Map([...(before?.programs ?? []), ...(timed.programs ?? [])].map((each) => [each.name, each]));
  return {
    argv: [
      ...limitedTo(seconds),
      ...['sh', '-c', TIMED, 'kneepoint-step', String(timed.argv.length)],
      ...[...timed.argv, ...(renamed?.argv ?? [])],
    ],
    env: { ...before?.env, ...timed.env },
    files: [...timed.files, ...(renamed?.files ?? [])],
    ...(programs.size > 0 && { programs: [...programs.values()] }),
    plannedSeconds: seconds,
    shown: [...(before ? [before] : []), timed].map(shownCommand).join('\n'),
    ...(overwrites.length > 0 && { overwrites }),
  };
}

function withoutClashes(command: Command, others: Command['files']): Pick<Command, 'argv' | 'files'> {
  let { argv } = command;
  const files = command.files.flatMap((file) => {
    const other = others.find(({ name }) => name === file.name);
    if (!other) return [file];
    if (other.content === file.content) return [];
    const name = `before-${file.name}`;
    argv = argv.map((word) => word.replaceAll(`@${file.name}@`, `@${name}@`));
    return [{ ...file, name }];
  });
  return { argv, files };
}

/** Reads the output before the mark as that of the clean-up, and the rest as that of the timed command, with the parsers of the workload's tool. */
class DataParser implements Parser {
  readonly #before: Parser;
  readonly #timed: Parser;
  readonly #phase: DataPhase;
  readonly #seconds: number;
  readonly #time = new StepTime();

  constructor(tool: Tool, phase: DataPhase, { options, 'at-most': seconds }: DataOptions, events: ParseEvents) {
    const read = tool.options.parse(options);
    const silent = { ...events, sample: () => {} };
    this.#before = tool.parser('cleanup', read, silent);
    this.#timed = phase === 'cleanup' ? tool.parser('cleanup', read, silent) : tool.parser('prepare', read, events);
    this.#phase = phase;
    this.#seconds = seconds;
  }

  line(text: string, stream: 'stdout' | 'stderr', cut = false): void {
    if (stream === 'stdout' && !cut && this.#time.line(text)) return;
    if (stream === 'stdout' && !this.#time.hasBegun) this.#before.line(text, stream, cut);
    else this.#timed.line(text, stream, cut);
  }

  end(exit?: ExitStatus): ParseOutcome {
    const { took } = this.#time;
    const isWhole = took !== undefined;
    // Without the mark, the exit code is that of the clean-up.
    const { summary, ok, reason } =
      !this.#time.hasBegun && failedExit(exit) ? this.#before.end(exit) : this.#timed.end(exit);
    const { rows_inserted_total: rows } = summary;
    const figures = {
      ...summary,
      ...(isWhole && { took_s: took }),
      ...(rows !== undefined && took && { rows_per_s: rounded(rows / took) }),
    };
    if (ok && isWhole && !failedExit(exit)) return { summary: figures, ok };
    return { summary: figures, ok: false, reason: this.#reason(exit, isWhole, reason) };
  }

  #reason(exit: ExitStatus | undefined, isWhole: boolean, reason: Finding | undefined): Finding {
    if (isTimedOut(exit) && this.#seconds > 0 && !isWhole)
      return timeOver(this.#phase === 'prepare' ? 'The preparation' : 'The clean-up', this.#seconds);
    return (
      reason ?? {
        ...{ code: 'output-truncated', severity: 'error' },
        message: 'The output ends before the end of the step.',
        next: 'Check whether the disk of the host was full or the command was terminated, then repeat the trial.',
      }
    );
  }
}

const WORDS = {
  prepare: {
    id: 'step-prepare',
    title: 'Data preparation',
    summary: 'Removes the data of the workload, prepares it again, and measures the time of the preparation.',
  },
  cleanup: {
    id: 'step-cleanup',
    title: 'Clean-up',
    summary: 'Removes the data of the workload and measures the time this takes.',
  },
} as const;

/** The steps `do: prepare` and `do: cleanup`. They run the commands of the workload’s own tool, found by `toolOf`. */
export function dataTool(phase: DataPhase, toolOf: (id: string) => Tool | undefined) {
  const workloadTool = (id: string): Tool => {
    const tool = toolOf(id);
    if (!tool) throw invalidOptions(`There is no tool named “${id}”.`, 'Use a tool of this version.');
    return tool;
  };
  return defineTool(
    {
      ...{ id: WORDS[phase].id, title: WORDS[phase].title },
      options: DataOptions,
      metrics: { primary: () => TOOK },
      parser: (_phase, options, events) => new DataParser(workloadTool(options.tool), phase, options, events),
    },
    {
      summary: WORDS[phase].summary,
      drives: ['host', 'mysql', 'postgres', 'mongodb', 'clickhouse', 'sqlite', 'storage'],
      processes: [],
      needs: ({ tool, options }) => {
        const own = workloadTool(tool);
        return own.needs(own.options.parse(options));
      },
      plan: (input: PlanInput<DataOptions>) => {
        const tool = workloadTool(input.options.tool);
        const { prepare, cleanup } = tool.plan({ ...input, options: tool.options.parse(input.options.options) });
        const timed = phase === 'prepare' ? prepare : cleanup;
        if (!timed)
          throw invalidOptions(
            `${tool.title} has no data to ${phase === 'prepare' ? 'prepare' : 'remove'} with these options.`,
            'Remove this step.',
          );
        return { run: together(timed, phase === 'prepare' ? cleanup : undefined, input.options['at-most']) };
      },
    },
  );
}

/** The workload's tool and its options in a step that prepares or removes data. Undefined for other steps. */
export function preparedIn(toolId: string, options: Readonly<Record<string, unknown>>): DataOptions | undefined {
  if (toolId !== WORDS.prepare.id && toolId !== WORDS.cleanup.id) return undefined;
  const read = DataOptions.safeParse(options);
  return read.success ? read.data : undefined;
}

/** Whether steps of this tool create data for later steps of their trial. */
export const preparesData = (toolId: string): boolean => toolId === WORDS.prepare.id;

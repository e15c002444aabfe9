import { z } from 'zod';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import { TOOK } from '../../../../shared/model/step.ts';
import { DEVICE_PATH, devicesIn, ungatedIn } from '../device-gate.ts';
import { evidenceOf, exitFinding, failedExit } from '../faults.ts';
import { invalidOptions } from '../option-problem.ts';
import { isTimedOut, limitedTo, MARK, NOW, StepTime, timeOver } from '../step-time.ts';
import { defineTool, type ParseOutcome, type Parser, type PlanInput, type ToolPlan } from '../tool.ts';
import { ungatedWords } from './plan/index.ts';

/** `at-most`: seconds; 0: no limit. `for`: seconds after which it is ended and counts as complete; undefined in sessions of earlier versions. */
const RunOptions = z.strictObject({
  command: z.string(),
  overwrites: z.string().default(''),
  'only-reads': z.string().default(''),
  'at-most': z.number(),
  for: z.number().optional(),
});
type RunOptions = z.output<typeof RunOptions>;

/** Times a command. */
const TIMED = `${NOW}
now; echo "${MARK} began $at"
sh -c "$1" </dev/null; code=$?
now; printf '\\n%s\\n' "${MARK} ended $at $code"
exit $code`;
/** Like `TIMED`, for a command that is ended after a time. BusyBox returns 143 instead of 124, as does a command that a signal ended earlier. */
const TIMED_FOR = `${NOW}
now; echo "${MARK} began $at"; began=\${at%%.*}
timeout -k 10 "$2" sh -c "$1" </dev/null; code=$?
now
case $code in 124|137|143) [ $((\${at%%.*} - began)) -lt $(($2 - 1)) ] || code=0 ;; esac
printf '\\n%s\\n' "${MARK} ended $at $code"
exit $code`;

function planRun({ options }: PlanInput<RunOptions>): ToolPlan {
  const [overwrites, reads] = [devicesIn(options.overwrites), devicesIn(options['only-reads'])];
  const invalid = [...overwrites, ...reads].find((device) => !DEVICE_PATH.test(device));
  if (invalid !== undefined)
    throw invalidOptions(`“${invalid}” is not a device.`, 'Write a path below /dev, without colons.');
  const both = overwrites.find((device) => reads.includes(device));
  if (both !== undefined)
    throw invalidOptions(`${both} is declared both overwritten and read-only.`, 'Remove it from one of the options.');
  const ungated = ungatedIn(options.command, { overwrites, reads });
  if (ungated) throw invalidOptions(...ungatedWords(ungated));
  const { 'at-most': seconds, for: ends } = options;
  return {
    run: {
      argv: [
        ...limitedTo(seconds),
        ...['sh', '-c', ends === undefined ? TIMED : TIMED_FOR, 'kneepoint-step', options.command],
        ...(ends === undefined ? [] : [String(ends)]),
      ],
      env: { LC_ALL: 'C' },
      shown: ends === undefined ? options.command : `${options.command}\n# ended after ${ends} s`,
      files: [],
      plannedSeconds: ends ?? seconds,
      ...(overwrites.length > 0 && { overwrites }),
    },
  };
}

const MISSING: Finding = {
  code: 'tool-missing',
  severity: 'error',
  message: 'A program of the command was not found on the host.',
  next: 'Install it there, or use its full path.',
};

/** The output is the user's own: it is stored, and only the last line is shown if the command fails. */
class RunParser implements Parser {
  readonly #seconds: number;
  readonly #time = new StepTime();
  #last = '';

  constructor({ 'at-most': seconds }: RunOptions) {
    this.#seconds = seconds;
  }

  line(text: string, stream: 'stdout' | 'stderr'): void {
    if (stream === 'stdout' && this.#time.line(text)) return;
    if (text.trim() !== '') this.#last = text;
  }

  end(exit?: ExitStatus): ParseOutcome {
    const { took } = this.#time;
    const summary = took === undefined ? {} : { took_s: took };
    const reason = this.#reason(exit, took !== undefined);
    return reason ? { summary, ok: false, reason } : { summary, ok: true };
  }

  #reason(exit: ExitStatus | undefined, isWhole: boolean): Finding | undefined {
    const evidence = this.#last === '' ? {} : { evidence: evidenceOf(this.#last) };
    if (isTimedOut(exit) && this.#seconds > 0 && !isWhole)
      return { ...timeOver('The command', this.#seconds), ...evidence };
    if (failedExit(exit)) {
      const words = { name: 'The command', crashNext: 'Check the host’s log (dmesg) for the crash.', missing: MISSING };
      const code = exit?.code ?? 0;
      const found = exitFinding(exit, words);
      const message =
        found.code === 'exit-code'
          ? `The command ended with exit code ${code}${this.#last === '' ? '.' : `: ${evidenceOf(this.#last)}`}`
          : found.message;
      return { ...found, ...evidence, message };
    }
    if (isWhole) return undefined;
    return {
      ...{ code: 'output-truncated', severity: 'error' },
      message: 'The output ends before the end of the command.',
      next: 'Check whether the disk of the host was full or the command was terminated, then repeat the trial.',
    };
  }
}

/** The step `do: run`. */
export const runTool = defineTool(
  {
    id: 'step-run',
    title: 'Command',
    options: RunOptions,
    metrics: { primary: () => TOOK },
    parser: (_phase, options) => new RunParser(options),
  },
  {
    summary: 'Runs a command on a host and measures its time.',
    drives: ['host'],
    processes: [],
    needs: () => [],
    plan: planRun,
  },
);

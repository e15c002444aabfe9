import type { Finding } from '../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { SIGNALS } from '../../../shared/util/virtual-disk.ts';

const LONGEST_EVIDENCE = 300;

/** A printed line as evidence of a finding: trimmed, and truncated if very long. */
export const evidenceOf = (line: string): string => {
  const text = line.trim();
  return text.length > LONGEST_EVIDENCE ? `${text.slice(0, LONGEST_EVIDENCE)}…` : text;
};

/** From a tool's messages for each of its faults: creates the finding for one, with the line that shows it. */
export const faultFindings =
  <Code extends string>(faults: Readonly<Record<Code, { message: string; next: string }>>) =>
  (code: Code, line?: string): Finding => {
    const { message, next } = faults[code];
    return { code, severity: 'error', message, ...(line ? { evidence: evidenceOf(line) } : {}), next };
  };

/** Several consecutive runs in one output. `apart`: their known differences, as the end of the sentence. */
export const severalRuns = (program: string, runs: number, apart = ''): Finding => ({
  code: 'several-runs',
  severity: 'warn',
  message: `The output contains ${runs} runs of ${program}, one after the other${apart}. Only the first is read.`,
  next: `Split the recording into one file per run. In a trial, find what started ${program} again.`,
});

/** An output without its end. `line`: the last, incomplete line. */
export const cutOff = (line: string, where = 'a line, before the final report'): Finding => ({
  code: 'output-truncated',
  severity: 'error',
  message: `The output ends in the middle of ${where}. Earlier output is stored.`,
  evidence: evidenceOf(line),
  next: 'Check whether the disk of the generator was full or the reader of the output ended early.',
});

/** The final report of the program is missing. */
export const withoutReport = (program: string): Finding => ({
  code: 'no-summary',
  severity: 'error',
  message: `The output ends without the final report of ${program}: the run did not finish. Earlier output is stored.`,
  next: `${program} prints no report when killed; the last lines of the raw output and the log of the host may show why.`,
});

/** Program-specific words for messages about its end. */
export interface EndingWords {
  /** The program's name at the beginning of a sentence. */
  readonly name: string;
  /** What to do after a crash. */
  readonly crashNext: string;
  /** The finding if the shell did not find the program (exit code 127). */
  readonly missing: Finding;
  /** What to do after a signal, where this differs from the general advice. */
  readonly killedNext?: Readonly<Record<string, string>>;
}

const CRASHES = new Set(['SIGILL', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV']);

/** The signal's name, from the status itself or from 128 + n, as reported by shells and Java. */
function signalOf(exit: ExitStatus | undefined): string | undefined {
  if (exit?.signal) return exit.signal.startsWith('SIG') ? exit.signal : `SIG${exit.signal}`;
  const code = exit?.code ?? 0;
  return code > 128 ? (SIGNALS[code - 128] ?? (code < 128 + 65 ? `signal ${code - 128}` : undefined)) : undefined;
}

export const endedBySignal = (exit: ExitStatus | undefined): boolean => signalOf(exit) !== undefined;
/** Also false if the status is unknown. */
export const failedExit = (exit: ExitStatus | undefined): boolean =>
  endedBySignal(exit) || (exit?.code !== undefined && exit.code !== 0);

const KILLED_NEXT: Readonly<Record<string, string>> = {
  SIGKILL: 'If this was not intended, the kernel may have run out of memory: check the host’s log (dmesg).',
  SIGHUP: 'Its terminal or connection was closed.',
  SIGPIPE: 'The reader of its output ended first.',
};

/** The finding for a failed exit status alone. */
export function exitFinding(exit: ExitStatus | undefined, words: EndingWords): Finding {
  const signal = signalOf(exit);
  if (signal && CRASHES.has(signal))
    return {
      code: 'tool-crashed',
      severity: 'error',
      message: `${words.name} crashed (${signal}). Earlier output is stored.`,
      next: words.crashNext,
    };
  if (signal)
    return {
      code: 'killed-by-signal',
      severity: 'error',
      message: `${words.name} was terminated from outside (${signal}) before its report. Earlier output is stored.`,
      next:
        words.killedNext?.[signal] ??
        KILLED_NEXT[signal] ??
        'If this was not intended, check the host’s log for the cause.',
    };
  if (exit?.code === 127) return words.missing;
  return {
    code: 'exit-code',
    severity: 'error',
    message: `${words.name} ended with exit code ${exit?.code} and no message that explains it.`,
    next: 'See the last lines of both streams in the raw output.',
  };
}

const MOST_RANGES = 12;

/** Formats ascending seconds for display, consecutive ones (`step` seconds apart) as a range: `6–10, 14`. */
export function secondRanges(seconds: readonly number[], step = 1): string {
  const parts: string[] = [];
  let from: number | undefined;
  seconds.forEach((second, index) => {
    from ??= second;
    const next = seconds[index + 1];
    if (next !== undefined && next >= second && next - second < 1.5 * step) return;
    parts.push(from === second ? String(second) : `${from}–${second}`);
    from = undefined;
  });
  return parts.length > MOST_RANGES ? `${parts.slice(0, MOST_RANGES).join(', ')} and more` : parts.join(', ');
}

/** Intervals without progress. `what` was not completed: "operation"; `who` was idle: "the server". */
export const noProgress = (what: string, who: string, seconds: readonly number[], step = 1): Finding => ({
  code: 'no-progress',
  severity: 'warn',
  message: `No ${what} completed in ${formatCount(seconds.length, 'interval')} (second ${secondRanges(seconds, step)}): ${who} stalled, or each ${what} takes longer than an interval.`,
  next: 'Check the server’s and the host’s series at these seconds. Latencies of these intervals are unknown, not 0.',
});

/** Intervals for which the program printed no line. */
export const secondsMissing = (program: string, seconds: readonly number[], step = 1): Finding => ({
  code: 'seconds-missing',
  severity: 'warn',
  message: `${program} printed no line for ${formatCount(seconds.length, 'interval')} (second ${secondRanges(seconds, step)}).`,
  next: 'The generator was overloaded or suspended, or output was lost: check the raw output.',
});

/** Repeated seconds although none is missing. */
export const runsMixed = (program: string, seconds: readonly number[], step = 1): Finding => ({
  code: 'seconds-repeated',
  severity: 'warn',
  message: `Seconds were printed more than once (${secondRanges([...new Set(seconds)], step)}) and none is missing: outputs of several runs of ${program} are mixed line by line.`,
  next: 'Parse the output of each run separately: record each run to its own file, or prefix each line with the host name.',
});

/** Lines that are exact duplicates of earlier ones. */
export const linesDoubled = (count: number): Finding => ({
  code: 'lines-doubled',
  severity: 'note',
  message: `${formatCount(count, 'line')} ${count === 1 ? 'appears' : 'appear'} twice, as when both streams are recorded to one file: each was counted once.`,
});

import type { Finding } from '../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';

/** Sets `at` to the host's uptime, which is unaffected by clock adjustments; without /proc to its clock, in whole seconds. */
export const NOW = 'now() { { read -r at rest </proc/uptime; } 2>/dev/null || at=$(date +%s); }';

/** Precedes the lines of a step's script that mark begin and end of the timed command. */
export const MARK = 'kneepoint-step:';
const LINE = new RegExp(`^${MARK} (began|ended) (\\d{1,12}(?:\\.\\d+)?)(?: \\d+)?$`);

/** Begin and end of a timed command, from the marks of its script. */
export class StepTime {
  #began: number | undefined;
  #ended: number | undefined;

  /** Whether a line of standard output is a mark. */
  line(text: string): boolean {
    const [, what, at] = LINE.exec(text) ?? [];
    if (what === 'began') this.#began ??= Number(at);
    else if (what === 'ended') this.#ended = Number(at);
    return what !== undefined;
  }

  get hasBegun(): boolean {
    return this.#began !== undefined;
  }

  /** Seconds. Undefined if one of the marks is missing. */
  get took(): number | undefined {
    return this.#began === undefined || this.#ended === undefined ? undefined : rounded(this.#ended - this.#began);
  }
}

/** A time or rate to three decimals, never negative. */
export const rounded = (value: number): number => Math.max(0, Number(value.toFixed(3)));

/** The words before a command that may take at most `seconds`. None for 0, which is no limit. */
export const limitedTo = (seconds: number): string[] => (seconds > 0 ? ['timeout', '-k', '10', String(seconds)] : []);

/** Whether `timeout` ended the command. */
export const isTimedOut = (exit: ExitStatus | undefined): boolean => exit?.code === 124;

/** `what`: the command, as the subject of a sentence. */
export const timeOver = (what: string, seconds: number): Finding => ({
  code: 'time-over',
  severity: 'error',
  message: `${what} did not finish within ${seconds} s and was stopped.`,
  next: 'Allow more time with “at-most” in the step.',
});

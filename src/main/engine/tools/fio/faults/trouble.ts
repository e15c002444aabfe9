import type { Finding } from '../../../../../shared/model/finding.ts';
import { classify, faultFinding } from './index.ts';
import type { FaultCode } from './words.ts';

/** Marks of fio's own messages, of its parser of job files, of the guard in front of it, and of the shell. */
const MARK =
  /^(fio: |ioengine \S+ only works with |Bad option |No job\(s\) defined|kneepoint: refused: |(?:\S*\/)?(?:ba|da)?sh: |env: |[^:]*own-files\.sh: |rmdir: |[^:]+: you need to specify size=)/;
const STOPPED = /^fio: terminating on signal (\d+)/;
const NOTE = /^note: /;
const DEPTH = /queue depth will be capped at 1/;
/** What follows from another message, and what fio prints about itself. */
const PLAIN =
  /^(hostname=\S+, be=\d.*|fio: (cache invalidation of .* failed|file:\S+, func=lstat,|job .* dropped|loaded .*|failed parsing directory=|output buffering|\d+ zoned).*|fio-\d+\.\d+\S*|free\(\): .*|Aborted.*|Fio was written by .*|fio \[options\].*|Run .*|hint: .*|kneepoint: .* holds other files and stays|\s+(valid values)?\s*: \w+ .*)$/;

/** Faults of one output stream, in the order they came; they are told at the end, as fio prints the same on both. */
export class Trouble {
  readonly faults = new Map<FaultCode, Finding>();
  #error: string | undefined;
  #unknown: string | undefined;
  #stopped: number | undefined;
  #capped: string | undefined;

  /** A message that gives up without a meaning known here. */
  get error(): string | undefined {
    return this.#error;
  }
  /** The first message whose meaning is not known here. */
  get unknown(): string | undefined {
    return this.#unknown;
  }
  /** The signal that ended fio, in its own words. */
  get stopped(): number | undefined {
    return this.#stopped;
  }
  /** The note that a synchronous engine has only one request in flight. */
  get capped(): string | undefined {
    return this.#capped;
  }

  /** Whether the line is a message. */
  line(text: string): boolean {
    const signal = STOPPED.exec(text)?.[1];
    if (signal !== undefined) this.#stopped = Number(signal);
    else if (NOTE.test(text)) {
      if (DEPTH.test(text)) this.#capped ??= text;
    } else if (PLAIN.test(text)) return true;
    else if (MARK.test(text)) this.#fault(text);
    else return false;
    return true;
  }

  #fault(text: string): void {
    this.#error ??= text;
    const code = classify(text);
    if (code === undefined) this.#unknown ??= text;
    if (code && !this.faults.has(code)) this.faults.set(code, faultFinding(code, text));
  }
}

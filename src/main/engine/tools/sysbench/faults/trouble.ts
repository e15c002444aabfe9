import type { Finding } from '../../../../../shared/model/finding.ts';
import { evidenceOf } from '../../faults.ts';
import { classify, faultFinding } from './index.ts';

/** sysbench's own marks of a message. Debugging and information say nothing of a fault. */
const MARK = /\b(FATAL|ALERT|CRITICAL|PANIC|WARNING|INFO|DEBUG): /;
/** Advice that only repeats what the FATAL line before it says. */
const ADVICE = /WARNING: Did you (forget to run|run 'prepare' with)/;
/** Lines that continue with the message above: libpq's and MySQL's own lines, the text of a query, Lua's search path. */
const CONTINUATION = /^(\s+\S|LINE \d+: |DETAIL: |HINT: |CONTEXT: |password retrieved from file |\) ?)/;

/** Faults of one output stream: each code is told once, at the line that shows it first; `told` by both streams, if they share it. */
export class Trouble {
  readonly #tell: (finding: Finding) => void;
  readonly #told: Set<string>;
  #first: Finding | undefined;
  #firstFatal: string | undefined;
  #inMessage = false;

  constructor(tell: (finding: Finding) => void, told = new Set<string>()) {
    this.#tell = tell;
    this.#told = told;
  }

  /** Whether sysbench said that it gives up. */
  get fatal(): boolean {
    return this.#firstFatal !== undefined;
  }

  /** The fault that came first and has a meaning of its own; else, after a FATAL line, its text. */
  get reason(): Finding | undefined {
    return this.#first ?? (this.#firstFatal === undefined ? undefined : faultFinding('tool-error', this.#firstFatal));
  }

  /** Whether a finding with this code was told. */
  told(code: string): boolean {
    return this.#told.has(code);
  }

  /** A line of standard output: only marked messages count. */
  marked(text: string): boolean {
    const mark = MARK.exec(text)?.[1];
    if (mark === undefined) return this.#inMessage && CONTINUATION.test(text);
    this.#inMessage = true;
    if (mark === 'INFO' || mark === 'DEBUG' || ADVICE.test(text)) return true;
    if (mark === 'WARNING') this.#warn(text);
    else this.#fault(text, mark !== 'ALERT' && mark !== 'CRITICAL');
    return true;
  }

  /** A line of standard error: everything there is about trouble. */
  unmarked(text: string): boolean {
    const code = classify(text);
    if (code) this.#note(faultFinding(code, text));
    return code !== undefined;
  }

  /** Any other line: the message is over. */
  over(): void {
    this.#inMessage = false;
  }

  #fault(text: string, fatal: boolean): void {
    if (fatal) this.#firstFatal ??= text;
    const code = classify(text);
    if (code) this.#note(faultFinding(code, text));
  }

  #note(finding: Finding): void {
    this.#first ??= finding;
    if (this.#told.has(finding.code)) return;
    this.#told.add(finding.code);
    this.#tell(finding);
  }

  #warn(text: string): void {
    const evidence = evidenceOf(text);
    if (this.#told.has(evidence)) return;
    this.#told.add(evidence);
    this.#tell({ code: 'tool-warning', severity: 'warn', message: 'sysbench printed a warning.', evidence });
  }
}

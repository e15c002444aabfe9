import type { Finding } from '../../../../../shared/model/finding.ts';
import { classify, faultFinding, isVague } from './index.ts';
import type { FaultCode } from './words.ts';

/** Lines of a stack trace below its first: `	at …`, `Caused by: …`, `	... 3 more`. */
const STACK = /^\s+(at \S|\.\.\. \d+ more)|^Caused by: |^\s*Suppressed: /;
/** Foreign text can look like trouble: only what begins like this is, on either stream. */
const TROUBLE =
  /^(Exception in thread |[\w$]+(\.[\w$]+)+(Exception|Error)\b|Caused by: |Error\b|Unknown (option|DB) |Unrecognized |Invalid |At least one argument|Missing (argument|property)|YCSB launcher: |Nothing (updated|deleted|found) |Could not |Unable to |\S*sh: |\S*launch\.sh: |Insertion failed|Retrying insertion|OpenJDK .* warning:|Java HotSpot)/;
const LONGEST_LOOK = 4000;
const WARNING = /^(OpenJDK|Java HotSpot)\b.* warning: /;
const RETRY = /^Retrying insertion, retry count: \d+/;

/** Faults of one output stream, each told once at the line that shows it first. YCSB prints its stack traces on both. */
export class Trouble {
  readonly #found = new Map<string, Finding>();
  readonly #tell: (finding: Finding) => void;
  #retries = 0;
  #inMessage = false;

  /** `tell` is called at once; a stream that only repeats the other is given none. */
  constructor(tell: (finding: Finding) => void) {
    this.#tell = tell;
  }

  /** The fault that says most: the first with a meaning of its own, else the first. */
  get reason(): Finding | undefined {
    const all = [...this.#found.values()].filter(({ severity }) => severity === 'error');
    return all.find(({ code }) => !isVague(code as FaultCode)) ?? all[0];
  }
  get findings(): readonly Finding[] {
    return [...this.#found.values()];
  }
  get retries(): number {
    return this.#retries;
  }

  /** Whether the line is about trouble. */
  line(text: string): boolean {
    if (RETRY.test(text)) {
      this.#retries += 1;
      return true;
    }
    if (WARNING.test(text)) {
      this.#note({
        code: 'tool-warning',
        severity: 'warn',
        message: 'Java printed a warning.',
        evidence: text.slice(0, 300),
      });
      return true;
    }
    if (STACK.test(text)) {
      // The cause at the bottom of a stack can say more than its first line.
      const cause = text.startsWith('Caused by: ') ? classify(text) : undefined;
      if (cause && !isVague(cause)) this.#fault(cause, text);
      this.#inMessage = this.#inMessage || cause !== undefined;
      return true;
    }
    if (!TROUBLE.test(text.slice(0, LONGEST_LOOK))) return false;
    const code = classify(text);
    if (code === undefined) return false;
    this.#fault(code, text);
    this.#inMessage = true;
    return true;
  }

  /** Whether the line continues with the message of the exception above: drivers write more than one line. */
  continues(text: string): boolean {
    const inMessage = this.#inMessage;
    if (!/^\s+\S/.test(text)) this.#inMessage = false;
    return inMessage;
  }
  over(): void {
    this.#inMessage = false;
  }

  #fault(code: FaultCode, line: string): void {
    this.#note(faultFinding(code, line));
  }
  #note(finding: Finding): void {
    if (this.#found.has(finding.code)) return;
    this.#found.set(finding.code, finding);
    this.#tell(finding);
  }
}

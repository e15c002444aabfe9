import type { Finding } from '../../../../../shared/model/finding.ts';
import { type EndingWords, faultFindings } from '../../faults.ts';
import { FAULTS, type FaultCode } from './words.ts';

/** The finding for a fault, with the line that shows it. */
export const faultFinding = faultFindings(FAULTS);

/** Linux error numbers, as fio prints them in messages and in the jobs of its documents. */
const NUMBERS: Readonly<Record<number, FaultCode>> = {
  1: 'permission-denied',
  2: 'files-missing',
  5: 'io-error',
  11: 'too-many-files',
  12: 'too-many-files',
  13: 'permission-denied',
  16: 'file-busy',
  22: 'io-refused',
  24: 'too-many-files',
  28: 'disk-full',
  30: 'read-only',
  61: 'io-error',
  74: 'io-error',
  84: 'verify-failed',
  95: 'io-refused',
  121: 'io-error',
  122: 'disk-full',
};

export const codeOfErrno = (number: number): FaultCode => NUMBERS[number] ?? 'tool-error';

/** Texts that are more specific than the number, or that have none. The first match is used. */
const TEXTS: readonly (readonly [RegExp, FaultCode])[] = [
  [/^kneepoint: refused: .* is not a block device/, 'device-missing'],
  [/^kneepoint: refused: /, 'place-refused'],
  [
    /io_uring\.c:.*func=io_queue_init.*(Operation not permitted|Permission denied|Function not implemented)|io_uring.*not (permitted|allowed)/i,
    'io-uring-refused',
  ],
  [/only works with nvme ns generic char dev/i, 'passthrough-device'],
  [/^fio: (connect: |failed to connect)/, 'server-refused'],
  [/does not support direct=|does not support O_DIRECT|first direct IO errored/i, 'direct-io-unsupported'],
  [/: you need to specify size=/, 'size-missing'],
  [/ENOSPC|no space left on device|quota exceeded/i, 'disk-full'],
  [/refusing extend of file due to read-only/i, 'files-missing'],
  [/is not a directory|: cd: |can't cd to/i, 'directory-missing'],
  [/engine \S+ not loadable|failed to load engine|func=dlopen/i, 'bad-engine'],
  [/^Bad option|unrecognized option|unknown option/i, 'unknown-option'],
  [/failed parsing|bad value|invalid (value|argument for)|out of range|max range|min value/i, 'bad-option-value'],
  [/unable to open '.*' job file|No job\(s\) defined|no jobs? to run/i, 'no-jobs'],
  [/got signal=/i, 'job-killed'],
  [/fio: (command )?not found|exec: fio: |['‘"]?fio['’"]?: No such file/i, 'tool-missing'],
];
const ERRNO = /\berr=\s*(\d+)[/ ]/;
const WORDS: readonly (readonly [RegExp, FaultCode])[] = [
  [/permission denied|operation not permitted/i, 'permission-denied'],
  [/read-only file system/i, 'read-only'],
  [/input\/output error/i, 'io-error'],
  [/no such file or directory/i, 'files-missing'],
  [/too many open files|resource temporarily unavailable|cannot allocate memory/i, 'too-many-files'],
  [/invalid argument|operation not supported/i, 'io-refused'],
];
const HEAD = 4000;

/** The fault that an error message indicates. */
function classify(line: string): FaultCode | undefined {
  const head = line.slice(0, HEAD);
  const find = (texts: typeof TEXTS): FaultCode | undefined => texts.find(([pattern]) => pattern.test(head))?.[1];
  const number = ERRNO.exec(head)?.[1];
  return find(TEXTS) ?? (number === undefined ? find(WORDS) : codeOfErrno(Number(number)));
}

export const ENDING: EndingWords = {
  name: 'fio',
  crashNext: 'fio crashes at its end if one of its jobs was killed: check the host’s log (dmesg).',
  missing: faultFinding('tool-missing'),
};

/** Prefixes of messages of fio, its job file parser, the guard that precedes it, and the shell. */
const MARK =
  /^(fio: |ioengine \S+ only works with |Bad option |No job\(s\) defined|kneepoint: refused: |(?:\S*\/)?(?:ba|da)?sh: |env: |[^:]*own-files\.sh: |rmdir: |[^:]+: you need to specify size=)/;
const STOPPED = /^fio: terminating on signal (\d+)/;
const NOTE = /^note: /;
const DEPTH = /queue depth will be capped at 1/;
/** Consequences of other messages, and messages of fio about itself. */
const PLAIN =
  /^(hostname=\S+, be=\d.*|fio: (cache invalidation of .* failed|file:\S+, func=lstat,|job .* dropped|loaded .*|failed parsing directory=|output buffering|\d+ zoned).*|fio-\d+\.\d+\S*|free\(\): .*|Aborted.*|Fio was written by .*|fio \[options\].*|Run .*|hint: .*|kneepoint: .* holds other files and stays|\s+(valid values)?\s*: \w+ .*)$/;

/** Faults in one output stream, in order of appearance. They are reported at the end, as fio prints the same on both streams. */
export class StreamFaults {
  readonly faults = new Map<FaultCode, Finding>();
  #error: string | undefined;
  #unknown: string | undefined;
  #stopped: number | undefined;
  #capped: string | undefined;

  /** An error message with an unknown meaning. */
  get error(): string | undefined {
    return this.#error;
  }
  /** The first message with an unknown meaning. */
  get unknown(): string | undefined {
    return this.#unknown;
  }
  /** The signal that ended fio, as reported by fio. */
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

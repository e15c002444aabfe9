import {
  attachmentName,
  countersIn,
  type Fact,
  factsInTable,
  factsInText,
  fitting,
  isText,
  type LogMark,
  MOST_FACTS,
  marksIn,
  tableText,
  zoneMinutes,
} from '../../../../shared/captures/index.ts';
import {
  CAPTURE_BYTES,
  type Capture,
  type CaptureContent,
  type CapturedTable,
  formOf,
  type KeptCapture,
} from '../../../../shared/model/capture.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { readPatterns } from '../../../../shared/patterns/index.ts';
import { formatBytes } from '../../../../shared/util/format.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { Machine } from '../../hosts/machine.ts';
import { newNonce, noAnswer, parseReplies } from '../../jobs/protocol.ts';
import type { AnswerTable } from '../../targets/target.ts';

/** The stored part of a capture, and how much was cut off. */
export interface Kept extends Pick<KeptCapture, 'left' | 'problem'> {
  readonly content: CaptureContent;
  /** Bytes of the content. */
  readonly bytes: number;
  /** Lines of a log, by the clock of its host. */
  readonly marks?: readonly LogMark[];
}

/** Read beyond the stored part, so a secret is hidden as a whole before its end is cut off. */
const BEYOND = 4096;
const ERRORS = 500;
/** A command that prints more is ended. */
const MOST_PRINTED = 64 * CAPTURE_BYTES;

/** Prints a file unless it is larger than an attachment. Programs that encode: base64 is fast, od is everywhere. */
const encoded = (file: string): string =>
  `if [ "$(wc -c <${file})" -le ${CAPTURE_BYTES} ]; then
if command -v base64 >/dev/null 2>&1; then base64 <${file}; else echo hex; od -An -v -tx1 <${file}; fi; fi`;

/** The output goes into a file, so the command ends even if it leaves a program behind that keeps its output open. */
const commandScript = (nonce: string, command: string, isAttachment: boolean): string => `nonce=${nonce}
umask 077
out=\${TMPDIR:-/tmp}/kneepoint-$nonce
trap 'rm -f "$out" "$out.code" "$out.errors"' EXIT
(set -C; true >"$out") || exit 1
( (umask 022; eval ${shellQuote(command)} ); printf '%s' "$?" >"$out.code" ) </dev/null 2>"$out.errors" | head -c ${MOST_PRINTED} >"$out"
printf '@@%s ended %s %s %s\\n' "$nonce" "$(cat "$out.code")" "$(wc -c <"$out")" "$(date +%z)"
${isAttachment ? encoded('"$out"') : `head -c ${CAPTURE_BYTES + BEYOND} "$out"`}
printf '\\n@@%s errors \\n' "$nonce"
tail -c ${ERRORS} "$out.errors"`;

const fileScript = (nonce: string, file: string, isAttachment: boolean): string => `nonce=${nonce}
file=${shellQuote(file)}
size=$(wc -c <"$file") || exit 1
printf '@@%s ended 0 %s %s\\n' "$nonce" "$size" "$(date +%z)"
${isAttachment ? encoded('"$file"') : `tail -c ${CAPTURE_BYTES + BEYOND} "$file"`}
printf '\\n@@%s errors \\n' "$nonce"`;

/** The output of a command, or a file. `size`: all of its bytes. */
interface Output {
  readonly text: string;
  readonly size: number;
  readonly code: number;
  /** Time zone of the host, as “+0200”. */
  readonly zone: string;
  readonly errors: string;
}

async function outputOf(machine: Machine, nonce: string, script: string, signal: AbortSignal): Promise<Output> {
  const result = await machine.exec(script, { signal });
  const ended = parseReplies(nonce, result.stdout).find(({ word }) => word === 'ended');
  const behind = `\n@@${nonce} errors \n`;
  const close = result.stdout.lastIndexOf(behind);
  if (!ended || close < 0) throw noAnswer(machine.name, result);
  const [code = '0', size = '0', zone = ''] = ended.rest.trim().split(/\s+/);
  const mark = `@@${nonce} ended ${ended.rest}\n`;
  const open = result.stdout.indexOf(mark) + mark.length;
  return {
    text: result.stdout.slice(open, close),
    size: Number(size),
    zone,
    code: Number(code),
    errors: result.stdout.slice(close + behind.length).trim(),
  };
}

/**
 * Throws the errors of `Machine.exec`, and `change-refused` for a file that cannot be read, and for an attachment that is too large or contains a
 * secret that cannot be hidden.
 */
export async function readOnHost(
  machine: Machine,
  capture: Capture,
  redact: (text: string) => string,
  signal: AbortSignal,
): Promise<Kept> {
  const nonce = newNonce();
  const isAttachment = formOf(capture) === 'attachment';
  if (capture.command !== undefined) {
    const output = await outputOf(machine, nonce, commandScript(nonce, capture.command, isAttachment), signal);
    const { code, errors } = output;
    const words = redact(errors);
    return {
      ...(isAttachment ? attachmentOf(capture, output, redact) : textOf(capture, output, redact, 'start')),
      ...(code !== 0 && {
        problem: `The command ended with exit code ${code}${words === '' ? '.' : `: ${words.replaceAll(/\s+/g, ' ')}`}`,
      }),
    };
  }
  const file = capture.file ?? '';
  const output = await outputOf(machine, nonce, fileScript(nonce, file, isAttachment), signal).catch(
    (error: unknown) => {
      if (!(error instanceof KneepointError) || error.code !== 'host-refused') throw error;
      throw new KneepointError({
        code: 'change-refused',
        host: machine.name,
        message: `${file} on ${machine.name} could not be read.`,
        next: 'Check its path, and that the account there may read it.',
      });
    },
  );
  return isAttachment ? attachmentOf(capture, output, redact) : textOf(capture, output, redact, 'end');
}

/** The whole file, byte for byte. In text, secrets are hidden; in any other file that would break it, so one with a secret is not kept. */
function attachmentOf(
  capture: Capture,
  { text, size }: Pick<Output, 'text' | 'size'>,
  redact: (text: string) => string,
): Kept {
  const read = text.startsWith('hex\n')
    ? Buffer.from(text.slice(4).replaceAll(/\s+/g, ''), 'hex')
    : Buffer.from(text, 'base64');
  if (size > CAPTURE_BYTES || read.length > CAPTURE_BYTES)
    throw notKept(
      `Its size is ${formatBytes(Math.max(size, read.length))}; attachments are never truncated, so the limit is ${formatBytes(CAPTURE_BYTES)}.`,
      'Compress it in a command, or keep its end as text.',
    );
  const isPlain = isText(read);
  if (!isPlain && holdsSecret(read, redact))
    throw notKept(
      'It contains a stored password, which cannot be hidden in a file that is not text.',
      'Let the command write the file without it.',
    );
  const bytes = isPlain ? Buffer.from(redact(read.toString())) : read;
  return { content: { file: { name: attachmentName(capture, bytes), bytes } }, bytes: bytes.length };
}

const notKept = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'change-refused', message: `Not kept: ${message}`, next });

/** Whether a binary file contains a known secret, in any of the encodings that programs write strings in. */
const holdsSecret = (bytes: Buffer, redact: (text: string) => string): boolean =>
  [bytes.toString('latin1'), bytes.toString(), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')].some(
    (text) => redact(text) !== text,
  );

/** `from`: the part of a longer text that is stored. */
function textOf(
  capture: Capture,
  { text, size, zone = '' }: Pick<Output, 'text' | 'size'> & { zone?: string },
  redact: (text: string) => string,
  from: 'start' | 'end',
): Kept {
  // A file that is not text may have zeros.
  const whole = redact(text.replaceAll('\0', ''));
  const form = formOf(capture);
  if (form === 'difference') return tableOf(countersIn(whole));
  if (form === 'fact') return factsTable(factsInText(whole), size > CAPTURE_BYTES ? size - CAPTURE_BYTES : 0);
  if (form === 'marks')
    return { content: {}, bytes: 0, marks: marksIn(whole, readPatterns(capture.marks ?? ''), zoneMinutes(zone)) };
  const bytes = Buffer.from(whole);
  const kept =
    bytes.length <= CAPTURE_BYTES
      ? bytes
      : from === 'start'
        ? bytes.subarray(0, CAPTURE_BYTES)
        : bytes.subarray(-CAPTURE_BYTES);
  const omitted = Math.max(0, size - CAPTURE_BYTES);
  return {
    content: { text: kept === bytes ? whole : kept.toString().replaceAll(/^�+|�+$/g, '') },
    bytes: kept.length,
    ...(omitted > 0 && { left: { count: omitted, unit: 'bytes' as const } }),
  };
}

export function tableOf(table: CapturedTable): Kept {
  const { table: kept, left: omitted } = fitting(table, CAPTURE_BYTES);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  return { content: { table: kept }, bytes, ...(omitted > 0 && { left: { count: omitted, unit: 'rows' as const } }) };
}

/** `left`: bytes of the output that were not read. */
function factsTable(facts: readonly Fact[], omitted: number): Kept {
  const kept = tableOf({
    columns: ['fact', 'value'],
    rows: facts.slice(0, MOST_FACTS).map(({ name, value }) => [name, value]),
  });
  const more = facts.length - MOST_FACTS;
  return {
    ...kept,
    ...(omitted > 0 && { left: { count: omitted, unit: 'bytes' as const } }),
    ...(more > 0 && { left: { count: more, unit: 'rows' as const } }),
  };
}

const cellOf = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** The result of a statement as it is stored. */
export function keptAnswer(capture: Capture, { columns, rows }: AnswerTable, redact: (text: string) => string): Kept {
  const table: CapturedTable = {
    columns: [...columns],
    rows: rows.map((row) =>
      row.map((value) => {
        const cell = cellOf(value);
        return typeof cell === 'string' ? redact(cell) : cell;
      }),
    ),
  };
  if (formOf(capture) === 'fact') return factsTable(factsInTable(table), 0);
  if (formOf(capture) !== 'text') return tableOf(table);
  const text = tableText(table);
  return textOf(capture, { text, size: Buffer.byteLength(text) }, (words) => words, 'start');
}

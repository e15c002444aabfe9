import { AsyncLocalStorage } from 'node:async_hooks';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { CallOptions } from '../../shared/rpc/define.ts';
import { formatNumber } from '../../shared/util/format.ts';

/** Input and output of a command, and its environment. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  /** `columns` is 0 on a terminal with an unknown width. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
}

const given = new AsyncLocalStorage<Terminal>();

/** The terminal of the current command: that of the process, unless the command was started on another. */
export const terminal = (): Terminal => given.getStore() ?? process;

/** Runs commands on a terminal other than that of the process. Several can share a process. */
export const onTerminal = <Result>(other: Terminal, work: () => Promise<Result>): Promise<Result> =>
  given.run(other, work);

/** Whether a user can be asked. */
export const canAsk = (options: { json?: boolean | undefined }): boolean =>
  terminal().stdin.isTTY === true && options.json !== true;

/** True only for the complete word yes. */
export const askYes = async (question: string): Promise<boolean> => (await askText(`${question} (yes/no)`)) === 'yes';

/** The entered line, without surrounding blanks. */
export async function askText(question: string): Promise<string> {
  const { stdin, stderr } = terminal();
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return (await asked.question(`${question} `)).trim();
  } finally {
    asked.close();
  }
}

/** Control characters except newline and tab, and characters that reverse the reading direction or are invisible: terminals interpret them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces terminal escapes, which names and output of hosts and tools may contain. */
export const plainText = (text: string): string => text.replace(UNSAFE, '\ufffd');

/** JSON with unsafe characters escaped: the same value, but harmless on a terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const print = (text: string): void => {
  terminal().stdout.write(`${plainText(text)}\n`);
};
export const printStatus = (text: string): void => {
  terminal().stderr.write(`${plainText(text)}\n`);
};
export const printJson = (value: unknown): void => {
  terminal().stdout.write(`${jsonText(value, 2)}\n`);
};

export interface Column<Row> {
  title: string;
  /** Right-aligned if it contains numbers. */
  number?: boolean;
  value(row: Row): string;
}

/** Rows in aligned columns, as wide as their content, with a heading if any column has a title. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const titles = columns.map((column) => column.title);
  const lines = rows.map((row) => columns.map((column) => column.value(row).replace(/\s+/g, ' ')));
  const cells = titles.some((title) => title !== '') ? [titles, ...lines] : lines;
  const widths = columns.map((_, index) => Math.max(0, ...cells.map((line) => (line[index] ?? '').length)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const width = widths[index] ?? 0;
          return columns[index]?.number ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Milliseconds after which a user wonders what the command is doing: progress is shown from then on. */
const LONG_MS = 1000;
/** Milliseconds between progress lines where lines cannot be rewritten. */
const LINE_MS = 10_000;

/** Shows the progress of a call on standard error once it takes longer than a second. */
export async function slow<Answer>(
  call: (options: CallOptions) => Promise<Answer>,
  now: () => number = () => performance.now(),
): Promise<Answer> {
  const { stderr } = terminal();
  const isTerminal = stderr.isTTY === true;
  let next = now() + LONG_MS;
  let drawn = false;
  const onProgress: CallOptions['onProgress'] = ({ what, unit, done, of }) => {
    if (now() < next) return;
    const words = plainText(`${what}: ${unit} ${formatNumber(done)} of ${formatNumber(of)}`);
    if (!isTerminal) {
      next = now() + LINE_MS;
      printStatus(words);
      return;
    }
    drawn = true;
    stderr.write(`\r\x1b[K${words.slice(0, (stderr.columns || 80) - 1)}`);
  };
  try {
    return await call({ onProgress });
  } finally {
    if (drawn) stderr.write('\r\x1b[K');
  }
}

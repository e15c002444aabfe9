import type { SetFile } from '../../../../shared/model/file-set.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { Machine } from '../../hosts/machine.ts';

/** Which of the wanted files are there with the bytes that they need. */
export interface FileState {
  complete: boolean;
  /** None of them is there. */
  empty: boolean;
  /** Files that are there and too small; missing ones are not among them. */
  short: readonly SetFile[];
  files: SetFile[];
}

/** Name and size of each plain file of a folder, links left out; nothing where there is no such folder. */
const script = (directory: string): string =>
  `cd -P -- ${shellQuote(directory)} 2>/dev/null || exit 0\nLC_ALL=C ls -lnA | awk '/^-/ { print $5, $NF }'\n`;

/** Looks at the sizes of these files on a host. Reads nothing of them, so it can be done before every trial. */
export async function fileState(
  machine: Machine,
  directory: string,
  wanted: readonly { name: string; bytes: number }[],
  signal?: AbortSignal,
): Promise<FileState> {
  const { code, stdout, stderr } = await machine.exec(script(directory), signal ? { signal } : {});
  if (code !== 0)
    throw new KneepointError({
      code: 'run-failed',
      message: `The files in ${directory} could not be looked at: ${stderr.trim() || `exit code ${code}`}`,
      host: machine.name,
      safe: 'Nothing was changed.',
      next: 'Look at the folder and its permissions.',
    });
  const sizes = new Map(
    stdout.split('\n').flatMap((line) => {
      const [, bytes, name] = /^(\d+) (.+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(bytes)] as const];
    }),
  );
  const files = wanted.map(({ name, bytes }) => ({ name, bytes, found: sizes.get(name) ?? null }));
  return {
    complete: files.every(({ bytes, found }) => found !== null && found >= bytes),
    empty: files.every(({ found }) => found === null),
    short: files.filter(({ bytes, found }) => found !== null && found < bytes),
    files,
  };
}

const SHOWN = 4;

/** The first few files that are not as wanted: expected, and found. */
export function wrongWords({ files }: FileState): string {
  const wrong = files.filter(({ bytes, found }) => (found ?? -1) < bytes);
  const words = wrong.slice(0, SHOWN).map(({ name, bytes, found }) => {
    return `${name}: ${found === null ? 'missing' : `${found} bytes`}, expected ${bytes}`;
  });
  return `${words.join('; ')}${wrong.length > SHOWN ? '; …' : ''}`;
}

import { readFileSync, writeFileSync } from 'node:fs';

/** In this order: behind a cable that is out no session can be ended, and its end puts back the settings that it varied. */
const KINDS = ['fault', 'session', 'setting'] as const;
type Kind = (typeof KINDS)[number];

/** Puts back what a test may have left, and gives a sentence on each thing that it had left. */
type PutBack = () => readonly string[] | Promise<readonly string[]>;

const watched = new Map<PutBack, Kind>();

/** Folders of the jobs on the hosts of the test bed. */
export const jobFolders = new Set<string>();

/** Called after each test of this file, until the function that is returned is called. */
export function afterEachTest(kind: Kind, putBack: PutBack): () => void {
  watched.set(putBack, kind);
  return () => void watched.delete(putBack);
}

const atTheEnd = new Set<() => unknown>();

/** Done when all tests of this file have run, until the function that is returned is called: the process goes on with another file. */
export function whenFileEnds(end: () => unknown): () => void {
  atTheEnd.add(end);
  return () => void atTheEnd.delete(end);
}

/** Ends everything that would otherwise last until the end of the process. */
export async function endFile(): Promise<void> {
  const ends = [...atTheEnd];
  atTheEnd.clear();
  watched.clear();
  jobFolders.clear();
  for (const end of ends) await end();
}

/** Puts back all that the last test has left: a sentence on each. */
export async function putBackAll(): Promise<string[]> {
  const left: string[] = [];
  for (const kind of KINDS) for (const [putBack, of] of [...watched]) if (of === kind) left.push(...(await putBack()));
  return left;
}

/** A fault that a test makes, and ends again. `end`: as a test ends it. */
export function fault(what: string, end: () => unknown): { begun(): void; ended(): void } {
  let forget = (): void => {};
  return {
    begun() {
      forget();
      forget = afterEachTest('fault', async () => {
        await end();
        return [what];
      });
    },
    ended: () => forget(),
  };
}

/** A setting that tests vary is to be after each of them what it is now. */
export function keep(what: string, read: () => string, write: (value: string) => unknown): () => void {
  const first = read();
  return afterEachTest('setting', () => {
    const now = read();
    if (now === first) return [];
    write(first);
    return [`${what} was ${now} in place of ${first}.`];
  });
}

/** A setting of the kernel of this computer, by its file. */
export const keepFile = (file: string): (() => void) =>
  keep(
    file,
    () => readFileSync(file, 'utf8').trim(),
    // Of several values the chosen one is in brackets.
    (value) => writeFileSync(file, /\[(\S+)\]/.exec(value)?.[1] ?? value),
  );

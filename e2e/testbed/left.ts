import { readFileSync, writeFileSync } from 'node:fs';

/** In this order: with an unplugged cable no session can be ended, and the end of a session restores the settings that it varied. */
const KINDS = ['fault', 'session', 'setting'] as const;
type Kind = (typeof KINDS)[number];

/** Restores what a test may have left, and returns a sentence on each leftover. */
type PutBack = () => readonly string[] | Promise<readonly string[]>;

const watched = new Map<PutBack, Kind>();

/** Folders of the jobs on the hosts of the test bed. */
export const jobFolders = new Set<string>();

/** Called after each test of this file, until the returned function is called. */
export function afterEachTest(kind: Kind, putBack: PutBack): () => void {
  watched.set(putBack, kind);
  return () => void watched.delete(putBack);
}

const atTheEnd = new Set<() => unknown>();

/** Called when all tests of this file have run, unless the returned function is called first: the process continues with another file. */
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

/** Restores everything that the last test has left; returns a sentence on each. */
export async function putBackAll(): Promise<string[]> {
  const left: string[] = [];
  for (const kind of KINDS) for (const [putBack, of] of [...watched]) if (of === kind) left.push(...(await putBack()));
  return left;
}

/** A fault that a test causes and ends. `end`: ends it like a test. */
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

/** Restores a setting that tests vary to its current value after each of them. */
export function keep(what: string, read: () => string, write: (value: string) => unknown): () => void {
  const first = read();
  return afterEachTest('setting', () => {
    const now = read();
    if (now === first) return [];
    write(first);
    return [`${what} was ${now} in place of ${first}.`];
  });
}

/** A kernel setting of this computer, by its file. */
export const keepFile = (file: string): (() => void) =>
  keep(
    file,
    () => readFileSync(file, 'utf8').trim(),
    // If there are several values, the chosen one is in brackets.
    (value) => writeFileSync(file, /\[(\S+)\]/.exec(value)?.[1] ?? value),
  );

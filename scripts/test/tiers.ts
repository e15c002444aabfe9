import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/terminal.ts';

/** How much of a machine a test needs: nothing but Node, real servers and processes, or the whole app. */
export type Tier = 'unit' | 'servers' | 'walks';

/** A group of test files that Vitest runs alike. */
export interface Project {
  readonly name: string;
  readonly tier: Tier;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Its tests need an idle machine: they run after all others, one after the other. */
  readonly alone?: true;
}

const SERVERS = '**/*.servers.test.ts';
const ALONE = '**/*.alone.test.ts';
const PAGE = 'src/renderer/**/*.test.{ts,tsx}';
/** Files of which the day needs nothing: a table in docs/tests.md has what it proves instead. */
export const ONLY_AT_NIGHT = '**/*.night.*';

/** `scripts/test.ts` sets the depth when the night is chosen. */
export const isNight = (): boolean => process.env.KNEEPOINT_DEPTH === 'night';

/** The name of a file says its tier; `scripts/check/tiers.ts` holds what is in the file to it. */
export const PROJECTS: readonly Project[] = [
  {
    name: 'pure',
    tier: 'unit',
    include: ['src', 'scripts', 'bench'].map((room) => `${room}/**/*.test.ts`),
    exclude: [SERVERS, PAGE],
  },
  // Of the page, whose sources Node cannot run as they are.
  { name: 'dom', tier: 'unit', include: [PAGE] },
  { name: 'servers', tier: 'servers', include: ['src', 'scripts', 'e2e/testbed'].map((room) => `${room}/${SERVERS}`) },
  { name: 'walks', tier: 'walks', include: ['e2e/engine/**/*.test.ts'], exclude: [ALONE] },
  { name: 'alone', tier: 'walks', include: [`e2e/engine/${ALONE}`], alone: true },
];

/** The project that runs a test of Vitest; undefined when none does. */
export function projectOf(file: string): Project | undefined {
  const fits = (globs: readonly string[] = []): boolean => globs.some((glob) => path.matchesGlob(file, glob));
  return PROJECTS.find(({ include, exclude }) => fits(include) && !fits(exclude));
}

export const tierOf = (file: string): Tier | undefined => projectOf(file)?.tier;

/** Words in the names of files that the night repeats: damage, versions of servers, faults that take their time. */
const NIGHT_WORDS = [
  '.night.',
  'damage',
  'hostile',
  'versions',
  'faults',
  'half-open',
  'lost-jobs',
  'engine/changes',
  'disk-full',
  'fio-examples',
  'ycsb/databases',
];

/** What chooses the tests of the night: words in their names, and all that try more by night. */
export const NIGHT: Iterable<string> = {
  *[Symbol.iterator]() {
    yield* NIGHT_WORDS;
    yield* testFiles(['unit', 'servers', 'walks'], []).filter((file) => hasDepth(file));
    yield* walkFiles([]).filter((file) => hasDepth(file));
  },
};

const HELPERS = /\/(?:testing|testbed)\//;

/** Whether a file reads how much is to be tried, or imports a helper of tests that does. */
function hasDepth(file: string, reached: readonly string[] = []): boolean {
  if (reached.includes(file) || !existsSync(path.join(root, file))) return false;
  const text = readFileSync(path.join(root, file), 'utf8');
  if (text.includes('process.env.KNEEPOINT_DEPTH')) return true;
  return [...text.matchAll(/ from '(\.[^']+)'/g)]
    .map(([, specifier = '']) => path.posix.join(path.posix.dirname(file), specifier))
    .some((helper) => HELPERS.test(helper) && hasDepth(helper, [...reached, file]));
}

/** Whether it is tried now, and its path holds one of the words. */
const holds = (file: string, words: readonly string[]): boolean =>
  (isNight() || !path.matchesGlob(file, ONLY_AT_NIGHT)) &&
  (words.length === 0 || words.some((word) => file.includes(word.replace(/^\.\//, ''))));

/** Tests of Vitest in these tiers whose path holds one of the words; all of them where no word is given. */
export function testFiles(tiers: readonly Tier[], words: readonly string[]): string[] {
  return ['src', 'scripts', 'bench', 'e2e']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.posix.join(folder, name),
      ),
    )
    .filter((file) => tiers.some((tier) => tierOf(file) === tier) && holds(file, words));
}

/** Tests of Playwright, chosen alike. */
export const walkFiles = (words: readonly string[]): string[] =>
  readdirSync(path.join(root, 'e2e'))
    .map((name) => `e2e/${name}`)
    .filter((file) => file.endsWith('.spec.ts') && holds(file, words));

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/terminal.ts';

/** How much of a machine a test needs: only Node, real servers and processes, or the whole app. */
export type Tier = 'unit' | 'servers' | 'walks';

/** A group of test files that Vitest runs in the same way. */
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
/** Night-only files: a table in docs/tests.md lists their substitutes by day. */
export const ONLY_AT_NIGHT = '**/*.night.*';

/** `scripts/test.ts` sets the depth when the night is chosen. */
export const isNight = (): boolean => process.env.KNEEPOINT_DEPTH === 'night';

/** The file name determines the tier; `scripts/check/tiers.ts` checks that the content complies. */
export const PROJECTS: readonly Project[] = [
  {
    name: 'pure',
    tier: 'unit',
    include: ['src', 'scripts', 'bench'].map((room) => `${room}/**/*.test.ts`),
    exclude: [SERVERS, PAGE],
  },
  // Tests of the page, whose sources Node cannot run as they are.
  { name: 'dom', tier: 'unit', include: [PAGE] },
  { name: 'servers', tier: 'servers', include: ['src', 'scripts', 'e2e/testbed'].map((room) => `${room}/${SERVERS}`) },
  { name: 'walks', tier: 'walks', include: ['e2e/engine/**/*.test.ts'], exclude: [ALONE] },
  { name: 'alone', tier: 'walks', include: [`e2e/engine/${ALONE}`], alone: true },
];

/** The project that runs a test of Vitest; undefined if none does. */
export function projectOf(file: string): Project | undefined {
  const fits = (globs: readonly string[] = []): boolean => globs.some((glob) => path.matchesGlob(file, glob));
  return PROJECTS.find(({ include, exclude }) => fits(include) && !fits(exclude));
}

export const tierOf = (file: string): Tier | undefined => projectOf(file)?.tier;

/** Words in the names of files that the night repeats: damage, server versions, slow faults. */
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

/** Selects the tests of the night: words in their names, and everything that tests more at night. */
export const NIGHT: Iterable<string> = {
  *[Symbol.iterator]() {
    yield* NIGHT_WORDS;
    yield* testFiles(['unit', 'servers', 'walks'], []).filter((file) => hasDepth(file));
    yield* walkFiles([]).filter((file) => hasDepth(file));
  },
};

const HELPERS = /\/(?:testing|testbed)\//;

/** Whether a file reads the test depth, or imports a test helper that does. */
function hasDepth(file: string, reached: readonly string[] = []): boolean {
  if (reached.includes(file) || !existsSync(path.join(root, file))) return false;
  const text = readFileSync(path.join(root, file), 'utf8');
  if (text.includes('process.env.KNEEPOINT_DEPTH')) return true;
  return [...text.matchAll(/ from '(\.[^']+)'/g)]
    .map(([, specifier = '']) => path.posix.join(path.posix.dirname(file), specifier))
    .some((helper) => HELPERS.test(helper) && hasDepth(helper, [...reached, file]));
}

/** Whether it runs now, and its path contains one of the words. */
const holds = (file: string, words: readonly string[]): boolean =>
  (isNight() || !path.matchesGlob(file, ONLY_AT_NIGHT)) &&
  (words.length === 0 || words.some((word) => file.includes(word.replace(/^\.\//, ''))));

/** Tests of Vitest in these tiers whose path contains one of the words; all of them without words. */
export function testFiles(tiers: readonly Tier[], words: readonly string[]): string[] {
  return ['src', 'scripts', 'bench', 'e2e']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.posix.join(folder, name),
      ),
    )
    .filter((file) => tiers.some((tier) => tierOf(file) === tier) && holds(file, words));
}

/** Tests of Playwright, selected in the same way. */
export const walkFiles = (words: readonly string[]): string[] =>
  readdirSync(path.join(root, 'e2e'))
    .map((name) => `e2e/${name}`)
    .filter((file) => file.endsWith('.spec.ts') && holds(file, words));

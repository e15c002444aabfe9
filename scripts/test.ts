import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, say } from './lib/terminal.ts';
import type { Machine, Page } from './test/machine.ts';
import { failureOf, nameOf, type TestRecord } from './test/outcome.ts';
import { runAgain, runPlaywright, runVitest } from './test/runners.ts';
import { withSecondChance } from './test/second-chance.ts';
import { isAlone, NIGHT, PROJECTS, type Tier, testFiles, walkFiles } from './test/tiers.ts';

const HELP = `Runs the tests; what they need is installed and fetched first, for the tests that are chosen.

  npm test                         everything
  npm run test:unit [-- PATH …]    pure logic and the page without a browser; needs nothing but Node
  npm run test:servers [-- ROOM …] real servers, tools, hosts and processes; ROOM is a part of a path, such as engine/hosts
  npm run test:walks [-- ROOM …]   the whole app: the engine with hosts and servers, the page in a browser, the window
  npm run test:night               damage at full depth, versions of servers, long faults
  npm test -- e2e [arguments]      the page in a browser alone (Playwright, Chromium)
  npm test -- electron [arguments] the window alone (Playwright, Electron under Xvfb)

What cannot run on this machine is listed by name; with CI=true it counts as failed.
`;

/** What is run: Vitest in these tiers, then these pages, each with the arguments given. */
interface Choice {
  readonly tiers: readonly Tier[];
  readonly pages: readonly Page[];
}
const CHOICES = new Map<string, Choice>(
  Object.entries({
    all: { tiers: ['unit', 'servers', 'walks'], pages: ['browser', 'electron'] },
    unit: { tiers: ['unit'], pages: [] },
    servers: { tiers: ['servers'], pages: [] },
    walks: { tiers: ['walks'], pages: ['browser', 'electron'] },
    night: { tiers: ['unit', 'servers', 'walks'], pages: [] },
    e2e: { tiers: [], pages: ['browser'] },
    electron: { tiers: [], pages: ['electron'] },
  }),
);

const [name = 'all', ...given] = process.argv.slice(2);
const choice = CHOICES.get(name);
if (!choice) {
  process.stderr.write(HELP);
  process.exit(name === '--help' ? 0 : 2);
}
if (name === 'night') process.env.KNEEPOINT_DEPTH = 'night';
const args = name === 'night' ? [...NIGHT, ...given] : given;
mkdirSync(path.join(root, 'test-results'), { recursive: true });

const first: TestRecord[] = [];
const words = args.filter((word) => !word.startsWith('-'));
const files = testFiles(choice.tiers, words);
// A room of the engine's walks is none of the page's: Playwright is asked only for what it has. Its own arguments may be anything.
const walks = name === 'walks' ? walkFiles(words) : walkFiles([]);
const pages = walks.length > 0 ? choice.pages : [];
const machine = await machineFor(choice.tiers, pages);
if (files.length === 0 && pages.length === 0) {
  first.push({
    runner: 'vitest',
    state: 'failed',
    reasons: [`no test of this tier has ${words.join(' or ')} in its path`],
  });
}
// Both wait for servers and clocks most of the time, so they run at the same time; what Playwright says is shown afterwards.
const log = path.join(root, 'test-results/playwright.log');
const [alone, together] = [files.filter(isAlone), files.filter((file) => !isAlone(file))];
const beside = together.length > 0 && pages.length > 0;
const playwright = runPages(beside ? log : undefined);
const projects = PROJECTS.filter(({ tier }) => choice.tiers.includes(tier));
if (together.length > 0) {
  say(`running ${together.length} files of the ${choice.tiers.join(', ')} tests with Vitest.`);
  const several = projects.filter((project) => !project.alone);
  first.push(...(await runVitest(several, args)));
}
first.push(...(await playwright));
if (beside) process.stdout.write(readFileSync(log, 'utf8'));
if (alone.length > 0) {
  say(`running ${alone.join(', ')}, with nothing else on the machine.`);
  const single = projects.filter((project) => project.alone);
  first.push(...(await runVitest(single, ['--no-file-parallelism', ...args])));
}
const { records, unstable } = await withSecondChance(first, (failures) => {
  say(`running ${failures.length} failed tests once more, with nothing else on the machine.`);
  return runAgain(failures, machine);
});
const inState = (state: TestRecord['state']): TestRecord[] => records.filter((record) => record.state === state);
const notRun = [
  ...inState('skipped').map((record) => [nameOf(record), ...record.reasons].join(': ')),
  ...(machine?.missing ?? []),
];
writeFileSync(path.join(root, 'test-results/unstable.json'), `${JSON.stringify(unstable, undefined, 2)}\n`);
list('Not run on this machine', notRun);
list('Unstable: failed, and passed alone', unstable.map(failureOf));
list('Failed', inState('failed').map(failureOf));
const failed = inState('failed').length + (process.env.CI === 'true' ? notRun.length : 0);
process.stdout.write(`${inState('passed').length} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Below everything that was printed, so that the end of a log says it. */
function list(heading: string, tests: readonly string[]): void {
  if (tests.length > 0) process.stdout.write(`\n${heading}:\n${tests.map((test) => `  ${test}\n`).join('')}\n`);
}

/** The pages one after the other. */
async function runPages(output: string | undefined): Promise<TestRecord[]> {
  const records: TestRecord[] = [];
  if (output !== undefined) rmSync(output, { force: true });
  for (const page of pages) {
    if (!machine || machine.impossible.has(page)) continue;
    say(
      `running the ${page} tests with Playwright${output === undefined ? '' : `; its output: ${path.relative(root, output)}`}.`,
    );
    records.push(...(await runPlaywright(page, args, machine, output)));
  }
  return records;
}

/** Set up for what was chosen; the unit tier needs nothing, and loads nothing for it. */
async function machineFor(tiers: readonly Tier[], pages: readonly Page[]): Promise<Machine | undefined> {
  const needy = [
    ...testFiles(
      tiers.filter((tier) => tier !== 'unit'),
      words,
    ),
    ...(pages.length > 0 ? walks : []),
  ];
  if (needy.length === 0) return undefined;
  const [{ prepareMachine }, { textsOf }] = await Promise.all([import('./test/machine.ts'), import('./test/texts.ts')]);
  const prepared = await prepareMachine(textsOf(needy), pages);
  const { buildStale } = await import('./build.ts');
  await buildStale(pages.length > 0 ? undefined : ['programs']);
  return prepared;
}

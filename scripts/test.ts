import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { printStatus, root } from './lib/terminal.ts';
import { openAdmissions } from './test/admissions.ts';
import type { Machine, Page } from './test/machine.ts';
import { failureOf, nameOf, type Runner, type TestRecord } from './test/outcome.ts';
import { rerun, runPlaywright, runVitest } from './test/runners.ts';
import { withSecondChance } from './test/second-chance.ts';
import { NIGHT, PROJECTS, type Project, projectOf, type Tier, testFiles, walkFiles } from './test/tiers.ts';
import { keepTimings, readTimings } from './test/timings.ts';

const HELP = `Runs the tests; what they need is installed and fetched first, for the tests that are chosen.

  npm test                         everything
  npm run test:unit [-- PATH …]    pure logic and the page without a browser; needs nothing but Node
  npm run test:servers [-- ROOM …] real servers, tools, hosts and processes; ROOM is a part of a path, such as engine/hosts
  npm run test:walks [-- ROOM …]   the whole app: the engine with hosts and servers, the page in a browser, the window
  npm run test:night               damage at full depth, versions of servers, long faults, every screen in each size and theme
  npm test -- e2e [arguments]      the page in a browser alone (Playwright, Chromium)
  npm test -- electron [arguments] the window alone (Playwright, Electron under Xvfb)

What cannot run on this machine is listed by name; with CI=true it counts as failed.
`;

/** The choice of tests: Vitest in these tiers, then these pages, each with the given arguments. */
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
    night: { tiers: ['unit', 'servers', 'walks'], pages: ['browser', 'electron'] },
    e2e: { tiers: [], pages: ['browser'] },
    electron: { tiers: [], pages: ['electron'] },
  }),
);

const RESULTS = path.join(root, 'test-results');

/** Tests of one runner. */
interface Batch {
  readonly names: string;
  readonly run: (log?: string) => Promise<TestRecord[]>;
}

const [name = 'all', ...given] = process.argv.slice(2);
const choice = CHOICES.get(name);
if (!choice) {
  process.stderr.write(HELP);
  process.exit(name === '--help' ? 0 : 2);
}
if (name === 'night') process.env.KNEEPOINT_DEPTH = 'night';
const args = name === 'night' ? [...NIGHT, ...given] : given;
mkdirSync(RESULTS, { recursive: true });

const words = args.filter((word) => !word.startsWith('-'));
const files = testFiles(choice.tiers, words);
// A room of the engine's walks does not exist for the page: Playwright gets only its own files. Its own arguments can be anything.
const walks = name === 'walks' || name === 'night' ? walkFiles(words) : walkFiles([]);
const pages = walks.length > 0 ? choice.pages : [];
const machine = await machineFor(choice.tiers, pages);
const admissions = await openAdmissions(readTimings(), os.availableParallelism());
const { env } = admissions;
const projects = PROJECTS.filter(({ tier }) => choice.tiers.includes(tier));
const chosen = (fits: (project: Project) => boolean): Project[] =>
  projects.filter((project) => fits(project) && files.some((file) => projectOf(file) === project));

// All of them at the same time: each file waits until there is capacity for it.
const batches: Batch[] = [
  vitestBatch(chosen(({ tier, alone }) => tier !== 'unit' && !alone)),
  vitestBatch(chosen(({ tier }) => tier === 'unit')),
  ...(machine ? pages.filter((page) => !machine.impossible.has(page)).map((page) => pageBatch(page, machine)) : []),
].filter(({ names }) => names !== '');
const first = (await Promise.all(batches.map(runBatch))).flat();
const alone = chosen((project) => project.alone === true);
if (alone.length > 0) {
  printStatus('running the tests that need an idle machine.');
  first.push(...(await runVitest(alone, { args: ['--no-file-parallelism', ...args], env })));
}
if (files.length === 0 && pages.length === 0)
  first.push(outsideOfTests(`no test of this tier has ${words.join(' or ')} in its path`));
first.push(...(await leftoverRecords()));
keepTimings(admissions.timings());
const { records, unstable } = await withSecondChance(first, async (failures) => {
  printStatus(`running ${failures.length} failed tests once more, with nothing else on the machine.`);
  return [...(await rerun(failures, machine, env)), ...(await leftoverRecords())];
});
admissions.close();
const slipped =
  name === 'night' && machine && figuresHaveSlipped(machine) ? [outsideOfTests('figures have slipped: see above')] : [];
const inState = (state: TestRecord['state']): TestRecord[] =>
  [...records, ...slipped].filter((record) => record.state === state);
const notRun = [
  ...inState('skipped').map((record) => [nameOf(record), ...record.reasons].join(': ')),
  ...(machine?.missing ?? []),
];
writeFileSync(path.join(RESULTS, 'unstable.json'), `${JSON.stringify(unstable, undefined, 2)}\n`);
list('Not run on this machine', notRun);
list('Unstable: failed, and passed alone', unstable.map(failureOf));
list('Failed', inState('failed').map(failureOf));
const failed = inState('failed').length + (process.env.CI === 'true' ? notRun.length : 0);
process.stdout.write(`${inState('passed').length} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function vitestBatch(those: readonly Project[]): Batch {
  const names = those.map((project) => project.name).join(', ');
  return { names, run: (log) => runVitest(those, { args, env, log }) };
}

function pageBatch(page: Page, on: Machine): Batch {
  return { names: page, run: (log) => runPlaywright(page, on, { args, env, log }) };
}

/** The output of the first batch is shown live, that of the others when they have ended. */
async function runBatch({ names, run }: Batch, index: number): Promise<TestRecord[]> {
  const log = index === 0 ? undefined : path.join(RESULTS, `${names.replaceAll(', ', '-')}.log`);
  printStatus(
    `running the tests of ${names}${log === undefined ? '' : `; their output: ${path.relative(root, log)}`}.`,
  );
  if (log !== undefined) rmSync(log, { force: true });
  const ended = await run(log);
  if (log !== undefined) process.stdout.write(readFileSync(log, 'utf8'));
  return ended;
}

function outsideOfTests(reason: string): TestRecord {
  return { runner: 'vitest', state: 'failed', reasons: [reason] };
}

/** Files that passed but left processes running have failed. */
async function leftoverRecords(): Promise<TestRecord[]> {
  return [...(await admissions.leftovers())].map(([name, reason]) => {
    const [, page, file] = /^(browser|electron) (.*)$/.exec(name) ?? [];
    return { runner: (page ?? 'vitest') as Runner, file: file ?? name, state: 'failed', reasons: [reason] };
  });
}

/** Kneepoint's own figures against the stored ones: the only tests that measure time, with nothing else on the machine. */
function figuresHaveSlipped({ display, electron }: Machine): boolean {
  const [program = '', ...command] = [...display, process.execPath, 'bench/main.ts', '--against'];
  const bench = { ...process.env, ...(electron ? { ELECTRON_OVERRIDE_DIST_PATH: electron } : {}) };
  return spawnSync(program, command, { cwd: root, env: bench, stdio: 'inherit' }).status !== 0;
}

/** Printed last, so that it is at the end of a log. */
function list(heading: string, tests: readonly string[]): void {
  if (tests.length > 0) process.stdout.write(`\n${heading}:\n${tests.map((test) => `  ${test}\n`).join('')}\n`);
}

/** Prepared for the chosen tests; the unit tier needs nothing, and loads nothing for it. */
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

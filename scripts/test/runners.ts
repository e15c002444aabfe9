import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../lib/terminal.ts';
import type { Machine, Page } from './machine.ts';
import { withOwnState } from './state.ts';
import type { Project } from './tiers.ts';

export interface Outcome {
  passed: number;
  /** Each test that failed, with the first lines of why. */
  failed: string[];
  /** Tests that were skipped, and why where that is known. */
  notRun: string[];
}

/** Runs a program and returns its exit code. Its output is shown, or goes into the file `log`. */
async function run(command: readonly string[], env: NodeJS.ProcessEnv, log?: string): Promise<number> {
  const [file = '', ...args] = command;
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  try {
    return await withOwnState(
      (state) =>
        new Promise((resolve, reject) => {
          const child = spawn(file, args, {
            cwd: root,
            env: { ...process.env, ...state, ...env },
            stdio: ['inherit', output, output],
          });
          child.on('error', reject);
          child.on('close', (code) => resolve(code ?? 1));
        }),
    );
  } finally {
    if (output !== 'inherit') closeSync(output);
  }
}

/** Lines of a failure that are repeated at the end. */
const LINES_SHOWN = 12;

function failureOf(test: string, messages: readonly string[]): string {
  const lines = stripVTControlCharacters(messages.join('\n')).split('\n');
  const own = lines.filter((line) => !/node_modules|node:internal|at new Promise/.test(line));
  return [test, ...own.slice(0, LINES_SHOWN).map((line) => `    ${line}`)].join('\n');
}

/** A runner that failed without a failed test (a broken file, a crash) still failed. */
function outcomeOf(code: number, outcome: Outcome, runner: string): Outcome {
  if (code === 0 || outcome.failed.length > 0) return outcome;
  return { ...outcome, failed: [`${runner} ended with exit code ${code}, though no test failed`] };
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    /** Why the file could not be loaded. */
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** The tests beside the code, and those of the engine as a whole. `args`: paths or options of Vitest. `report`: name of the file for its results. */
export async function runVitest(
  projects: readonly Project[],
  args: readonly string[],
  report = 'vitest',
): Promise<Outcome> {
  const file = path.join(root, `test-results/${report}.json`);
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.map(({ name }) => `--project=${name}`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  // Whatever the shell says: React cannot be tested in production.
  const code = await run([process.execPath, vitest, 'run', ...chosen, ...reporters, ...args], { NODE_ENV: 'test' });
  const outcome: Outcome = { passed: 0, failed: [], notRun: [] };
  if (!existsSync(file)) return outcomeOf(code, outcome, 'Vitest');
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  for (const { name, status, message, assertionResults } of testResults) {
    const short = path.relative(root, name);
    // A file that could not be loaded has no tests, only a failure.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      outcome.failed.push(failureOf(short, [message]));
    for (const test of assertionResults) {
      const title = `${short}: ${test.fullName}`;
      if (test.status === 'passed') outcome.passed += 1;
      else if (test.status === 'failed') outcome.failed.push(failureOf(title, test.failureMessages));
      else outcome.notRun.push(title);
    }
  }
  return outcomeOf(code, outcome, 'Vitest');
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    tests: {
      status: string;
      annotations: { type: string; description?: string }[];
      results: { errors: { message?: string }[] }[];
    }[];
  }[];
}

/** The app as a person meets it, in one of its modes. `args`: options of Playwright. `log`: file for its output; without it, it is shown. */
export async function runPlaywright(
  project: Page,
  args: readonly string[],
  machine: Machine,
  log?: string,
): Promise<Outcome> {
  const file = path.join(root, `test-results/${project}.json`);
  rmSync(file, { force: true });
  const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
  const output = `--output=test-results/${project}`;
  const command = [
    process.execPath,
    playwright,
    'test',
    `--project=${project}`,
    // Windows share one display, and one at a time has the focus.
    ...(project === 'electron' ? ['--workers=1'] : []),
    '--reporter=list,json',
    output,
    ...args,
  ];
  const environment = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    ...(machine.electron ? { ELECTRON_OVERRIDE_DIST_PATH: machine.electron } : {}),
  };
  const code = await run([...(project === 'electron' ? machine.display : []), ...command], environment, log);
  const outcome: Outcome = { passed: 0, failed: [], notRun: [] };
  const runner = `Playwright (${project})`;
  if (!existsSync(file)) return outcomeOf(code, outcome, runner);
  const report = JSON.parse(readFileSync(file, 'utf8')) as { suites: PlaywrightSuite[]; errors: unknown[] };
  for (const suite of report.suites) count(suite, outcome);
  return outcomeOf(code, outcome, runner);
}

function count(suite: PlaywrightSuite, outcome: Outcome): void {
  for (const inner of suite.suites ?? []) count(inner, outcome);
  for (const { title, file, tests } of suite.specs ?? [])
    for (const { status, annotations, results } of tests) {
      const name = `${file}: ${title}`;
      const skip = annotations.find((annotation) => annotation.type === 'skip');
      if (status === 'skipped') outcome.notRun.push(`${name}${skip?.description ? ` (${skip.description})` : ''}`);
      else if (status === 'unexpected') {
        const errors = results.flatMap((result) => result.errors.map((error) => error.message ?? ''));
        outcome.failed.push(failureOf(name, errors));
      } else outcome.passed += 1;
    }
}

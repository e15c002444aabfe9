import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/terminal.ts';
import type { Machine, Page } from './machine.ts';
import { failureOf, type Outcome } from './outcome.ts';
import { withOwnState } from './state.ts';
import type { Project } from './tiers.ts';
import { OUTCOME_FILE } from './vitest-outcome.ts';

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

/** A runner that failed without a failed test (a broken file, a crash) still failed. */
function outcomeOf(code: number, outcome: Outcome, runner: string): Outcome {
  if (code === 0 || outcome.failed.length > 0) return outcome;
  return { ...outcome, failed: [`${runner} ended with exit code ${code}, though no test failed`] };
}

/** The tests beside the code, and those of the engine as a whole. `args`: paths or options of Vitest. `report`: name of the file for its results. */
export async function runVitest(
  projects: readonly Project[],
  args: readonly string[],
  report = 'vitest',
): Promise<Outcome> {
  const file = path.join(root, `test-results/${report}.json`);
  rmSync(file, { force: true });
  const chosen = projects.map(({ name }) => `--project=${name}`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  // Whatever the shell says: React cannot be tested in production.
  const environment = { NODE_ENV: 'test', [OUTCOME_FILE]: file };
  const code = await run([process.execPath, vitest, 'run', ...chosen, ...args], environment);
  const outcome: Outcome = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: [], notRun: [] };
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

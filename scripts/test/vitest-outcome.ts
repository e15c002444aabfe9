import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { root } from '../lib/terminal.ts';
import { failureOf, type Outcome } from './outcome.ts';

/** Where Vitest writes its outcome: the path of a file in the environment. */
export const OUTCOME_FILE = 'KNEEPOINT_VITEST_OUTCOME';

interface Thrown extends Pick<SerializedError, 'message' | 'name' | 'stacks'> {
  readonly diff?: string;
  readonly cause?: Thrown;
}

/** An error with what was expected, where it was thrown, and what caused it. One without a message has at least its name. */
function reasonOf({ name = 'Error', message, diff, stacks = [], cause }: Thrown): string {
  const places = stacks.map(({ file, line }) => `at ${path.relative(root, file)}:${line}`);
  const own = places.filter((place) => !/node_modules|node:/.test(place));
  const lines = [`${name}: ${message}`, ...(diff ? [diff] : []), ...own];
  return [...lines, ...(cause ? [reasonOf(cause)] : [])].join('\n');
}

/** Adds one file of tests. What its hooks threw is a failure of the file, beside the tests that could not run for it. */
function add(outcome: Outcome, module: TestModule): void {
  const file = module.relativeModuleId;
  const around = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
  if (around.length > 0) outcome.failed.push(failureOf(file, around.map(reasonOf)));
  for (const test of module.children.allTests()) {
    const title = `${file}: ${test.fullName}`;
    const { state, errors = [] } = test.result();
    if (state === 'passed') outcome.passed += 1;
    else if (state === 'failed') outcome.failed.push(failureOf(title, errors.map(reasonOf)));
    else if (state === 'skipped') outcome.notRun.push(title);
    else outcome.failed.push(failureOf(title, ['It did not end: the process that ran it died.']));
  }
}

/** Writes what became of all tests, and what was thrown outside of them, into the file that the environment names. */
export class VitestOutcome implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    const file = process.env[OUTCOME_FILE];
    if (file === undefined) return;
    const outcome: Outcome = { passed: 0, failed: [], notRun: [] };
    for (const module of modules) add(outcome, module);
    for (const error of outside) outcome.failed.push(failureOf('outside of any test', [reasonOf(error)]));
    writeFileSync(file, JSON.stringify(outcome));
  }
}

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { root } from '../lib/terminal.ts';
import type { TestRecord } from './outcome.ts';

/** Environment variable with the path of the file to which Vitest writes its records. */
export const RECORDS_FILE = 'KNEEPOINT_TEST_RECORDS';

interface Thrown extends Pick<SerializedError, 'message' | 'name' | 'stacks'> {
  readonly diff?: string;
  readonly cause?: Thrown;
}

/** An error with expected value, location and cause. One without a message has at least its name. */
function reasonOf({ name = 'Error', message, diff, stacks = [], cause }: Thrown): string {
  const places = stacks.map(({ file, line }) => `at ${path.relative(root, file)}:${line}`);
  const own = places.filter((place) => !/node_modules|node:/.test(place));
  const lines = [`${name}: ${message}`, ...(diff ? [diff] : []), ...own];
  return [...lines, ...(cause ? [reasonOf(cause)] : [])].join('\n');
}

/** Outcome of the tests of a file. An error of its hooks is a failure of the file, in addition to the tests that could not run because of it. */
function recordsOf(module: TestModule): TestRecord[] {
  const runner = 'vitest' as const;
  const file = module.relativeModuleId;
  const around = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
  const tests = [...module.children.allTests()].map((test): TestRecord => {
    const known = { runner, file, title: titleOf(test) };
    const { state, errors = [] } = test.result();
    if (state === 'passed' || state === 'skipped') return { ...known, state, reasons: [] };
    const reasons = state === 'failed' ? errors.map(reasonOf) : ['It did not end: the process that ran it died.'];
    return { ...known, state: 'failed', reasons };
  });
  return around.length > 0 ? [{ runner, file, state: 'failed', reasons: around.map(reasonOf) }, ...tests] : tests;
}

function titleOf(test: TestCase): string[] {
  const names = [test.name];
  for (let part = test.parent; part.type === 'suite'; part = part.parent) names.unshift(part.name);
  return names;
}

/** Writes the outcome of all tests, and errors thrown outside them, into the file named in the environment. */
export class VitestOutcome implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    const file = process.env[RECORDS_FILE];
    if (file === undefined) return;
    const thrown = outside.map(
      (error): TestRecord => ({ runner: 'vitest', state: 'failed', reasons: [reasonOf(error)] }),
    );
    writeFileSync(file, JSON.stringify([...modules.flatMap(recordsOf), ...thrown]));
  }
}

import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/terminal.ts';
import type { Machine, Page } from './machine.ts';
import type { Runner, TestRecord } from './outcome.ts';
import { withOwnState } from './state.ts';
import { type Project, projectOf } from './tiers.ts';
import { RECORDS_FILE } from './vitest-outcome.ts';

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
function recordsOf(code: number, records: readonly TestRecord[], runner: Runner): TestRecord[] {
  if (code === 0 || records.some(({ state }) => state === 'failed')) return [...records];
  return [...records, { runner, state: 'failed', reasons: [`it ended with exit code ${code}, though no test failed`] }];
}

/** The tests beside the code, and those of the engine as a whole. `args`: paths or options of Vitest. */
export async function runVitest(projects: readonly Project[], args: readonly string[]): Promise<TestRecord[]> {
  const file = path.join(root, 'test-results/vitest.json');
  rmSync(file, { force: true });
  const chosen = projects.map(({ name }) => `--project=${name}`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  // Whatever the shell says: React cannot be tested in production.
  const environment = { NODE_ENV: 'test', [RECORDS_FILE]: file };
  const code = await run([process.execPath, vitest, 'run', ...chosen, ...args], environment);
  const records: TestRecord[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  return recordsOf(code, records, 'vitest');
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    line: number;
    tests: {
      status: string;
      annotations: { type: string; description?: string }[];
      results: { errors: { message?: string }[] }[];
    }[];
  }[];
}

/** The app as a person meets it, in one of its modes. `args`: options of Playwright. `log`: file for its output; without it, it is shown. */
export async function runPlaywright(
  page: Page,
  args: readonly string[],
  machine: Machine,
  log?: string,
): Promise<TestRecord[]> {
  const file = path.join(root, `test-results/${page}.json`);
  rmSync(file, { force: true });
  const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
  const output = `--output=test-results/${page}`;
  const command = [
    process.execPath,
    playwright,
    'test',
    `--project=${page}`,
    // Windows share one display, and one at a time has the focus.
    ...(page === 'electron' ? ['--workers=1'] : []),
    '--reporter=list,json',
    output,
    ...args,
  ];
  const environment = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    ...(machine.electron ? { ELECTRON_OVERRIDE_DIST_PATH: machine.electron } : {}),
  };
  const code = await run([...(page === 'electron' ? machine.display : []), ...command], environment, log);
  const report: { suites: PlaywrightSuite[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { suites: [] };
  return recordsOf(
    code,
    report.suites.flatMap((suite) => suiteRecords(page, suite)),
    page,
  );
}

function suiteRecords(runner: Page, { suites = [], specs = [] }: PlaywrightSuite): TestRecord[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests.map(({ status, annotations, results }): TestRecord => {
      const skip = annotations.find(({ type, description }) => type === 'skip' && description);
      const test = { runner, file: `e2e/${file}`, title: [title], line };
      if (status === 'skipped')
        return { ...test, state: 'skipped', reasons: skip?.description ? [skip.description] : [] };
      const errors = results.flatMap((result) => result.errors.map(({ message = '' }) => message));
      return { ...test, state: status === 'unexpected' ? 'failed' : 'passed', reasons: errors };
    }),
  );
  return [...suites.flatMap((suite) => suiteRecords(runner, suite)), ...own];
}

/** Runs these tests again, one at a time with nothing else on the machine. A record without a title stands for its whole file. */
export async function runAgain(failed: readonly TestRecord[], machine: Machine | undefined): Promise<TestRecord[]> {
  const records: TestRecord[] = [];
  for (const [file, tests] of Map.groupBy(failed, (record) => `${record.runner} ${record.file}`)) {
    const [runner, name = ''] = file.split(' ');
    const whole = tests.some(({ title }) => title === undefined);
    if (runner === 'vitest') {
      const titles = tests.map(({ title = [] }) => RegExp.escape(title.join(' > ')));
      const chosen = whole ? [] : ['--testNamePattern', `^(?:${titles.join('|')})$`];
      const project = projectOf(name);
      records.push(...(await runVitest(project ? [project] : [], ['--no-file-parallelism', name, ...chosen])));
    } else if (machine) {
      const lines = whole ? [name] : tests.map(({ line }) => `${name}:${line}`);
      records.push(...(await runPlaywright(runner as Page, ['--workers=1', ...lines], machine)));
    }
  }
  return records;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/terminal.ts';
import type { Machine, Page } from './machine.ts';
import type { Runner, TestRecord } from './outcome.ts';
import { type Project, projectOf } from './tiers.ts';
import { RECORDS_FILE } from './vitest-outcome.ts';

/** Runs a program and returns its exit code. Its output is shown, or written to the file `log`. */
async function run(command: readonly string[], env: NodeJS.ProcessEnv, log?: string): Promise<number> {
  const [file = '', ...args] = command;
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  try {
    const child = spawn(file, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['inherit', output, output] });
    const [code] = await once(child, 'close');
    return code ?? 1;
  } finally {
    if (output !== 'inherit') closeSync(output);
  }
}

/** A runner that failed without a failed test (a broken file, a crash) still failed. */
function recordsOf(code: number, records: readonly TestRecord[], runner: Runner): TestRecord[] {
  if (code === 0 || records.some(({ state }) => state === 'failed')) return [...records];
  return [...records, { runner, state: 'failed', reasons: [`it ended with exit code ${code}, though no test failed`] }];
}

/**
 * Maximum number of concurrent test processes; most of them wait for admission, the longest first. All files of the browser wait at the same time,
 * as Playwright would begin alphabetically. A third one in the unit tier leaves capacity while one waits.
 */
const WORKERS = { unit: 3, others: 14, browser: 14, electron: 1 };

/** How a runner is started. */
export interface Start {
  /** Paths or options of the runner. */
  readonly args: readonly string[];
  /** Environment with which tests ask for admission. */
  readonly env: NodeJS.ProcessEnv;
  /** File for its output; without it, the output is shown. */
  readonly log?: string | undefined;
}

/** The tests next to the code, and those of the engine as a whole. */
export async function runVitest(projects: readonly Project[], { args, env, log }: Start): Promise<TestRecord[]> {
  const names = projects.map(({ name }) => name);
  const file = path.join(root, `test-results/${names.join('-')}.json`);
  rmSync(file, { force: true });
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const workers = projects.every(({ tier }) => tier === 'unit') ? WORKERS.unit : WORKERS.others;
  const options = [...names.map((name) => `--project=${name}`), `--maxWorkers=${workers}`];
  // Whatever the shell has: React cannot be tested in production.
  const environment = { ...env, NODE_ENV: 'test', [RECORDS_FILE]: file };
  const code = await run([process.execPath, vitest, 'run', ...options, ...args], environment, log);
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

/** Runs tests of the app as users see it, in one of its modes. */
export async function runPlaywright(page: Page, machine: Machine, { args, env, log }: Start): Promise<TestRecord[]> {
  const file = path.join(root, `test-results/${page}.json`);
  rmSync(file, { force: true });
  const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
  const output = `--output=test-results/${page}`;
  const command = [
    process.execPath,
    playwright,
    'test',
    `--project=${page}`,
    // Windows share one display, and only one at a time has the focus.
    `--workers=${WORKERS[page]}`,
    '--reporter=list,json',
    output,
    // A word may match only files of the other page.
    ...(args.length > 0 ? ['--pass-with-no-tests'] : []),
    ...args,
  ];
  const environment = {
    ...env,
    // Tracing uses much of the browser's CPU. In a full run no test is traced: a failed one runs again, with a trace.
    KNEEPOINT_TRACE: process.env.KNEEPOINT_TRACE ?? (args.length > 0 ? '1' : '0'),
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
export async function rerun(
  failed: readonly TestRecord[],
  machine: Machine | undefined,
  env: NodeJS.ProcessEnv,
): Promise<TestRecord[]> {
  const records: TestRecord[] = [];
  for (const tests of Map.groupBy(failed, (record) => `${record.runner} ${record.file}`).values()) {
    const [{ runner, file = '' }] = tests as [TestRecord];
    const project = projectOf(file);
    // Tests of real tools and servers build on each other: one prepares data that the next reads.
    const whole = project?.tier === 'servers' || tests.some(({ title }) => title === undefined);
    if (runner === 'vitest') {
      const titles = tests.map(({ title = [] }) => RegExp.escape(title.join(' > ')));
      const chosen = whole ? [] : ['--testNamePattern', `^(?:${titles.join('|')})$`];
      records.push(...(await runVitest(project ? [project] : [], { args: [file, ...chosen], env })));
    } else if (machine) {
      const lines = whole ? [file] : tests.map(({ line }) => `${file}:${line}`);
      records.push(...(await runPlaywright(runner, machine, { args: [...lines, '--workers=1'], env })));
    }
  }
  return records;
}

import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildStale } from './build.ts';
import { root, say } from './lib/terminal.ts';
import { prepareMachine } from './test/machine.ts';
import { type Outcome, runPlaywright, runVitest } from './test/runners.ts';

const HELP = `Sets this machine up for the tests and runs them.

  npm test                       everything
  npm test -- unit [path …]      the tests beside the code (Vitest)
  npm test -- e2e [arguments]    the app in a browser (Playwright, Chromium)
  npm test -- electron [args]    the app in its window (Playwright, Electron under Xvfb)

What cannot run on this machine is listed by name; with CI=true it counts as failed.
`;

const PARTS = ['unit', 'e2e', 'electron'] as const;
type Part = (typeof PARTS)[number];
const isPart = (word: string | undefined): word is Part => PARTS.some((part) => part === word);

const [first, ...rest] = process.argv.slice(2);
if (first !== undefined && !isPart(first)) {
  process.stderr.write(HELP);
  process.exit(first === '--help' ? 0 : 2);
}
const parts: readonly Part[] = isPart(first) ? [first] : PARTS;

const results = path.join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const machine = await prepareMachine(parts);
await buildStale();

const runs: Record<Part, () => Promise<Outcome>> = {
  unit: () => runVitest(rest),
  e2e: () => runPlaywright('browser', rest, machine),
  electron: () => runPlaywright('electron', rest, machine),
};
const total: Outcome = { passed: 0, failed: 0, notRun: [...machine.missing] };
for (const part of parts) {
  if (machine.impossible.has(part)) continue;
  say(`running the ${part} tests.`);
  const outcome = await runs[part]();
  total.passed += outcome.passed;
  total.failed += outcome.failed;
  total.notRun.push(...outcome.notRun);
}

if (total.notRun.length > 0) {
  process.stdout.write(`\nNot run on this machine:\n${total.notRun.map((name) => `  ${name}\n`).join('')}`);
  if (process.env.CI === 'true') total.failed += total.notRun.length;
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

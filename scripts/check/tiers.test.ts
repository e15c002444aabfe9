import { expect, it } from 'vitest';
import { parseModule } from './modules.ts';
import { checkClocks, checkTiers } from './tiers.ts';

const complaints = (files: Record<string, string>) =>
  checkTiers(new Map(Object.entries(files).map(([file, text]) => [file, parseModule(file, text)]))).map(
    ({ file, line, text }) => `${file}:${line} ${text}`,
  );
const HELPER = 'src/main/a/testing/bed.ts';

it.each([
  ['a process of its own', "import { spawn } from 'node:child_process';", {}],
  ['the testbed', "import { startSshd } from '../../../e2e/testbed/sshd/index.ts';", {}],
  [
    'a module that starts processes',
    "import { run } from './run.ts';",
    { 'src/main/a/run.ts': "import { fork } from 'node:child_process';" },
  ],
  [
    'a helper that does',
    "import { bed } from './testing/bed.ts';",
    { [HELPER]: "\nimport { fork } from 'node:child_process';" },
  ],
])('rejects in the unit tier: %s', (_, text, others: Record<string, string>) => {
  const found = complaints({ 'src/main/a/a.test.ts': text, ...others });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('call src/main/a/a.test.ts *.servers.test.ts');
  expect(complaints({ 'src/main/a/a.servers.test.ts': text, ...others })).toEqual([]);
});

it('ignores types, and what the product starts indirectly', () => {
  expect(
    complaints({
      'src/main/a/a.test.ts':
        "import type { ChildProcess } from 'node:child_process';\nimport { open } from './open.ts';",
      'src/main/a/open.ts': "import { check } from './check.ts';",
      'src/main/a/check.ts': "import { Worker } from 'node:worker_threads';",
    }),
  ).toEqual([]);
});

it.each(['docs/a.test.ts', 'src/main/a.test.tsx', 'e2e/pages/a.test.ts'])('rejects %s, which no tier runs', (file) => {
  expect(complaints({ [file]: '' })).toEqual([`${file}:1 is a test that no tier runs: see scripts/test/tiers.ts`]);
});

const PRECISE = 'performance.now()';
const EPOCH = 'Date.now()';

it.each([
  ['how long something took', `const began = ${PRECISE};\nexpect(${PRECISE} - began).toBeLessThan(50);`],
  ['that it was just now', `\nexpect(\n  Math.abs(at - ${EPOCH} / 1000),\n).toBeLessThan(30);`],
])('rejects an assertion about %s, unless the test runs alone', (_, text) => {
  const found = (file: string) => checkClocks(new Map([[file, parseModule(file, text)]])).map(({ line }) => line);
  expect(found('e2e/engine/a.test.ts')).toEqual([2]);
  expect(found('e2e/a.spec.ts')).toEqual([2]);
  expect(found('e2e/engine/a.alone.test.ts')).toEqual([]);
});

it('allows tests to assert the order of times, and to wait', () => {
  const text = `expect(run.endedAt).toBeLessThanOrEqual(${EPOCH});\nwhile (${PRECISE} < limit) await delay(20);`;
  expect(checkClocks(new Map([['src/a.test.ts', parseModule('src/a.test.ts', text)]]))).toEqual([]);
});

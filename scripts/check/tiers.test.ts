import { expect, it } from 'vitest';
import { parseModule } from './modules.ts';
import { checkTiers } from './tiers.ts';

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
])('refuses in the unit tier %s', (_, text, others: Record<string, string>) => {
  const found = complaints({ 'src/main/a/a.test.ts': text, ...others });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('call src/main/a/a.test.ts *.servers.test.ts');
  expect(complaints({ 'src/main/a/a.servers.test.ts': text, ...others })).toEqual([]);
});

it('does not count types, nor what the product starts further down', () => {
  expect(
    complaints({
      'src/main/a/a.test.ts':
        "import type { ChildProcess } from 'node:child_process';\nimport { open } from './open.ts';",
      'src/main/a/open.ts': "import { check } from './check.ts';",
      'src/main/a/check.ts': "import { Worker } from 'node:worker_threads';",
    }),
  ).toEqual([]);
});

it.each(['bench/a.test.ts', 'src/main/a.test.tsx', 'e2e/pages/a.test.ts'])('refuses %s, which no tier runs', (file) => {
  expect(complaints({ [file]: '' })).toEqual([`${file}:1 is a test that no tier runs: see scripts/test/tiers.ts`]);
});

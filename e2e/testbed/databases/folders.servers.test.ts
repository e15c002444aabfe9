import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('test files that start at the same time clean up after dead ones without conflicts', async () => {
  const dead = spawnSync('true').pid;
  const left = Array.from({ length: 400 }, (_, index) => join(tmpdir(), 'kneepoint-testbed', `old-${dead}-${index}`));
  for (const folder of left) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'pid'), String(dead));
  }
  const code = `const { sweep } = await import(${JSON.stringify(new URL('./folders.ts', import.meta.url).href)});
    process.stdin.once('data', () => { sweep(); process.exit(0); });
    console.log('ready');`;
  const sweepers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(sweepers.map((sweeper) => once(sweeper.stdout, 'data')));
  const ends = sweepers.map((sweeper) => once(sweeper, 'exit'));
  for (const sweeper of sweepers) sweeper.stdin.write('go');
  expect((await Promise.all(ends)).map(([status]) => status)).toEqual([0, 0, 0, 0]);
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
});

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { byDay } from '../../../src/shared/util/testing/depth.ts';
import { startMariaDb, startMySql8, startPostgres, sweep } from './index.ts';

const STARTS = { startMariaDb, startMySql8, startPostgres } as const;

describe.each(byDay(Object.keys(STARTS) as (keyof typeof STARTS)[], (name) => /postgres/i.test(name)))('%s', (name) => {
  test('stops without leaving anything behind, even twice', async () => {
    const server = await STARTS[name]();
    const pid = server.pid();
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(String(server.port));
    expect(existsSync(server.socket)).toBe(true);
    await server.stop();
    await server.stop();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(existsSync(dirname(server.logFile))).toBe(false);
  });

  test('freezes completely, and stops even while frozen', async () => {
    const server = await STARTS[name]();
    server.freeze();
    const stateOf = (): string =>
      /^State:\s+(\S)/m.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1] ?? '';
    await expect.poll(stateOf).toBe('T');
    server.thaw();
    await expect.poll(stateOf).not.toBe('T');
    server.freeze();
    await server.stop();
    expect(existsSync(`/proc/${server.pid()}`)).toBe(false);
  });

  test('does not outlive a killed test process', async () => {
    const code = `import { ${name} } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const server = await ${name}();
      console.log(JSON.stringify({ pid: server.pid(), logFile: server.logFile }));
      setInterval(() => undefined, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    const { pid, logFile } = JSON.parse(line) as { pid: number; logFile: string };
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    sweep();
    expect(existsSync(dirname(logFile))).toBe(false);
  });
});

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

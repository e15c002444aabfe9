import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alone } from './alone.ts';

let folder: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-alone-'));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/**
 * A process that takes the lock and never releases it. The timer keeps the promise referenced: otherwise the garbage collector would close the lock
 * with it.
 */
async function holder(file: string): Promise<ChildProcess> {
  const code = `const { alone } = await import(${JSON.stringify(new URL('./alone.ts', import.meta.url).href)});
    await alone(${JSON.stringify(file)}, () => new Promise((resolve) => { console.log('mine'); setInterval(() => resolve, 1000); }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child;
}

test('work waits for another process that holds the lock, and continues when that process dies', async () => {
  const file = join(folder, 'lock');
  const other = await holder(file);
  const order: string[] = [];
  const waiting = alone(file, async () => order.push('our turn'));
  order.push('the other is killed');
  other.kill('SIGKILL');
  await waiting;
  expect(order).toEqual(['the other is killed', 'our turn']);
});

test('two callers in one process take turns, and a failure releases the lock', async () => {
  const file = join(folder, 'lock');
  let inside = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    await new Promise((resolve) => setImmediate(resolve));
    expect(inside).toBe(1);
    inside -= 1;
    throw new Error('as it may');
  };
  const turns = await Promise.allSettled([alone(file, work), alone(file, work)]);
  expect(turns.map(({ status, ...rest }) => [status, String('reason' in rest && rest.reason)])).toEqual([
    ['rejected', 'Error: as it may'],
    ['rejected', 'Error: as it may'],
  ]);
});

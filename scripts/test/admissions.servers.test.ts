import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Admissions, openAdmissions } from './admissions.ts';

const MODULE = path.join(import.meta.dirname, 'admission.ts');
/** A test process: asks for admission, does this, and ends. */
const PROGRAM = (file: string, work: string): string => `
  import { spawn } from 'node:child_process';
  import { admission } from ${JSON.stringify(MODULE)};
  const end = await admission(${JSON.stringify(file)});
  console.log('started', process.env.XDG_STATE_HOME);
  ${work}`;

let admissions: Admissions;
beforeEach(async () => {
  const timings = { 'works.test.ts': { wall: 100, cpu: 90 }, 'waits.test.ts': { wall: 100, cpu: 1 } };
  admissions = await openAdmissions(timings, 1);
});
afterEach(async () => {
  await admissions.leftovers();
  admissions.close();
});

/** Resolves with its state folder when it has been admitted. */
function start(file: string, work: string) {
  const argv = ['--input-type=module-typescript', '-e', PROGRAM(file, work)];
  const env = { ...process.env, ...admissions.env };
  const child = spawn(process.execPath, argv, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const admitted = once(createInterface(child.stdout), 'line').then(([line]) => String(line).replace('started ', ''));
  return { child, admitted, ended: once(child, 'exit') };
}
/** An ended process may still be a zombie. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Until its standard input is closed. */
const WAIT = "process.stdin.resume().on('end', () => process.exit(0));";

it('starts a working file once the previous one has ended, and a waiting file at once', async () => {
  const [first, waits] = [start('works.test.ts', WAIT), start('waits.test.ts', WAIT)];
  const folders = await Promise.all([first.admitted, waits.admitted]);
  expect(new Set(folders).size).toBe(2);
  const order: string[] = [];
  const second = start('works.test.ts', 'await end(); process.exit(0);');
  void first.ended.then(() => order.push('first ended'));
  void second.admitted.then(() => order.push('second started'));
  first.child.stdin.end();
  await second.ended;
  expect(order).toEqual(['first ended', 'second started']);
  waits.child.stdin.end();
  await waits.ended;
  expect(await admissions.leftovers()).toEqual(new Map());
});

it('frees the slot of a killed test process', async () => {
  const first = start('works.test.ts', WAIT);
  await first.admitted;
  const second = start('works.test.ts', 'process.exit(0);');
  first.child.kill('SIGKILL');
  await second.ended;
  await second.admitted;
});

it('ends and reports processes that a file left behind, however they detached', async () => {
  const leave = "spawn('setsid', ['sleep', '86413'], { detached: true, stdio: 'ignore' }).unref();";
  const files = [
    start('works.test.ts', `${leave} process.exit(0);`),
    start('waits.test.ts', `${leave} await end(); await admission('next.test.ts'); process.exit(0);`),
  ];
  await Promise.all(files.map(({ ended }) => ended));
  const left = await admissions.leftovers();
  expect([...left.keys()].toSorted()).toEqual(['waits.test.ts', 'works.test.ts']);
  for (const sentence of left.values()) {
    expect(sentence).toMatch(/^It left processes behind: \d+ sleep 86413$/);
    expect(isRunning(/\d+/.exec(sentence)?.[0] ?? '')).toBe(false);
  }
});

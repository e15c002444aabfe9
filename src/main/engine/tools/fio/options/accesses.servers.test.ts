import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessShares } from '../../accesses.ts';
import { blockAccesses } from './accesses.ts';
import { FioOptions } from './index.ts';

const BLOCKS = 256;
const DRAWS = 400_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-fio-accesses-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How often fio itself drew each block, most frequent first. It does no I/O, but logs each offset. */
function drawnByFio(lines: readonly string[]): number[] {
  const log = path.join(folder, 'offsets');
  // fio appends to an existing log.
  rmSync(log, { force: true });
  const options = [...lines, 'ioengine=null', `io_size=${DRAWS * 4}k`, `write_iolog=${log}`, 'randseed=5'];
  const argv = ['--name=draw', `--filename=${path.join(folder, 'none')}`, ...options.map((line) => `--${line}`)];
  const { status, stderr } = spawnSync('fio', argv, { encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const counts = new Array<number>(BLOCKS).fill(0);
  for (const [, offset] of readFileSync(log, 'utf8').matchAll(/ read (\d+) 4096$/gm)) {
    const block = Number(offset) / 4096;
    counts[block] = (counts[block] ?? 0) + 1;
  }
  return counts.sort((left, right) => right - left);
}

const present = spawnSync('fio', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing fio fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('the block accesses of fio', () => {
  it.each([
    ['norandommap=1'],
    ['random_distribution=zipf:0.8'],
    ['random_distribution=zipf:1.2'],
    ['random_distribution=pareto:0.2'],
    ['random_distribution=zoned:50/5:30/15:20/'],
  ])('with %s match the description', (line) => {
    const lines = ['rw=randread', 'bs=4k', `size=${BLOCKS * 4}k`, line];
    const counts = drawnByFio(lines);
    const all = counts.reduce((sum, count) => sum + count, 0);
    expect(all).toBeGreaterThan(DRAWS * 0.9);
    const [expected] = blockAccesses(
      FioOptions.parse({ source: 'job-file', 'job-file': ['[draw]', ...lines].join('\n') }),
    );
    if (!expected) throw new Error('Nothing is told.');
    for (const { accesses, rows } of accessShares(expected).shares) {
      let sum = 0;
      const last = counts.findIndex((count) => {
        sum += count;
        return sum >= accesses * all;
      });
      // Within a few blocks: fio approximates ranks from the third.
      expect(Math.abs(rows - (last + 1) / BLOCKS), `${accesses}`).toBeLessThan(0.025);
    }
  });
});

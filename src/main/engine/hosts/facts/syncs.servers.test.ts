import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalMachine } from '../local.ts';
import type { Machine } from '../machine.ts';
import { testSyncs } from './syncs.ts';

function folderIn(parent: string): string {
  const folder = mkdtempSync(path.join(parent, 'kneepoint-syncs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** This computer, with a dd that takes this many seconds for each write. */
function machineWith(secondsPerWrite: (round: number) => number): { machine: Machine; counts: number[][] } {
  const local = createLocalMachine();
  const counts: number[][] = [];
  const machine: Machine = Object.create(local, {
    exec: {
      value: async (script: string, options: object) => {
        if (!script.includes('oflag=dsync')) return local.exec(script, options);
        const asked = [...script.matchAll(/count=(\d+) conv=notrunc/g)].map(([, count]) => Number(count));
        counts.push(asked);
        const lines = asked.map(
          (count, round) => `${4096 * count} bytes copied, ${count * secondsPerWrite(round)} s, 1 MB/s`,
        );
        return { stdout: ['8388608 bytes copied, 0.2 s, 41 MB/s', '@@', ...lines, ''].join('\n'), stderr: '' };
      },
    },
  });
  return { machine, counts };
}

it('returns the median of three rounds of about a second, with the slowest and the fastest', async () => {
  const { machine, counts } = machineWith((round) => [0.002, 0.004, 0.001][round] ?? 0);
  const found = await testSyncs(machine, folderIn(process.cwd()), () => 7);
  expect(found).toMatchObject({ perSecond: 500, low: 250, high: 1000, testedAt: 7 });
  expect(counts).toEqual([[16], [500, 500, 500]]);
});

it('never writes beyond the size of its file, however fast the disk is', async () => {
  const { machine, counts } = machineWith(() => 0.000_001);
  await testSyncs(machine, folderIn(process.cwd()), () => 7);
  expect(counts[1]).toEqual([2048, 2048, 2048]);
});

it('leaves nothing behind and returns the file system of a real folder', async () => {
  const folder = folderIn(process.cwd());
  const found = await testSyncs(createLocalMachine(), folder, () => 7);
  expect(found.path).toBe(folder);
  expect(found.fileSystem).toMatch(/\w/);
  expect(found.low).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['/no/such/folder', /\/no\/such\/folder does not exist on this computer\./],
  ['/dev/shm', /\/dev\/shm on this computer is in memory \(tmpfs\): nothing in it is durable\./],
])('refuses %s, with host and path', async (folder, words) => {
  await expect(testSyncs(createLocalMachine(), folder, () => 7)).rejects.toThrow(words);
});

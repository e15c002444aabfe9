import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { createLocalMachine } from '../local.ts';
import type { Machine } from '../machine.ts';
import { FakeMachine } from '../testing/fake-machines.ts';
import { createTestLibrary, specOf } from '../testing/library.ts';
import { readFolder, testSyncs } from './folder.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kneepoint-folder-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const HERE = 'this computer';

describe('folders of a host', () => {
  it('are listed with exact names, linked folders, file system and free space', async () => {
    const names = ['plain', 'with space', "quo'te", '-dash', '.hidden', '$(reboot)', '@@part end'];
    for (const name of names) mkdirSync(join(folder, name));
    mkdirSync(join(folder, 'line\nbreak'));
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'plain'), join(folder, 'link'));
    const read = await readFolder(createLocalMachine(), folder);
    expect(read).toMatchObject({ path: folder, writable: true });
    expect(read.folders.toSorted()).toEqual([...names, 'link'].toSorted());
    expect(read.fileSystem?.freeBytes).toBeGreaterThan(0);
    expect(read.fileSystem?.sizeBytes).toBeGreaterThan(read.fileSystem?.freeBytes ?? 0);
    expect(await readFolder(createLocalMachine(), join(folder, 'link'))).toMatchObject({ path: join(folder, 'plain') });
  });

  it('start at the home of the account', async () => {
    expect((await readFolder(createLocalMachine(), '')).path).toBe(realpathSync(homedir()));
  });

  it('are refused with host and path', async () => {
    writeFileSync(join(folder, 'file'), '');
    const refused = (path: string) => expect(readFolder(createLocalMachine(), path)).rejects;
    await refused('/no/such').toMatchObject({
      problem: { code: 'not-found', host: HERE, message: `/no/such does not exist on ${HERE}.` },
    });
    await refused(join(folder, 'file')).toMatchObject({
      problem: { message: `${folder}/file on ${HERE} is not a folder.` },
    });
    const mute = new FakeMachine('db1');
    await expect(readFolder(mute, '/srv')).rejects.toMatchObject({
      problem: { code: 'host-refused', host: 'db1', message: 'db1 did not finish listing /srv.' },
    });
    mute.cut();
    await expect(readFolder(mute, '/srv')).rejects.toMatchObject({
      problem: { code: 'host-unreachable', host: 'db1' },
    });
  });

  it('are listed through SSH, limited to the first thousand', async () => {
    for (let index = 0; index < 1001; index += 1) mkdirSync(join(folder, `folder-${index}`));
    const server = await startSshd();
    const library = createTestLibrary();
    try {
      library.save(specOf('web', server));
      library.trustServer(server);
      const read = await readFolder(library.machines.get('web'), folder);
      expect(read).toMatchObject({ path: folder, more: true });
      expect(read.folders).toHaveLength(1000);
    } finally {
      await library.machines.close();
      await server.close();
    }
  });
});

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

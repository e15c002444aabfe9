import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { createLocalMachine } from '../local.ts';
import { FakeMachine } from '../testing/fake-machines.ts';
import { createTestLibrary, specOf } from '../testing/library.ts';
import { readFolder } from './folder.ts';

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

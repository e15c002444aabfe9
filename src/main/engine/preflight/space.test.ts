import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { Need } from '../data/kind.ts';
import { type FakeServer, SessionBed } from '../session/testing/session-bed.ts';
import { checkSpace } from './space.ts';

const GIB = 1024 ** 3;
let bed: SessionBed;
let server: FakeServer;
let freeBytes: number;
let scripts: string[];
beforeEach(() => {
  bed = new SessionBed(['one']);
  server = bed.addServer();
  server.settings = { datadir: '/var/lib/mysql/' };
  const { targets } = bed;
  const spec: TargetSpec = { ...targets.spec('db'), server: { host: 'one', control: { kind: 'none' } } };
  bed.targets = { ...targets, spec: () => spec };
  scripts = [];
  bed.machines.get('one').answer = (script) => {
    scripts.push(script);
    return { code: 0, stdout: `${Math.floor(freeBytes / 1024)}\n`, stderr: '' };
  };
});
afterEach(() => bed.close());

const tables = (bytes: number): Need => ({
  ...{ kind: 'tables', place: 'db', key: String(bytes), title: 'Tables', shape: '', directory: '', written: true },
  ...{ parts: [{ name: 'sbtest1', size: 1 }], bytes },
});
const files = (...sizes: number[]): Need => ({
  ...{ kind: 'files', place: 'one', key: 'files', title: 'Files', shape: '', directory: '/data/new', written: true },
  parts: sizes.map((size, index) => ({ name: `file.${index}`, size })),
});
const look = (needs: readonly Need[], replaces = false, typed: string[] = []) =>
  checkSpace(bed.runsContext(), { typed }, { needs, replaces }, new AbortController().signal);

it('blocks data larger than the free space of the server folder, with both figures', async () => {
  freeBytes = 5 * GIB;
  const [finding] = await look([tables(4 * GIB), tables(2 * GIB)]);
  expect(finding).toMatchObject({
    code: 'data-without-room',
    severity: 'block',
    message: 'The data for target “db” will take about 6.00 GiB, and /var/lib/mysql/ on one has 5.00 GiB free.',
    confirm: 'db:room',
  });
  expect(scripts.at(-1)).toContain("d='/var/lib/mysql/'");
  expect(await look([tables(6 * GIB)], false, ['db:room'])).toMatchObject([{ severity: 'warn' }]);
});

it('warns of little space, also if other data is removed first, and is silent if there is enough', async () => {
  freeBytes = 5 * GIB;
  expect(await look([tables(4.8 * GIB)])).toMatchObject([{ severity: 'warn' }]);
  expect(await look([tables(6 * GIB)], true)).toMatchObject([
    { severity: 'warn', message: expect.stringContaining('before existing data is removed') },
  ]);
  expect(await look([tables(4 * GIB)])).toEqual([]);
});

it('adds up the files of a generator', async () => {
  freeBytes = 5 * GIB;
  expect(await look([files(3 * GIB, 3 * GIB)])).toMatchObject([
    {
      severity: 'block',
      message: 'The test files will take about 6.00 GiB, and /data/new on one has 5.00 GiB free.',
    },
  ]);
});

it('checks each of several folders, as they can be on different disks', async () => {
  freeBytes = 5 * GIB;
  const parts = ['a/own/f.0', 'a/own/f.1', 'b/own/f.0'].map((name) => ({ name, size: 3 * GIB }));
  expect(await look([{ ...files(), directory: '/mnt', parts }])).toMatchObject([
    {
      severity: 'block',
      message: 'The test files will take about 6.00 GiB, and /mnt/a/own on one has 5.00 GiB free.',
    },
  ]);
});

it('adds up data on one file system of a host, whatever it is for', async () => {
  const answers: Record<string, string> = {};
  bed.machines.get('one').answer = (script) => {
    const [, stdout = ''] = Object.entries(answers).find(([folder]) => script.includes(`='${folder}'`)) ?? [];
    return { code: 0, stdout, stderr: '' };
  };
  const parts = ['a/f', 'b/f'].map((name) => ({ name, size: 3 * GIB }));
  const both: Need = { ...files(), directory: '/mnt', parts };
  const disk = (device: string, number: number, mount: string): string =>
    `${(5 * GIB) / 1024} ${device} ${number} ${mount}\n`;
  Object.assign(answers, { '/mnt/a': disk('/dev/sdb1', 5, '/mnt'), '/mnt/b': disk('/dev/sdb1', 5, '/mnt') });
  expect(await look([both])).toMatchObject([
    {
      severity: 'block',
      message:
        'The test files in /mnt/a and /mnt/b will take about 6.00 GiB, and their file system, /mnt on one, has 5.00 GiB free.',
      confirm: 'one:room',
    },
  ]);
  answers['/var/lib/mysql/'] = disk('/dev/sdb1', 5, '/mnt');
  expect(await look([tables(2 * GIB), { ...files(3 * GIB), directory: '/mnt/a' }])).toMatchObject([
    {
      message:
        'The data for target “db” and the test files in /mnt/a will take about 5.00 GiB, and their file system, /mnt on one, has 5.00 GiB free.',
    },
  ]);
  // Another disk, and file systems without a device, which have the same name.
  answers['/mnt/b'] = disk('/dev/sdc1', 6, '/mnt/b');
  expect(await look([both])).toEqual([]);
  Object.assign(answers, { '/mnt/a': disk('tmpfs', 5, '/mnt/a'), '/mnt/b': disk('tmpfs', 6, '/mnt/b') });
  expect(await look([both])).toEqual([]);
  answers['/mnt/b'] = disk('tmpfs', 5, '/mnt/b');
  expect(await look([both])).toMatchObject([{ severity: 'block' }]);
});

it('uses the free space reported by a server, wherever it runs', async () => {
  server.room = { folder: '/data/db', free: 5 * GIB };
  freeBytes = 100 * GIB;
  expect(await look([tables(6 * GIB)])).toMatchObject([
    {
      severity: 'block',
      message: 'The data for target “db” will take about 6.00 GiB, and /data/db of its server has 5.00 GiB free.',
    },
  ]);
  expect(scripts).toEqual([]);
});

it('reports unknown space if the folder is hidden or unknown, or the host cannot be asked', async () => {
  const message = async (): Promise<string | undefined> => (await look([tables(6 * GIB)]))[0]?.message;
  const unknown = 'The data for target “db” will take about 6.00 GiB, but free space is unknown.';
  freeBytes = Number.NaN;
  expect(await look([tables(6 * GIB)])).toMatchObject([{ code: 'room-not-known', severity: 'note' }]);
  expect(await message()).toBe(
    `${unknown} Its data directory /var/lib/mysql/ is not visible on one; the server may run in a container.`,
  );
  const { answer } = bed.machines.get('one');
  bed.machines.get('one').answer = () => ({ code: 0, stdout: '100\n200000000\n', stderr: '' });
  expect(await message()).toContain('is not visible on one');
  bed.machines.get('one').answer = answer;
  freeBytes = GIB;
  server.settings = {};
  expect(await message()).toBe(`${unknown} The server does not report its data directory.`);
  server.settings = { datadir: '/var/lib/mysql/' };
  const { server: _, ...spec } = bed.targets.spec('db');
  bed.targets = { ...bed.targets, spec: () => spec };
  expect(await message()).toBe(`${unknown} Its data directory is /var/lib/mysql/, but the server host is unknown.`);
  // Too small to be mentioned.
  expect(await look([tables(GIB / 2)])).toEqual([]);
});

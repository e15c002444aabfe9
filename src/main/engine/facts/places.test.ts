import { expect, it } from 'vitest';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { KnownStep } from '../plans/index.ts';
import type { RunsContext } from '../runs/index.ts';
import { readPlaces } from './places.ts';

const MOUNTS = [
  '36 1 8:17 / /mnt/ext4 rw,noatime - ext4 /dev/sdb1 rw,barrier=1',
  '37 1 0:40 / /mnt/new rw - xfs /dev/sdc rw',
];
const DF: Readonly<Record<string, string>> = {
  '/mnt/ext4': '/dev/sdb1 ext4 1000 10 990 1% /mnt/ext4',
  '/mnt/new': '/dev/sdc xfs 1000 10 990 1% /mnt/new',
};

/** A host with these file systems, which responds to the script as its shell would. */
function host(asked: string[]) {
  return {
    exec: async (script: string) => {
      const [, nonce = ''] = /@@(\S+) kind/.exec(script) ?? [];
      if (nonce === '') return { stdout: script.includes("d='/hidden'") ? 'hidden\n' : '', stderr: '' };
      const [, path = ''] = /path='?([^';]+)'?;/.exec(script) ?? [];
      asked.push(path);
      if (path === '/gone') throw new Error('unreachable');
      const df = DF[path];
      const part = (name: string, ...lines: string[]): string[] => [`@@${nonce} ${name}`, ...lines];
      const lines = [
        ...part('kind', path.startsWith('/dev/') ? 'device' : df ? 'directory' : 'missing'),
        ...part('real', path),
        ...part('writable', 'yes'),
        ...part('df', ...(df ? ['Filesystem Type 1024-blocks Used Available Capacity Mounted on', df] : [])),
        ...part('mounts', ...MOUNTS),
        ...(path.startsWith('/dev/')
          ? [
              ...part('block', 'nvme1n1', '2048', 'nvme1n1', '1 2 3'),
              ...part('model', 'PM9A3 '),
              ...part('queue', 'r rotational 0', 'w scheduler [none] mq-deadline'),
            ]
          : []),
        ...part('end'),
      ];
      return { stdout: `${lines.join('\n')}\n`, stderr: '' };
    },
  };
}

const step = (kind: string, path: string): KnownStep =>
  ({
    tool: { paths: () => [{ what: 'Directory', kind, anyOf: [path] }] },
    step: { options: {}, generators: ['load1'] },
  }) as unknown as KnownStep;

async function read(...steps: KnownStep[]) {
  return readWith(steps);
}

async function readWith(steps: readonly KnownStep[], targets: readonly TargetFacts[] = [], room?: string) {
  const asked: string[] = [];
  const open = async () => ({ room: async () => ({ folder: room, free: 1 }), close: async () => undefined });
  const spec = (name: string) => ({ name, kind: targets.find((target) => target.name === name)?.kind });
  const context = { machines: { get: () => host(asked) }, targets: { open, spec } } as unknown as RunsContext;
  return { places: await readPlaces(context, { steps, targets }, new AbortController().signal), asked };
}

/** A target whose server reports this data folder, on the host db1 unless that is unknown. */
const server = (kind: string, setting: string, folder: string, isKnown = true): TargetFacts =>
  ({
    ...{ name: 'shop', kind, settings: [{ name: setting, value: folder }] },
    ...(isKnown && { server: { host: 'db1', started: 'by systemd' } }),
  }) as unknown as TargetFacts;

it('reads the file system of each folder once, and none for files or programs', async () => {
  const ext4 = step('writable-folder', '/mnt/ext4');
  const { places, asked } = await read(ext4, ext4, step('file', '/etc/hosts'), step('program', 'fio'));
  expect(asked).toEqual(['/mnt/ext4']);
  expect(places).toEqual([
    {
      ...{ host: 'load1', path: '/mnt/ext4' },
      fileSystem: { type: 'ext4', source: '/dev/sdb1', mount: '/mnt/ext4', options: ['rw', 'noatime', 'barrier=1'] },
    },
  ]);
});

it('reads that of the nearest parent if the tool has yet to create the folder', async () => {
  const { places, asked } = await read(step('new-folder', '/mnt/new/deep/files/'));
  expect(asked).toEqual(['/mnt/new/deep/files/', '/mnt/new/deep', '/mnt/new']);
  expect(places).toMatchObject([{ path: '/mnt/new/deep/files/', fileSystem: { type: 'xfs', mount: '/mnt/new' } }]);
});

it('leaves out the file system of a host that does not respond', async () => {
  expect((await read(step('writable-folder', '/gone'))).places).toEqual([{ host: 'load1', path: '/gone' }]);
});

it('reads model, scheduler and rotation of a whole device', async () => {
  const device = {
    tool: { devices: () => ['/dev/nvme1n1'] },
    step: { options: {}, generators: ['load1'] },
  } as unknown as KnownStep;
  expect((await read(device)).places).toEqual([
    {
      ...{ host: 'load1', path: '/dev/nvme1n1' },
      device: { name: 'nvme1n1', model: 'PM9A3', below: [], scheduler: 'none', rotational: false },
    },
  ]);
});

it('reads the file system of the data folder on the host of a server', async () => {
  const fileSystem = { type: 'ext4', mount: '/mnt/ext4' };
  const of = async (...asked: Parameters<typeof readWith>) => (await readWith(...asked)).places;
  for (const target of [server('mysql', 'datadir', '/mnt/ext4/'), server('postgres', 'data_directory', '/mnt/ext4')])
    expect(await of([], [target])).toMatchObject([{ host: 'db1', path: '/mnt/ext4', target: 'shop', fileSystem }]);
  const mongo = server('mongodb', 'storage.dbPath', '/mnt/ext4');
  expect(await of([], [mongo], '/mnt/ext4')).toMatchObject([{ host: 'db1', target: 'shop', fileSystem }]);
  expect(await of([], [mongo], 'the folder of its data')).toEqual([]);
  expect(await of([], [server('mysql', 'datadir', '/mnt/ext4', false)])).toEqual([]);
  expect(await of([], [server('mysql', 'basedir', '/usr')])).toEqual([]);
});

it('reports no file system for a data folder that the host does not show, or that is in a container', async () => {
  const { places, asked } = await readWith([], [server('mysql', 'datadir', '/mnt/new/deep')]);
  expect(asked).toEqual(['/mnt/new/deep']);
  expect(places).toEqual([{ host: 'db1', path: '/mnt/new/deep', target: 'shop' }]);
  const hidden = await readWith([], [server('mysql', 'datadir', '/hidden')]);
  expect(hidden).toEqual({ asked: [], places: [{ host: 'db1', path: '/hidden', target: 'shop' }] });
});

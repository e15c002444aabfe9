import { expect, it } from 'vitest';
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
      const [, path = ''] = /path='?([^';]+)'?;/.exec(script) ?? [];
      asked.push(path);
      if (path === '/gone') throw new Error('unreachable');
      const df = DF[path];
      const part = (name: string, ...lines: string[]): string[] => [`@@${nonce} ${name}`, ...lines];
      const lines = [
        ...part('kind', df ? 'directory' : 'missing'),
        ...part('real', path),
        ...part('writable', 'yes'),
        ...part('df', ...(df ? ['Filesystem Type 1024-blocks Used Available Capacity Mounted on', df] : [])),
        ...part('mounts', ...MOUNTS),
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
  const asked: string[] = [];
  const context = { machines: { get: () => host(asked) }, targets: {} } as unknown as RunsContext;
  return { places: await readPlaces(context, steps, new AbortController().signal), asked };
}

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

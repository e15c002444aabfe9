import { expect, it } from 'vitest';
import { Experiment } from './experiment.ts';
import { isOnlyFolder, isOpenFolder, openFolders, openFolderWords, savedFolders, withFolder } from './open-folders.ts';
import type { Target } from './target.ts';

const FIRST = '/choose/first-file-system';
const SECOND = '/choose/second-file-system';
const experiment = Experiment.parse({
  kneepoint: 1,
  name: 'Two file systems',
  workload: { tool: 'fio', options: { rw: 'write' } },
  where: { generators: ['this computer'] },
  factors: [{ name: 'directory', levels: [FIRST, SECOND], baseline: FIRST }],
  measure: { duration: 10 },
});

it('finds open folders in options and levels, each once, and not in a name or question', () => {
  expect(openFolders({ ...experiment, question: '/choose/none' })).toEqual([FIRST, SECOND]);
  const { workload } = experiment;
  const option = { ...experiment, factors: [], workload: { ...workload, options: { directory: '/choose/folder' } } };
  expect(openFolders(option)).toEqual(['/choose/folder']);
  expect(openFolderWords(FIRST)).toBe('first file system');
  expect(['/choose/folder', FIRST].map(isOnlyFolder)).toEqual([true, false]);
  expect(['/choose', '/choose/', '/choose-me/a', '/mnt/choose/a'].filter(isOpenFolder)).toEqual([]);
});

it('finds and replaces open folders in an option that lists several', () => {
  const { workload } = experiment;
  const listed = (directories: string) => ({
    ...experiment,
    factors: [],
    workload: { ...workload, options: { directories } },
  });
  const open = listed(`${FIRST}, ${SECOND}`);
  expect(openFolders(open)).toEqual([FIRST, SECOND]);
  const chosen = withFolder(withFolder(open, FIRST, '/mnt/a'), SECOND, '/mnt/b');
  expect(chosen).toEqual(listed('/mnt/a, /mnt/b'));
});

it('replaces an open folder wherever it occurs, and nothing else', () => {
  const chosen = withFolder(experiment, FIRST, '/mnt/ext4');
  expect(chosen).toEqual({
    ...experiment,
    factors: [{ ...experiment.factors[0], levels: ['/mnt/ext4', SECOND], baseline: '/mnt/ext4' }],
  });
  expect(openFolders(withFolder(chosen, SECOND, '/mnt/xfs'))).toEqual([]);
});

it('offers saved folders of the host that are not used yet, and neither devices nor servers', () => {
  const kinds: Parameters<typeof savedFolders>[1] = [
    { kind: 'disk', via: 'place', schema: { properties: { path: { folder: true } } } },
    { kind: 'server', via: 'connection', schema: { properties: { path: { folder: true } } } },
  ];
  const saved = (name: string, path: string, of: string, via: string | null = null): Target => ({
    ...{ id: 1, hasSecret: false, createdAt: 0 },
    spec: { name, kind: of, via, config: { path } },
  });
  const targets = [
    saved('ext4', '/srv/ext4', 'disk'),
    saved('memory', '/dev/shm/bench', 'disk'),
    saved('a device', '/dev/vdb', 'disk'),
    saved('elsewhere', '/srv/xfs', 'disk', 'db1'),
    saved('a server', '/srv/db', 'server'),
  ];
  const offered = (host: string, now = experiment) => savedFolders(targets, kinds, host, now).map(({ name }) => name);
  expect(offered('this computer')).toEqual(['ext4', 'memory']);
  expect(offered('db1')).toEqual(['elsewhere']);
  expect(offered('this computer', withFolder(experiment, FIRST, '/srv/ext4'))).toEqual(['memory']);
});

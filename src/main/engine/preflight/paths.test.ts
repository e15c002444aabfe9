import { expect, it } from 'vitest';
import type { StoragePlace } from '../../../shared/model/session-snapshot.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { neededPaths, sharing } from './paths.ts';
import { stateOf } from './testing/states.ts';

const STORAGE = { name: 'db', kind: 'storage', via: null, config: { path: '/srv/target' } } as const;
const named = (tool: string, options: string, { factors = '[]', target = false } = {}) => {
  const bed = new SessionBed();
  void bed.close();
  const targets = { ...bed.targets, spec: () => STORAGE };
  return neededPaths({ targets }, stateOf({ tool, options, factors, target })).map(({ kind, anyOf }) => [
    kind,
    anyOf[0],
  ]);
};

it('lists every file, folder and program in the options of each tool', () => {
  expect(
    named('ycsb', '{ directory: /opt/nope, binding: mongodb-async, properties-file: /etc/bench.properties }'),
  ).toEqual([
    ['program', 'java'],
    ['file', '/opt/nope/lib/core-*.jar'],
    ['file', '/opt/nope/mongodb-binding/lib/*.jar'],
    ['file', '/etc/bench.properties'],
  ]);
  expect(named('fio', '{ directory: /nowhere/at/all }')).toEqual([['writable-folder', '/nowhere/at/all']]);
  expect(named('fio', '{ directories: "/mnt/a, /mnt/b" }')).toEqual([
    ['writable-folder', '/mnt/a'],
    ['writable-folder', '/mnt/b'],
  ]);
  expect(named('sysbench', '{ script: fileio, directory: /data }')).toEqual([['new-folder', '/data']]);
  expect(
    named(
      'sysbench',
      '{ script: own, script-file: /home/me/tpcc.lua, mysql-ssl: "on", mysql-ssl-directory: /etc/tls/ }',
    ),
  ).toEqual([
    ['file', '/home/me/tpcc.lua'],
    ['file', '/etc/tls/cacert.pem'],
    ['file', '/etc/tls/client-cert.pem'],
    ['file', '/etc/tls/client-key.pem'],
  ]);
  expect(named('embedded', '{ directory: /srv/db }')).toEqual([['writable-folder', '/srv/db']]);
});

it('uses the path of the target if the options have none, and each level once', () => {
  expect(named('fio', '{}', { target: true })).toEqual([['writable-folder', '/srv/target']]);
  const factors = '[{ name: directory, levels: [/a, /b] }, { name: iodepth, levels: [1, 2] }]';
  expect(named('fio', '{}', { factors })).toEqual([
    ['writable-folder', '/a'],
    ['writable-folder', '/b'],
  ]);
});

it('lists nothing if the options name no path', () => {
  expect(named('sysbench', '{ script: cpu }')).toEqual([]);
  expect(named('fio', '{ device: /dev/sdz }')).toEqual([]);
});

it('names the option or target of another path', () => {
  const fixes = (tool: string, options: string, target: boolean) => {
    const bed = new SessionBed();
    void bed.close();
    const targets = { ...bed.targets, spec: () => STORAGE };
    return neededPaths({ targets }, stateOf({ tool, options, target })).map(({ fix }) => fix);
  };
  expect(fixes('fio', '{ directory: /a }', false)).toEqual([{ kind: 'path', option: 'directory', path: '/a' }]);
  expect(fixes('fio', '{}', true)).toEqual([{ kind: 'open', place: 'target', name: 'db' }]);
  expect(fixes('embedded', '{ directory: /srv/db }', false)).toEqual([
    { kind: 'path', option: 'directory', path: '/srv/db' },
  ]);
  expect(fixes('ycsb', '{ directory: /opt/nope, binding: basic }', false)[1]).toEqual({
    kind: 'path',
    option: 'directory',
    path: '/opt/nope',
  });
});

it('points out folders of one load on the same disk, by partition, volume or file system', () => {
  const place = (path: string, device: Partial<NonNullable<StoragePlace['device']>> | undefined, mount = '/') => ({
    ...{ host: 'db1', path, fileSystem: { type: 'tmpfs', source: 'tmpfs', mount, options: [] } },
    ...(device && { device: { name: 'sda1', below: [], ...device } }),
  });
  const messages = (...places: StoragePlace[]): string[] => sharing(places).map(({ message }) => message);
  expect(
    messages(place('/a', { disk: 'sda' }), place('/b', { name: 'sda2', disk: 'sda' }), place('/c', { name: 'sdb' })),
  ).toEqual([
    'On db1, /a and /b are on the same disk (sda): they compete for it, so their figures are not those of separate disks.',
  ]);
  expect(messages(place('/a', { name: 'md0', below: ['sda', 'sdb'] }), place('/b', { name: 'sdb' }))).toEqual([
    expect.stringContaining('(sdb)'),
  ]);
  expect(messages(place('/run/a', undefined, '/run'), place('/run/b', undefined, '/run'))).toEqual([
    expect.stringContaining('(tmpfs at /run)'),
  ]);
  expect(messages(place('/run', undefined, '/run'), place('/dev/shm', undefined, '/dev/shm'))).toEqual([]);
  expect(messages({ host: 'db1', path: '/a' }, { host: 'db1', path: '/b' })).toEqual([]);
  expect(messages(place('/a', {}), { ...place('/a', {}), host: 'db2' })).toEqual([]);
});

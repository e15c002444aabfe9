import path from 'node:path';
import { expect, it } from 'vitest';
import { appFolder, dataFolder, nodePath } from './outside.ts';

it.each([
  ['linux', {}, '/home/ann/.local/share/kneepoint'],
  ['linux', { XDG_DATA_HOME: '/data/ann' }, '/data/ann/kneepoint'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ann/.local/share/kneepoint'],
  ['darwin', {}, '/home/ann/Library/Application Support/Kneepoint'],
  ['linux', { KNEEPOINT_DATA: '/lib', XDG_DATA_HOME: '/data/ann' }, '/lib'],
] as const)('keeps the library on %s with %j in %s', (platform, env, folder) => {
  expect(dataFolder(env, platform, '/home/ann')).toBe(folder);
});

it('keeps the library on Windows under APPDATA', () => {
  expect(dataFolder({ APPDATA: '/roaming' }, 'win32', '/home/ann')).toBe(path.join('/roaming', 'Kneepoint'));
});

it('finds the app folder from any of its files', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  expect(appFolder(import.meta.filename)).toMatchObject({
    folder: root,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  expect(() => appFolder('/usr/bin/env')).toThrow('No folder above /usr/bin/env');
});

const plain = { env: {}, versions: {}, execPath: '/usr/bin/node', platform: 'linux' };
const electron = { ...plain, versions: { electron: '45.4.1' }, execPath: '/opt/Kneepoint/kneepoint' };
const archive = '/opt/Kneepoint/resources/app.asar';

it('runs programs with the current Node', () => {
  expect(nodePath('/clone', plain)).toBe('/usr/bin/node');
});

it('runs programs with the Node named by the launcher', () => {
  expect(nodePath('/clone', { ...electron, env: { KNEEPOINT_NODE: '/n/node' } })).toBe('/n/node');
});

it('runs programs of a package with the Node next to its archive, never with Electron', () => {
  expect(nodePath(archive, electron)).toBe('/opt/Kneepoint/resources/node/node');
  expect(nodePath(archive, { ...electron, platform: 'win32' })).toBe('/opt/Kneepoint/resources/node/node.exe');
});

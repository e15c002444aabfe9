import path from 'node:path';
import { expect, it } from 'vitest';
import { appFolder, dataFolder } from './folders.ts';

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

it('finds the folder of the app from any file of it', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  expect(appFolder(import.meta.filename)).toMatchObject({
    folder: root,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  expect(() => appFolder('/usr/bin/env')).toThrow('No folder above /usr/bin/env');
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appFolder, dataFolder, fileLog, nodePath } from './index.ts';

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

let folder: string;
let echoed: string[];
const echo = (line: string) => echoed.push(line);
const entries = () =>
  readFileSync(path.join(folder, 'logs/kneepoint.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-log-'));
  echoed = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

it('never writes a secret, wherever it is nested', () => {
  const log = fileLog(path.join(folder, 'logs'), echo);
  log.error('connecting to mysql://ann:s3cret@db:3306 with --mysql-password=s3cret', {
    password: 's3cret',
    host: { auth: { passphrase: 's3cret', privateKey: 's3cret' } },
    lines: ['token: "s3cret word"', 'PGPASSWORD=s3cret psql'],
    key: '-----BEGIN OPENSSH PRIVATE KEY-----\ns3cret\n-----END OPENSSH PRIVATE KEY-----',
    error: new Error('refused for ann with password = s3cret'),
    bytes: Buffer.from('s3cret'),
    user: 'ann',
  });
  const text = readFileSync(path.join(folder, 'logs/kneepoint.log'), 'utf8') + echoed.join();
  expect(text).not.toContain('s3cret');
  expect(entries()[0]).toMatchObject({
    level: 'error',
    user: 'ann',
    bytes: '(6 bytes)',
    host: { auth: { passphrase: '•••' } },
  });
  expect(statSync(path.join(folder, 'logs/kneepoint.log')).mode & 0o077).toBe(0);
});

it('writes circular fields and numbers that JSON lacks', () => {
  const ring: Record<string, unknown> = { n: 1n };
  ring.self = ring;
  fileLog(path.join(folder, 'logs'), echo).info('ring', { ring });
  expect(entries()[0].ring).toEqual({ n: '1', self: '(itself)' });
  expect(echoed).toEqual([]);
});

it('reports once that it cannot be written, and continues', () => {
  writeFileSync(path.join(folder, 'logs'), 'a file in the way');
  const log = fileLog(path.join(folder, 'logs'), echo);
  log.info('one');
  log.info('two');
  expect(echoed).toEqual([expect.stringContaining('cannot be written')]);
});

it('starts a new file when the old one is too large', () => {
  fileLog(path.join(folder, 'logs'), echo).info('x'.repeat(6 * 1024 * 1024));
  fileLog(path.join(folder, 'logs'), echo).info('after');
  expect(entries().map((entry) => entry.message)).toEqual(['after']);
  expect(statSync(path.join(folder, 'logs/kneepoint.1.log')).size).toBeGreaterThan(5 * 1024 * 1024);
});

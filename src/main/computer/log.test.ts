import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileLog } from './log.ts';

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

import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSshd, type TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { entryMatches, judgeKey, type KeySource, keyTypeOf, knownKeyTypes, parseKnownHosts } from './host-keys.ts';

let folder: string;
let keys: { line: string; blob: Buffer; fingerprint: string }[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-known-'));
  keys = ['ed25519', 'ed25519', 'ecdsa', 'rsa'].map((type, index) => {
    const file = join(folder, `key${index}`);
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file]);
    const [name = '', text = ''] = readFileSync(`${file}.pub`, 'utf8').split(' ');
    const fingerprint = execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '';
    return { line: `${name} ${text}`, blob: Buffer.from(text, 'base64'), fingerprint };
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const key = (index: number) => keys[index] ?? expect.fail('no such key');

const PATTERNS = [
  'web.example.org',
  'WEB.example.ORG',
  '*.example.org',
  'web?.example.org',
  'web.example.*,!web.example.com',
  '!web.example.org,*.example.org',
  '10.0.0.1',
  '10.0.0.1,web.example.org',
  '[web.example.org]:2222',
  '[10.0.0.1]:2222,web.example.org',
  '[*.example.org]:2222',
  '*',
  '!*',
  'web.example.org.evil.net',
  'xweb.example.org',
  'web-example-org',
  '::1',
  '[::1]:2222',
  'fe80::1%eth0',
  'a.b',
];
const PLACES: [string, number][] = [
  ['web.example.org', 22],
  ['WEB.EXAMPLE.ORG', 22],
  ['web1.example.org', 22],
  ['web.example.com', 22],
  ['web.example.org', 2222],
  ['10.0.0.1', 22],
  ['10.0.0.1', 2222],
  ['::1', 22],
  ['::1', 2222],
  ['aXb', 22],
];

describe('known_hosts', () => {
  for (const hashed of [false, true]) {
    it(`is read as ssh-keygen -F reads it${hashed ? ', hashed names too' : ''}`, () => {
      let found = 0;
      const file = join(folder, 'known_hosts');
      const written = PATTERNS.map((pattern) => `${pattern} ${key(0).line} somebody@somewhere\n`);
      writeFileSync(file, `# a comment\n\n${written.join('')}`);
      if (hashed) spawnSync('ssh-keygen', ['-q', '-H', '-f', file]);
      const text = readFileSync(file, 'utf8');
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      const entries = parseKnownHosts(text);
      expect(entries).toHaveLength(lines.length);
      for (const [address, port] of PLACES) {
        // ssh itself uses lower case; ssh-keygen -F leaves that to the caller.
        const name = (port === 22 ? address : `[${address}]:${port}`).toLowerCase();
        const { stdout } = spawnSync('ssh-keygen', ['-F', name, '-f', file], { encoding: 'utf8' });
        // Comments contain the number of each line found; the first entry is on line 3.
        const openSsh = [...stdout.matchAll(/^# Host .* found: line (\d+)/gm)].map(
          ([, line]) => lines[Number(line) - 3],
        );
        found += openSsh.length;
        const ours = lines.filter((_, index) => entries[index] && entryMatches(entries[index], address, port));
        expect({ name, found: ours }).toEqual({ name, found: openSsh });
      }
      expect(found).toBeGreaterThan(15);
    });
  }

  it('skips invalid lines', () => {
    const text = `web\nweb ssh-ed25519\nweb ssh-ed25519 ###\n@mystery web ${key(0).line}\n@revoked web ${key(0).line}\r\n`;
    expect(parseKnownHosts(text)).toEqual([expect.objectContaining({ marker: 'revoked', patterns: ['web'] })]);
  });
});

describe('a hashed name', () => {
  let server: TestSshd;
  beforeAll(async () => {
    server = await startSshd();
  });
  afterAll(() => server.close());

  const hashed = (name: string): string => {
    const salt = randomBytes(20);
    return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
  };

  // ssh looks up names in lower case, however they were typed or hashed; ssh-keygen -F does not.
  it('matches wherever ssh matches, also in capital letters', () => {
    const { port } = server;
    const hostKey = execFileSync('ssh-keyscan', ['-t', 'ed25519', '-p', String(port), '127.0.0.1'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).replace(/^\S+ /, '');
    const file = join(folder, 'hashed');
    const found: string[] = [];
    for (const stored of ['localhost', 'LOCALHOST', 'LocalHost', '127.0.0.1'])
      for (const asked of ['localhost', 'LOCALHOST', 'LocalHost', '127.0.0.1']) {
        writeFileSync(file, `${hashed(`[${stored}]:${port}`)} ${hostKey}`);
        const options = ['BatchMode=yes', 'StrictHostKeyChecking=yes', `UserKnownHostsFile=${file}`];
        const { stderr } = spawnSync(
          'ssh',
          [
            ...['-F', 'none', '-p', String(port), '-o', 'GlobalKnownHostsFile=none'],
            ...options.flatMap((option) => ['-o', option]),
            ...[asked, 'true'],
          ],
          { encoding: 'utf8' },
        );
        const ssh = !stderr.includes('Host key verification failed');
        const ours = parseKnownHosts(readFileSync(file, 'utf8')).some((entry) => entryMatches(entry, asked, port));
        expect({ stored, asked, found: ours }).toEqual({ stored, asked, found: ssh });
        if (ssh) found.push(`${stored} ${asked}`);
      }
    expect(found).toEqual(['localhost localhost', 'localhost LOCALHOST', 'localhost LocalHost', '127.0.0.1 127.0.0.1']);
  });
});

describe('the key of a host', () => {
  const place = { host: 'web', address: 'web.example.org', port: 22 };
  const judge = (text: string, index: number, source: Partial<KeySource> = {}) =>
    judgeKey({ knownKey: () => undefined, knownHosts: () => parseKnownHosts(text), ...source }, place, key(index).blob);
  const remembered = (index: number) => () => ({
    ...place,
    algorithm: keyTypeOf(key(index).blob),
    fingerprint: key(index).fingerprint,
  });

  it('is unknown if it is not stored', () => {
    expect(judge('', 0)).toEqual({
      verdict: 'unknown',
      key: { ...place, algorithm: 'ssh-ed25519', fingerprint: key(0).fingerprint },
    });
    expect(judge(`other.example.org ${key(0).line}`, 0).verdict).toBe('unknown');
  });

  it('is trusted by the library first, then by known_hosts', () => {
    expect(judge('', 0, { knownKey: remembered(0) })).toEqual({ verdict: 'trusted', by: 'library' });
    expect(judge(`*.example.org ${key(0).line}`, 0)).toEqual({ verdict: 'trusted', by: 'known_hosts' });
    expect(judge(`web.example.org ${key(1).line}`, 0, { knownKey: remembered(0) }).verdict).toBe('trusted');
  });

  it('is changed if another is known, of any type', () => {
    expect(judge('', 0, { knownKey: remembered(1) })).toMatchObject({
      verdict: 'changed',
      key: { fingerprint: key(0).fingerprint },
      known: { fingerprint: key(1).fingerprint },
    });
    expect(judge(`web.example.org ${key(3).line}`, 0)).toMatchObject({
      verdict: 'changed',
      known: { algorithm: 'ssh-rsa' },
    });
    expect(judge(`web.example.org ${key(0).line}`, 0, { knownKey: remembered(1) }).verdict).toBe('changed');
  });

  it('is refused when revoked, even if the library trusts it', () => {
    const text = `@revoked * ${key(0).line}`;
    expect(judge(text, 0, { knownKey: remembered(0) }).verdict).toBe('revoked');
    expect(judge(text, 1).verdict).toBe('unknown');
  });

  it('is not trusted for being the key of a certificate authority', () => {
    expect(judge(`@cert-authority *.example.org ${key(0).line}`, 0).verdict).toBe('unknown');
  });

  it('is requested in types that can be verified', () => {
    const text = `web.example.org ${key(2).line}\nweb.example.org ${key(3).line}\n@revoked web.example.org ${key(0).line}`;
    const source = { knownKey: () => undefined, knownHosts: () => parseKnownHosts(text) };
    expect(knownKeyTypes(source, 'web.example.org', 22)).toEqual(['ecdsa-sha2-nistp256', 'ssh-rsa']);
  });
});

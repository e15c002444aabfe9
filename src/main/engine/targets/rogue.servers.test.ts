import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ROGUE_MYSQL,
  type Rogue,
  startRogueMongo,
  startRogueMySql,
  startRoguePostgres,
} from '../../../../e2e/testbed/rogues/index.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { targetByKind } from './index.ts';
import type { Reach } from './target.ts';
import { directly, problemOf } from './testing/servers.ts';

const SECRET = 'Rather-long-secret-1';
const ACCOUNT = { user: 'bench', database: 'sbtest' };
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SERVER_KEY = publicKey.export({ type: 'spki', format: 'pem' });

const rogues: Rogue[] = [];
afterEach(() => Promise.all(rogues.splice(0).map((rogue) => rogue.stop())));

async function started(rogue: Promise<Rogue>): Promise<Rogue> {
  rogues.push(await rogue);
  return rogue;
}

const opening = (kind: string, rogue: Rogue, changes: Record<string, unknown> = {}, reach: Reach = directly) => {
  const target = targetByKind(kind);
  const { address, port } = rogue;
  const place = kind === 'mongodb' ? { url: `mongodb://${address}:${port}/` } : { address, port };
  if (!target.open) throw new Error('This kind has no server.');
  return target.open(target.config.parse({ ...ACCOUNT, ...place, ...changes }), SECRET, reach);
};

function expectKept(rogue: Rogue): void {
  expect(rogue.passwords()).toEqual([]);
  expect(rogue.received().length).toBeGreaterThan(0);
  expect(rogue.received().toString('latin1')).not.toContain(SECRET);
}

function expectProblem(problem: Problem, rogue: Rogue, asked: RegExp): void {
  expect(problem).toMatchObject({ code: 'target-auth-failed', message: expect.stringMatching(asked) });
  expect(problem.message).toContain(`127.0.0.1:${rogue.port}`);
  expect(problem.message).toContain('The password was not sent.');
  expect(problem.next).toMatch(/Turn TLS on.*allow a cleartext password/);
}

/** Completes the login, regardless of what happens to the connection afterwards. */
const letIn = (session: Promise<{ close(): Promise<void> }>): Promise<void> =>
  session.then(
    (open) => open.close(),
    () => undefined,
  );

describe.each(['mysql', 'clickhouse'])('a server without TLS impersonating %s', (kind) => {
  describe.each(ROGUE_MYSQL)('that requests the password by %s', (plugin) => {
    test.each(['preferred', 'disabled'])('does not get it while TLS is %s', async (tls) => {
      for (const first of [plugin, 'mysql_native_password', 'caching_sha2_password']) {
        const rogue = await started(startRogueMySql(plugin, first));
        const problem = await problemOf(opening(kind, rogue, { tls }));
        expectProblem(problem, rogue, plugin === 'mysql_clear_password' ? /in cleartext/ : /a key that is not pinned/);
        expectKept(rogue);
      }
    });

    test('gets it if the user allows that', async () => {
      const rogue = await started(startRogueMySql(plugin));
      await letIn(opening(kind, rogue, { allowCleartextPassword: true }));
      expect(rogue.passwords()).toEqual([SECRET]);
    });
  });

  test.each(['caching_sha2_password', 'sha256_password'] as const)(
    'does not get it by %s if another key is pinned, even on the server host',
    async (plugin) => {
      for (const reach of [directly, { ...directly, through: 'db1' }]) {
        const rogue = await started(startRogueMySql(plugin));
        const problem = await problemOf(opening(kind, rogue, { serverKey: SERVER_KEY }, reach));
        expectProblem(problem, rogue, /a key other than the one pinned/);
        expectKept(rogue);
      }
    },
  );

  test('does not get it through a host that it does not run on', async () => {
    const rogue = await started(startRogueMySql('caching_sha2_password'));
    const reach: Reach = { ...directly, through: 'jump', dial: () => directly.dial(rogue.address, rogue.port) };
    const problem = await problemOf(opening(kind, rogue, { address: '10.0.0.8' }, reach));
    expect(problem.message).toContain(`at 10.0.0.8:${rogue.port}, connected via jump, asked for the password`);
    expectKept(rogue);
  });
});

describe('a server without TLS impersonating PostgreSQL', () => {
  test.each([
    ['at once', false],
    ['after a hash', true],
  ])('that requests cleartext %s does not get it', async (_when, afterHash) => {
    for (const reach of [directly, { ...directly, through: 'db1' }])
      for (const tls of ['preferred', 'disabled']) {
        const rogue = await started(startRoguePostgres(afterHash));
        expectProblem(await problemOf(opening('postgres', rogue, { tls }, reach)), rogue, /in cleartext/);
        expectKept(rogue);
      }
  });

  test('gets it if the user allows that', async () => {
    const rogue = await started(startRoguePostgres());
    await letIn(opening('postgres', rogue, { allowCleartextPassword: true }));
    expect(rogue.passwords()).toEqual([SECRET]);
  });
});

test('a server impersonating MongoDB with PLAIN only does not get the password', async () => {
  const rogue = await started(startRogueMongo());
  expect(await problemOf(opening('mongodb', rogue))).toMatchObject({ code: expect.stringMatching(/^target-/) });
  expect(rogue.received().toString('latin1')).toContain('SCRAM-SHA');
  expectKept(rogue);
});

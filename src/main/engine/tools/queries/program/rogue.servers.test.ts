import { afterEach, describe, expect, it } from 'vitest';
import {
  ROGUE_MYSQL,
  type Rogue,
  startRogueMongo,
  startRogueMySql,
  startRoguePostgres,
} from '../../../../../../e2e/testbed/rogues/index.ts';
import { connect } from './connect.ts';
import type { Connection } from './settings.ts';

const SECRET = 'Rather-long-secret-1';
const rogues: Rogue[] = [];
afterEach(() => Promise.all(rogues.splice(0).map((rogue) => rogue.stop())));

async function started(rogue: Promise<Rogue>): Promise<Rogue> {
  rogues.push(await rogue);
  return rogue;
}

/** The error that connecting results in. */
const failure = (rogue: Rogue, kind: Connection['kind'], changes: Partial<Connection> = {}): Promise<unknown> => {
  const { address: host, port } = rogue;
  return connect({ kind, host, port, user: 'bench', password: SECRET, database: 'sbtest', ...changes }).catch(
    (error: unknown) => error,
  );
};

function expectKept(rogue: Rogue): void {
  expect(rogue.passwords()).toEqual([]);
  expect(rogue.received().toString('latin1')).not.toContain(SECRET);
}

describe.each(['preferred', 'disabled'] as const)('the program, TLS %s', (tls) => {
  it.each(['mysql', 'clickhouse'] as const)('keeps the password from a server impersonating %s', async (kind) => {
    for (const plugin of ROGUE_MYSQL) {
      const rogue = await started(startRogueMySql(plugin));
      const code = plugin === 'mysql_clear_password' ? 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED' : 'PASSWORD_KEPT';
      expect(await failure(rogue, kind, { tls })).toMatchObject({ code });
      expectKept(rogue);
    }
  });

  it.each([false, true])('keeps it from a server impersonating PostgreSQL, after a hash %s', async (afterHash) => {
    const rogue = await started(startRoguePostgres(afterHash));
    expect(await failure(rogue, 'postgres', { tls })).toMatchObject({ code: 'PASSWORD_KEPT' });
    expectKept(rogue);
  });
});

it('keeps the password from a server impersonating MongoDB', async () => {
  const rogue = await started(startRogueMongo());
  expect(await failure(rogue, 'mongodb')).toBeInstanceOf(Error);
  expectKept(rogue);
});

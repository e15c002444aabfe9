import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresLibraries } from '../../../../../e2e/testbed/databases/index.ts';
import { lacks } from '../../../../../e2e/testbed/programs.ts';
import { type Rogue, startRoguePostgres } from '../../../../../e2e/testbed/rogues/index.ts';
import { perform } from '../testing/perform.ts';
import { factsOf, plannedOn, readEnded } from './testing/bench.ts';

// libpq has supported `require_auth` since version 16.
describe.skipIf(lacks('pgbench') !== '' && process.env.CI !== 'true')('pgbench with libpq 18', () => {
  const account = { user: 'bench', password: 'Rather-long-secret-1', database: 'sbtest' };
  let folder: string;
  let rogue: Rogue;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-pgbench-rogue-'));
    rogue = await startRoguePostgres();
  });
  afterAll(async () => {
    await rogue?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps the password from a server that requests cleartext without TLS', async () => {
    const env = { LD_LIBRARY_PATH: await postgresLibraries('18') };
    for (const tls of ['preferred', 'disabled'] as const) {
      const { run } = plannedOn({ ...factsOf({ ...rogue, ...account }), tls }, { script: 'select-only' });
      const read = readEnded(await perform(run, folder, { env }));
      expect(read).toMatchObject({ ok: false, reason: { code: 'password-kept' } });
      expect(rogue.received().toString('latin1')).toContain(account.user);
      expect(rogue.received().toString('latin1')).not.toContain(account.password);
    }
  });
});

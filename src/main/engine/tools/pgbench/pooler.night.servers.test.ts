import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DatabaseServer,
  type Pooler,
  startPgBouncer,
  startPostgres,
} from '../../../../../e2e/testbed/databases/index.ts';
import { perform } from '../testing/perform.ts';
import type { Command } from '../tool.ts';
import { factsOf, plannedOn, readEnded } from './testing/bench.ts';

/** More than the pooler's server connections. */
const CLIENTS = 5;

const present = spawnSync('pgbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing pgbench fails the tests.
describe.skipIf(!present && process.env.CI !== 'true')('pgbench through PgBouncer in transaction pooling', () => {
  let folder = '';
  let server: DatabaseServer;
  let pooler: Pooler;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-pgbench-'));
    // A busy disk would stall commits, which are not tested here.
    server = await startPostgres({ settings: { fsync: 'off' } });
    pooler = await startPgBouncer(server, { size: 2 });
  });
  afterAll(async () => {
    await pooler?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  // With a rate, and long enough for a busy machine to complete some: speed is not tested here.
  const planned = (options: Record<string, unknown>) =>
    plannedOn({ ...factsOf(server), port: pooler.port }, { scale: 2, client: CLIENTS, ...options }, 10);

  it('creates its tables, runs more clients than connections, and drops them', async () => {
    const { prepare, run, cleanup } = planned({ protocol: 'simple', rate: 50 });
    expect(readEnded(await perform(prepare as Command, folder), 'prepare')).toMatchObject({ ok: true, unparsed: [] });
    const read = readEnded(await perform(run, folder));
    expect(read).toMatchObject({ ok: true, unparsed: [], summary: { clients: CLIENTS } });
    expect(read.samples.length).toBeGreaterThan(0);
    expect(read.summary.transactions_total).toBeGreaterThan(0);
    const connecting = planned({ script: 'select-only', connect: true, 'no-vacuum': true, rate: 5 });
    const each = readEnded(await perform(connecting.run, folder));
    expect(each).toMatchObject({ ok: true, unparsed: [] });
    expect(each.summary.connection_avg_ms).toBeGreaterThan(0);
    expect(readEnded(await perform(cleanup as Command, folder), 'cleanup')).toMatchObject({ ok: true, unparsed: [] });
  });

  it('reports prepared statements unknown to the pooler', async () => {
    const { prepare, run, cleanup } = planned({ scale: 1, script: 'select-only', protocol: 'prepared' });
    await perform(prepare as Command, folder);
    const { ok, reason } = readEnded(await perform(run, folder));
    expect({ ok, code: reason?.code }).toEqual({ ok: false, code: 'statement-on-other-connection' });
    expect(reason?.next).toContain('simple');
    await perform(cleanup as Command, folder);
  });
});

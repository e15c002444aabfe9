import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/shared/model/finding.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import {
  commanded,
  type DatabaseServer,
  lacksClickHouse,
  runClickHouse,
  startClickHouse,
  startMariaDb,
} from '../testbed/databases/index.ts';
import { addCommanded, stopServers } from './testing/commanded-target.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { runSession } from './testing/hosts-bed.ts';

/** The first start on a machine downloads the engine of ClickHouse. */
const FETCH_LIMIT = 600_000;
const PARTS = 40;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
});
afterAll(() => engine.close());

/** Findings of a session's run once it is judged, a moment after its end. All monitoring begins before the run. */
async function findingsOf(text: string, meanwhile?: () => Promise<void>): Promise<Finding[]> {
  const { client } = engine;
  const { session } = await runSession(client, text, meanwhile, { seconds: 1 });
  expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });
  const [run] = await client.sessions.runs({ id: session.id });
  for (const source of await client.monitors.sources({ sessionId: session.id }))
    expect(source, source.name).toMatchObject({ from: expect.toSatisfy((ms: number) => ms < (run?.startedAt ?? 0)) });
  const isJudged = async () => (await client.results.session({ sessionId: session.id })).cells[0]?.bound;
  await expect.poll(isJudged).toBeDefined();
  return (await client.sessions.runs({ id: session.id }))[0]?.findings ?? [];
}

const messageOf = (findings: readonly Finding[], wanted: string): string | undefined =>
  findings.find(({ code }) => code === wanted)?.message;

atNight(describe.skipIf(lacksClickHouse()))('ClickHouse', () => {
  let server: Awaited<ReturnType<typeof startClickHouse>>;
  let target: number;
  beforeAll(async () => {
    server = await startClickHouse();
    const { address, port, user, database, password } = server;
    const config = { address, port, user, database };
    const spec = { name: 'columns', kind: 'clickhouse', via: null, config };
    target = (await engine.client.targets.save({ spec, secret: password })).id;
  }, FETCH_LIMIT);
  afterAll(async () => {
    await engine.client.targets.remove({ id: target });
    await server?.stop();
  });

  it('is flagged for removing outdated parts during a run', async () => {
    // Parts are kept until the run has begun, however long that takes.
    const removeParts = async () => {
      await runClickHouse(server, ['ALTER TABLE parts MODIFY SETTING old_parts_lifetime = 1']);
    };
    const text = `kneepoint: 1
name: Removal
workload:
  tool: queries
  options:
    executions: 100000
    queries: |
      -- @prepare
      CREATE TABLE parts (k UInt32) ENGINE = MergeTree ORDER BY k
      SETTINGS old_parts_lifetime = 3600, cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1,
        max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1
      -- @prepare
      INSERT INTO parts SELECT number FROM numbers(${PARTS})
      SETTINGS max_block_size = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 1
      -- @clean-up
      DROP TABLE parts SYNC

      -- @variant sum
      SELECT sum(k), sleep(0.1) FROM parts
  data: create
where: { target: columns }
measure:
  duration: 16
  before: { statement: OPTIMIZE TABLE parts FINAL, rest: 2 }
`;
    expect(messageOf(await findingsOf(text, removeParts), 'removal-in-run')).toBe(
      `Outdated parts of columns: ${PARTS} when the run began, all of which were removed in it.`,
    );
  });
});

describe('MariaDB', () => {
  let server: DatabaseServer;
  let commands: ReturnType<typeof commanded>;
  beforeAll(async () => {
    // The buffer pool's content is not loaded at the start.
    server = await startMariaDb({ settings: { innodb_buffer_pool_load_at_startup: 'OFF' } });
    commands = commanded(server);
    await server.kill('SIGTERM');
    await addCommanded(engine.client, 'mariadb', server, commands);
  }, 120_000);
  afterAll(async () => {
    await stopServers(engine.client);
    await server?.stop();
    commands?.remove();
  });

  it('is flagged for filling its buffer pool after a restart, and not if it is full', async () => {
    const document = (before: string): string => `kneepoint: 1
name: Cold and warm
workload:
  tool: sysbench
  options: { script: oltp_point_select, threads: 4, tables: 1, table-size: 100000, rand-type: uniform, rate: 400 }
  data: create
where: { target: mariadb }
measure: { warmup: 1, duration: 8, before: { ${before} } }
`;
    const warm = await findingsOf(document('rest: 0'));
    const cold = await findingsOf(document('restart: true'));
    expect(messageOf(warm, 'cold-cache')).toBeUndefined();
    expect(messageOf(cold, 'cold-cache')).toMatch(
      /^mariadb read \d+ pages\/s from outside its cache, falling over the run, although about 22\.9 MiB of data fit into 64\.0 MiB\.$/,
    );
  });
});

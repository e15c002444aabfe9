import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Session } from '../../../src/shared/model/session.ts';
import { startMariaDb, startPostgres } from '../../testbed/databases/index.ts';
import { startEngine } from '../testing/engine.ts';
import { startKillable } from '../testing/killable-engine.ts';
import { ended, measuring, until } from '../testing/session.ts';
import { type Answers, ask, openLibrary } from './answers.ts';

const FIXTURE = { folder: 'schema-21', more: true } as const;
const fileOf = (name: string): string => path.join(import.meta.dirname, FIXTURE.folder, name);

const engine = await startEngine();
const { client } = engine;
const say = (...words: unknown[]): void => console.log(new Date().toISOString().slice(11, 19), ...words);

const run = async (
  text: string,
  meanwhile?: (id: number) => Promise<unknown>,
  holds: (session: Session) => boolean = ended,
): Promise<number> => {
  const { id } = await client.sessions.start({ text }).catch((error: { problem?: unknown }) => {
    throw new Error(`${JSON.stringify(error.problem ?? String(error), null, 1)}\n${text}`);
  });
  await meanwhile?.(id);
  await until(client, id, holds);
  await told(id);
  return id;
};
const told = async (id: number): Promise<void> => {
  const { session } = await client.sessions.get({ id });
  const runs = await client.sessions.runs({ id });
  say(id, session.name, session.state, session.message ?? '', runs.map(({ state }) => state).join(' '));
};

await client.app.unlockVault({ passphrase: randomBytes(12).toString('hex') });
const maria = await startMariaDb();
const postgres = await startPostgres();
const { address, port, user, database } = maria;
const config = { address, port, user, database, allowCleartextPassword: true };
const server = { host: 'this computer', control: { kind: 'none' } } as const;
await client.targets.save({ spec: { name: 'shop', kind: 'mysql', via: null, config, server }, secret: maria.password });
for (const name of ['books', 'books by another way']) {
  const { address, port, user, database } = postgres;
  const spec = { name, kind: 'postgres', via: null, config: { address, port, user, database }, server } as const;
  await client.targets.save({ spec, secret: postgres.password });
}

const sysbench = (name: string, factors: string, measure: string): string => `kneepoint: 1
name: sysbench, ${name}
question: What does a durable commit cost?
tags: [durability]
workload: { tool: sysbench, options: { script: oltp_update_index, tables: 1, table-size: 2000, rate: 200 } }
where: { target: shop }
${factors}measure: { warmup: 1, duration: 5, repeats: 2, ${measure} }
monitors: { statements: [{ name: threads, statement: "SELECT count(*) AS threads FROM information_schema.processlist" }] }
`;
const FLUSH = `  - name: flush
    kind: server-setting
    setting: innodb_flush_log_at_trx_commit
    levels: [1, 2]
    baseline: 1
`;
const bought = await run(
  sysbench(
    'done',
    `factors:\n${FLUSH}  - { name: threads, levels: [1, 2] }\nexclude: [{ flush: 2, threads: 1 }]\n`,
    'canary: { every: 3 }, order: rounds, blocks: rounds, events: [{ at: 3, do: server-setting, setting: max_connections, value: 222 }]',
  ),
);
await run(sysbench('done again', `factors:\n${FLUSH}  - { name: threads, levels: [2] }\n`, 'order: shuffled, seed: 7'));
await client.costs.saveConfiguration({
  spec: {
    label: 'A rented machine',
    currency: 'USD',
    components: [{ kind: 'own', label: 'Machine and disk', amount: 120, per: 'month' }],
  },
});
await client.costs.setOfSession({
  sessionId: bought,
  spec: { label: 'Bought', currency: 'USD', components: [{ kind: 'own', label: 'Machine', amount: 900, per: 'year' }] },
});

const pgbench = (name: string, levels: string): string => `kneepoint: 1
name: pgbench, ${name}
workload: { tool: pgbench, options: { scale: 1, rate: 100, client: 2 } }
where: {}
factors:
  - { name: server, kind: target, levels: [books, books by another way] }
${levels}measure: { warmup: 1, duration: 4, repeats: 2 }
monitors: { generators: false }
`;
await run(
  pgbench(
    'done',
    `  - { name: volume, kind: price, levels: [{ name: small, price: { amount: 80 } }, { name: large, price: { amount: 412.5, per: month } }] }
design: one-at-a-time
`,
  ),
);
await run(pgbench('done again', '  - { name: length, kind: duration, levels: [3, 5s] }\nonly: [{ server: books }]\n'));
await run(`kneepoint: 1
name: queries, done
workload:
  tool: queries
  options:
    executions: 5
    queries: |
      -- @prepare
      CREATE TABLE numbers (k INT)
      -- @prepare
      INSERT INTO numbers VALUES (1), (2), (3)
      -- @clean-up
      DROP TABLE numbers
      -- @variant sum
      SELECT sum(k) FROM numbers
      -- @variant most
      SELECT max(k) * 2 FROM numbers
where: { target: books }
factors: [{ name: variant, levels: [sum, most] }]
measure: { duration: 5, repeats: 2 }
`);
await run(
  `kneepoint: 1
name: observation, done
workload: { tool: observation }
where: { target: shop }
measure: { duration: 12 }
monitors: { commands: [{ name: clock, command: 'while :; do echo "ticks: $(date +%S)"; sleep 1; done', pattern: 'ticks: (?<ticks>[0-9]+)' }] }
`,
  async (id) => {
    for await (const event of client.sessions.watch({ id }))
      if (event.kind === 'run' && event.run.state === 'running' && event.run.seconds >= 5) break;
    await client.sessions.addNote({ id, message: 'The upgrade begins.' });
  },
);
await run(`kneepoint: 1
name: command, done
workload:
  tool: command
  options:
    command: 'for i in 1 2 3; do echo "rate: $(({threads} * 10 + i))"; sleep 1; done; exit $(({threads} / 3))'
    pattern: 'rate: (?<rate>[0-9]+)'
    metrics: rate = ops
where: {}
factors: [{ name: threads, levels: [1, 2, 3] }]
measure: { duration: 3 }
monitors: { generators: false }
`);
await maria.stop();
await postgres.stop();

const FACTORS = `factors:
  - { name: synchronous, levels: ["OFF", "FULL"], baseline: "OFF" }
  - { name: threads, levels: [1, 2] }
`;
interface Embedded {
  factors?: string;
  measure?: string;
  monitors?: string;
}
const embedded = (
  name: string,
  { factors = FACTORS, measure = 'repeats: 1', monitors = '{ generators: false }' }: Embedded = {},
): string => `kneepoint: 1
name: embedded, ${name}
question: What does it cost to be sure?
tags: [fixture]
workload: { tool: embedded, options: { records: 500, rate: 300 } }
where: {}
${factors}measure: { duration: 2, warmup: 1, ${measure} }
monitors: ${monitors}
`;
await run(embedded('done', { measure: 'repeats: 2', monitors: '{}' }));
await run(
  embedded('rounds', {
    factors: `${FACTORS}design: one-at-a-time\n`,
    measure: 'repeats: 4, order: interleaved, pick: median, pause: 1',
  }),
);
await run(
  embedded('mixed', {
    factors: `factors:
  - { name: load, kind: workload, levels: [{ name: reads, options: { mix: C } }, { name: updates, options: { mix: A } }] }
  - { name: synchronous, levels: ["OFF", "FULL"], when: { load: updates } }
  - { name: files, kind: tool-limits, limit: open-files, levels: [1024, 4096] }
`,
  }),
);
const grown = await run(embedded('grown'));
await client.sessions.addLevels({ id: grown, factor: 'threads', levels: [3, 4], beside: [0] });
await until(client, grown, ended);
await client.sessions.addRepeats({ id: grown, repeats: 1, cells: [0, 3, 4] });
await until(client, grown, ended);
await told(grown);
const repeated = await run(embedded('repeated'));
const runs = await client.sessions.runs({ id: repeated });
await client.sessions.repeat({ id: repeated, runIds: [runs[1]?.id ?? 0], reason: 'A backup ran beside it.' });
await until(client, repeated, ended);
await client.sessions.addRepeats({ id: repeated, repeats: 2 });
await until(client, repeated, ended);
await client.sessions.exclude({ id: repeated, runIds: [runs[3]?.id ?? 0], reason: 'The first trial after a start.' });
await told(repeated);
await run(
  embedded('paused', { factors: `${FACTORS}exclude: [{ synchronous: FULL, threads: 2 }]\n`, measure: 'repeats: 2' }),
  async (id) => {
    await measuring(client, id, 2);
    await client.sessions.addNote({ id, message: 'The machine is needed elsewhere.' });
    await client.sessions.pause({ id });
  },
  ({ state }) => state === 'paused',
);
const paused = await run(embedded('grown and paused'));
await client.sessions.addLevels({ id: paused, factor: 'threads', levels: [3], beside: [0, 1] });
await measuring(client, paused, 5);
await client.sessions.pause({ id: paused });
await until(client, paused, ({ state }) => state === 'paused');
await told(paused);
const stopped = await run(embedded('stopped'), async (id) => {
  await measuring(client, id, 1);
  await client.sessions.stop({ id });
});
await client.sessions.edit({ id: stopped, note: 'Stopped by hand.', tags: ['fixture', 'by hand'], archived: true });
const damaged = (await client.sessions.runs({ id: await run(embedded('damaged', { measure: 'repeats: 2' })) })).map(
  ({ id }) => id,
);
await client.experiments.save({ text: embedded('saved') });
// What was watched is judged a moment after the end.
for (const { id } of await client.sessions.list({})) await client.results.judgements({ sessionId: id });
await engine.stop();

const killable = startKillable(engine.dataDir);
const { id: interrupted } = await killable.client.sessions.start({
  text: embedded('interrupted', { measure: 'repeats: 1' }),
});
await measuring(killable.client, interrupted, 1);
await killable.kill();

const file = path.join(engine.dataDir, 'library.db');
const db = new Database(file);
// A byte of the samples of one trial, and of the output of another one.
for (const [tables, owner, owners, run] of [
  [['chunk', 'tail'], 'feed_id', 'feed', damaged[1]],
  [['raw'], 'stream_id', 'stream', damaged[4]],
] as const)
  for (const table of tables) {
    const found = `FROM ${table} WHERE ${owner} IN (SELECT id FROM ${owners} WHERE run_id = ?) AND length(data) > 8`;
    const block = db.prepare<[unknown], Buffer>(`SELECT data ${found} LIMIT 1`).pluck().get(run);
    if (!block) continue;
    const changed = Buffer.from(block);
    const middle = Math.floor(changed.length / 2);
    changed[middle] = (changed[middle] ?? 0) ^ 0xff;
    const { changes } = db.prepare(`UPDATE ${table} SET data = ? WHERE data = ?`).run(changed, block);
    say(table, 'damaged', changes);
    break;
  }
db.pragma('wal_checkpoint(TRUNCATE)');
db.exec('VACUUM');
say('schema', db.pragma('user_version', { simple: true }));
db.close();
const library = gzipSync(readFileSync(file), { level: 9 });
writeFileSync(fileOf('library.db.gz'), library);
say('library', library.length);

const answered = async (): Promise<Answers> => {
  const reader = await openLibrary(FIXTURE);
  const answers = await ask(reader.client, FIXTURE);
  await reader.close();
  return answers;
};
const answers = await answered();
const again = await answered();
for (const name of Object.keys(answers)) if (!isDeepStrictEqual(answers[name], again[name])) say('NOT THE SAME:', name);
const packed = gzipSync(JSON.stringify(answers), { level: 9 });
writeFileSync(fileOf('answers.json.gz'), packed);
say('answers', Object.keys(answers).length, packed.length);
process.exit(0);

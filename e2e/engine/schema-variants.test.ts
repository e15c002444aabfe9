import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { atNight, byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startMariaDb } from '../testbed/databases/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { runSession } from './testing/hosts-bed.ts';

let engine: TestEngine;
let server: DatabaseServer;
beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
  server = await startMariaDb({ settings: { general_log: 1, log_output: 'TABLE' } });
  const { address, port, user, database, password } = server;
  const config = { address, port, user, database };
  await engine.client.targets.save({ spec: { name: 'mariadb', kind: 'mysql', via: null, config }, secret: password });
});
afterAll(async () => {
  await engine?.close();
  await server?.stop();
});

/** Queried without Kneepoint. */
async function ask(question: string): Promise<RowDataPacket[]> {
  const { address: host, port, user, password, database } = server;
  const client = await createConnection({ host, port, user, password, database });
  try {
    return (await client.query<RowDataPacket[]>(question))[0];
  } finally {
    await client.end();
  }
}

/** The current variant of the table: variants are alternatives. */
async function variantNow(): Promise<string> {
  const [row] = await ask(`SELECT
    (SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'by_pad') AS indexed,
    (SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = DATABASE()) AS triggers,
    (SELECT row_format FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'sbtest1') AS format`);
  const { indexed, triggers, format } = row as RowDataPacket;
  return (
    `${indexed ? 'index' : ''}${triggers ? 'trigger' : ''}${format === 'Compressed' ? 'compressed' : ''}` || 'plain'
  );
}

async function expectAsLoaded(): Promise<void> {
  expectSame('the table', await variantNow(), 'plain');
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);
}

/** Statements received by the server, oldest first. */
const sent = async (like: string): Promise<string[]> =>
  (await ask(`SELECT argument FROM mysql.general_log WHERE command_type = 'Query' AND argument LIKE '${like}'`)).map(
    ({ argument }) => String(argument),
  );

const FORMAT =
  "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'sbtest1' AND row_format = 'Compressed'";
const INDEX =
  "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'by_pad'";
const TRIGGER =
  "SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = DATABASE() AND trigger_name = 'audit'";
const LEVELS = {
  plain: '{ name: plain }',
  index: `{ name: index, statements: ['CREATE INDEX by_pad ON sbtest1 (pad)'], undo: ['DROP INDEX IF EXISTS by_pad ON sbtest1'], check: "${INDEX}" }`,
  trigger: `name: trigger
        statements: ['CREATE TABLE audit (id INT)', 'CREATE TRIGGER audit AFTER UPDATE ON sbtest1 FOR EACH ROW INSERT INTO audit VALUES (NEW.id)']
        undo: ['DROP TRIGGER IF EXISTS audit', 'DROP TABLE IF EXISTS audit']
        check: "${TRIGGER}"`,
  compressed: `{ name: compressed, statements: ['ALTER TABLE sbtest1 ROW_FORMAT=COMPRESSED'], undo: ['ALTER TABLE sbtest1 ROW_FORMAT=DYNAMIC'], check: "${FORMAT}" }`,
};
const document = (data: string, schemas: readonly (keyof typeof LEVELS)[], more: string): string => `kneepoint: 1
name: Variants of a table
workload: { tool: sysbench, data: ${data}, options: { script: oltp_update_non_index, tables: 1, table-size: 200, rate: 20 } }
monitors: { generators: false, place: false }
where: { target: mariadb }
factors:
  - name: schema
    kind: data
    levels:
${schemas.map((name) => `      - ${LEVELS[name]}\n`).join('')}${more}`;

it('creates the data and each variant once for all repeats, and restores the loaded table', async () => {
  // Variants created by one statement use the same code path.
  const schemas = byDay(['plain', 'index', 'trigger', 'compressed'] as const, (name) => name !== 'compressed');
  const trials = 2 * schemas.length;
  const text = document('create', schemas, 'measure: { duration: 2, repeats: 2 }\n');
  const { plan, problems } = await engine.client.experiments.check({ text });
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ loads: 1 });

  const seen: [unknown, string][] = [];
  const { session, runs } = await runSession(engine.client, text, async ({ levels }) => {
    seen.push([levels.schema, await variantNow()]);
  });
  expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: trials, trialsFailed: 0 });
  expect(seen).toHaveLength(trials);
  for (const [level, there] of seen) expect(there).toBe(level);
  for (const { levels, facts = [] } of runs)
    expect(facts.map(({ what, found }) => [what, found ?? 'plain'])).toEqual([['variant of schema', levels.schema]]);

  const made = {
    plain: 'CREATE TABLE sbtest1%',
    index: 'CREATE INDEX by_pad%',
    trigger: 'CREATE TRIGGER audit%',
    compressed: '%ROW_FORMAT=COMPRESSED',
  };
  for (const statement of schemas.map((name) => made[name]))
    expectSame(`times that ${statement} was sent`, (await sent(statement)).length, 1);
  await expectAsLoaded();
  expectSame('tables of the variants', await ask("SHOW TABLES LIKE 'audit'"), []);
});

atNight(it)(
  'creates data of another size if a level needs it, as often as planned, with the variant of the cell',
  async () => {
    const sizes = '{ name: small, options: { table-size: 100 } }, { name: large, options: { table-size: 300 } }';
    const text = document(
      'recreate',
      ['plain', 'index'],
      `  - { name: size, kind: data, levels: [${sizes}] }\nmeasure: { duration: 2 }\n`,
    );
    const { plan, problems } = await engine.client.experiments.check({ text });
    expect(problems).toEqual([]);
    const before = (await sent('CREATE TABLE sbtest1%')).length;
    const seen: unknown[] = [];
    const { session } = await runSession(engine.client, text, async ({ levels }) => {
      const [row] = await ask('SELECT COUNT(*) AS n FROM sbtest1');
      seen.push({ ...levels, there: `${await variantNow()} ${row?.n}` });
    });
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 4, trialsFailed: 0 });
    expect(seen).toEqual([
      { schema: 'plain', size: 'small', there: 'plain 100' },
      { schema: 'plain', size: 'large', there: 'plain 300' },
      { schema: 'index', size: 'small', there: 'index 100' },
      { schema: 'index', size: 'large', there: 'index 300' },
    ]);
    const loads = (await sent('CREATE TABLE sbtest1%')).length - before;
    expectSame('times that data was made', loads, plan?.estimate?.loads);
    await expectAsLoaded();
  },
);

atNight(it)('recreates data for each level of a setting that tables take at creation', async () => {
  const text = (data: string): string => `kneepoint: 1
name: Row formats
workload: { tool: sysbench, data: ${data}, options: { script: oltp_read_only, tables: 1, table-size: 200, rate: 20 } }
where: { target: mariadb }
factors: [{ name: format, kind: server-setting, setting: innodb_default_row_format, levels: [compact, dynamic] }]
measure: { duration: 2, repeats: 2, order: rounds }
monitors: { generators: false, place: false }
`;
  const refused = await engine.client.experiments.check({ text: text('create') });
  expect(refused.problems.map(({ message }) => message).join()).toContain(
    '“innodb_default_row_format = compact” applies only when data is created.',
  );
  const { plan, problems } = await engine.client.experiments.check({ text: text('recreate') });
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ loads: 2 });
  const before = (await sent('CREATE TABLE sbtest1%')).length;
  const seen: [unknown, string][] = [];
  const { session } = await runSession(engine.client, text('recreate'), async ({ levels }) => {
    const [row] = await ask(
      "SELECT row_format AS format FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'sbtest1'",
    );
    seen.push([levels.format, String(row?.format).toLowerCase()]);
  });
  expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 4, trialsFailed: 0 });
  expect(seen).toHaveLength(4);
  for (const [level, there] of seen) expectSame('row format of the table', there, level);
  expectSame('times that data was made', (await sent('CREATE TABLE sbtest1%')).length - before, 2);
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);
});

it('measures no trial under a setting that the tables did not take', async () => {
  // A database with its own default, as most have: its tables ignore the server's.
  const [own, other] = ['latin1_swedish_ci', 'utf8mb4_bin'];
  await ask(`ALTER DATABASE ${server.database} COLLATE = ${own}`);
  const text = `kneepoint: 1
name: Collations
workload: { tool: sysbench, data: recreate, options: { script: oltp_read_only, tables: 1, table-size: 200, rate: 20 } }
where: { target: mariadb }
factors: [{ name: collation, kind: server-setting, setting: collation_server, levels: [${own}, ${other}] }]
measure: { duration: 2 }
monitors: { generators: false, place: false }
`;
  const { session, runs } = await runSession(engine.client, text);
  expect(session).toMatchObject({ state: 'done', trialsFailed: 1 });
  expect(runs.map(({ state }) => state)).toEqual(['done', 'failed']);
  expect(runs[1]?.message).toContain(
    `“collation_server” is “${other}” on server “mariadb”, but tables of the trial have “${own}”`,
  );
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);
});

it('stores the warnings of the start with the session: a cell opens more connections than the server accepts', async () => {
  const [row] = await ask("SHOW VARIABLES LIKE 'max_connections'");
  const most = Number(row?.Value);
  const text = `kneepoint: 1
name: More than fit
workload: { tool: sysbench, data: recreate, options: { script: oltp_read_only, tables: 1, table-size: 200, rate: 20 } }
where: { target: mariadb }
factors: [{ name: threads, levels: [1, ${2 * most}] }]
measure: { duration: 2, order: listed }
monitors: { generators: false, place: false }
`;
  const { session, runs } = await runSession(engine.client, text);
  expect(runs.map(({ state }) => state)).toEqual(['done', 'failed']);
  const { findings } = await engine.client.sessions.get({ id: session.id });
  expect(findings).toContainEqual(
    expect.objectContaining({
      ...{ code: 'max-connections', severity: 'warn', evidence: `max_connections = ${most}` },
      message: expect.stringContaining(`${2 * most}, where ${most} are allowed`),
    }),
  );
});

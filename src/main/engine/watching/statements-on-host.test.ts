import { afterEach, beforeEach, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import type { TargetSession } from '../targets/target.ts';

skipPauses();

const DOCUMENT = `kneepoint: 1
name: Of a test
workload: { tool: fake }
where: { generators: [one], target: db }
measure: { duration: 1 }
monitors:
  server: false
  statements:
    - { name: orders, statement: SELECT 1 AS open, counters: [open] }
    - { name: missing, statement: SELECT 1 FROM nowhere }
`;

/** A result as the client prints it: its place, the table as XML, and the length of both. Without `table`, it has none. */
function line(t: number, place: number, table?: Readonly<Record<string, number>>): string {
  const fields = Object.entries(table ?? {}).map(([name, value]) => `\t<field name="${name}">${value}</field>`);
  const answer = table
    ? ['<resultset statement="EXECUTE kneepoint">', '  <row>', ...fields, '  </row>', '</resultset>']
    : [];
  const text = [`\t<field name="kneepoint-begin">${place}</field>`, ...answer].map((row) => `${row}\x1e`).join('');
  return `${t.toFixed(2)} ${text}${text.length}\n`;
}

let bed: SessionBed;
let hasProgram: boolean;
/** Queries over the app's connection. */
let direct: string[];

beforeEach(() => {
  bed = new SessionBed();
  bed.monitors = { servers: true };
  bed.readClock = async () => ({ offsetMs: 50_000, roundTripMs: 1 });
  bed.addServer();
  hasProgram = true;
  direct = [];
  const { targets } = bed;
  const shown = { kind: 'mysql', host: '127.0.0.1', port: 3306 } as const;
  bed.targets = {
    ...targets,
    shown: (name) => (targets.shown(name) ? shown : undefined),
    open: async (name, signal) => {
      const session = await targets.open(name, signal);
      return session && { ...session, ...ANSWERS };
    },
  };
  bed.crash();
});
afterEach(() => bed.close());

const ANSWERS: Pick<TargetSession, 'sample' | 'sampleStatement' | 'statementsOnHost'> = {
  sample: async () => ({ metrics: {} }),
  sampleStatement: async (statement) => {
    bed.now += 1000;
    direct.push(statement);
    if (statement.includes('nowhere'))
      throw new KneepointError({ code: 'change-refused', message: 'There is no table nowhere.' });
    return { open: 7 };
  },
  statementsOnHost: async (statements) =>
    hasProgram
      ? { script: statements.join(), files: [{ name: 'my.cnf', content: 'password=x', mode: 0o600, secret: true }] }
      : undefined,
};

const clients = (): FakeJob[] => bed.jobs.all.filter(({ spec }) => spec.files.some(({ name }) => name === 'sample.sh'));
const sourceOf = (id: number, name: string) => bed.store.sources.ofSession(id).find((source) => source.name === name);
const stored = (id: number, name = 'orders'): number[] => {
  const source = sourceOf(id, name)?.id ?? 0;
  return [...(bed.store.monitored.columns(source, ['open']).columns.get('open') ?? [])];
};
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
async function client(number = 1): Promise<FakeJob> {
  await until(() => clients().length === number);
  return clients()[number - 1] as FakeJob;
}
async function finish(id: number): Promise<void> {
  const trial = await bed.running(id, 0);
  trial.print('1 100\n');
  trial.end(0);
  await bed.sessions.settled(id);
}

it('the client on the server host runs custom statements, without a link and while the app is closed', async () => {
  const { id } = bed.sessions.start(DOCUMENT);
  const job = await client();
  job.print('1795000000 100 0 0\n', 'index');
  job.print(line(100, 0, { open: 1 }));
  job.print(`100.00 ERROR 1146 (42S02) at line 8: no table\n${line(100, 1)}`);
  await until(() => sourceOf(id, 'missing')?.problem === 'There is no table nowhere.');
  expect(sourceOf(id, 'orders')?.problem).toBeUndefined();
  bed.machines.get('one').cut();
  job.print(line(101, 0, { open: 2 }) + line(101, 1));
  bed.machines.get('one').restore();
  await until(() => stored(id).length === 2);
  await bed.running(id, 0);
  await bed.reopen();
  job.print(line(102, 0, { open: 3 }) + line(102, 1, { open: 30 }));
  await bed.sessions.resume(id);
  await until(() => stored(id).length === 3 && stored(id, 'missing').length === 1);
  await until(() => sourceOf(id, 'missing')?.problem === undefined);
  expect(sourceOf(id, 'orders')?.about).toMatchObject({
    host: 'one',
    rules: [{ id: 'open', reading: { kind: 'rate', of: ['open'] } }],
  });
  await finish(id);
  expect([stored(id), stored(id, 'missing')]).toEqual([[1, 2, 3], [30]]);
  for (const name of ['orders', 'missing'])
    expect(bed.store.sources.clocks(sourceOf(id, name)?.id ?? 0).length).toBeGreaterThan(0);
  expect(clients()).toHaveLength(1);
  expect(direct).not.toContain('SELECT 1 AS open');
  expect(bed.store.journal.open({ kind: 'host', name: 'one' })).toEqual([]);
});

it('values up to the end of a session are fetched after the app ended before they arrived', async () => {
  const { id } = bed.sessions.start(DOCUMENT);
  const job = await client();
  job.print(line(100, 0, { open: 1 }));
  await until(() => stored(id).length === 1);
  // While this engine lives, it waits for the end of the client.
  job.onStop = () => {};
  const trial = await bed.running(id, 0);
  trial.print('1 100\n');
  trial.end(0);
  await until(() => bed.row(id).state === 'done');
  await bed.reopen();
  job.onStop = (cause) => {
    job.print(line(101, 0, { open: 2 }) + line(101, 1, { open: 20, late: 5 }));
    job.end(143, cause);
  };
  bed.machines.get('one').cut();
  bed.machines.get('one').restore();
  await until(() => stored(id, 'missing').length === 1);
  expect([stored(id), job.status.state, direct]).toEqual([[1, 2], 'ended', []]);
  expect(sourceOf(id, 'missing')?.about?.rules?.map((rule) => rule.id)).toEqual(['open', 'late']);
});

it('statements run over the connection if the client cannot run them, with a message', async () => {
  hasProgram = false;
  const { id } = bed.sessions.start(DOCUMENT);
  await until(() => stored(id).length > 1);
  const words = sourceOf(id, 'orders')?.problem ?? '';
  expect(words).toContain('Read over Kneepoint’s own connection');
  await until(() => sourceOf(id, 'missing')?.problem === `${words} There is no table nowhere.`);
  expect(sourceOf(id, 'orders')?.about).toMatchObject({ direct: words });
  await finish(id);
  expect(clients()).toEqual([]);
});

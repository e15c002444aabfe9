import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { type DatabaseServer, startMariaDb } from '../testbed/databases/index.ts';
import { jobOutputs } from './testing/database-bed.ts';
import { type HostsBed, runSession, startHostsBed } from './testing/hosts-bed.ts';

const NAMES = ['gen1', 'gen2', 'gen3'];

let bed: HostsBed;
let server: DatabaseServer;
beforeAll(async () => {
  bed = await startHostsBed(NAMES);
  server = await startMariaDb({ address: bed.address });
  const { address, port, user, database, password } = server;
  const config = { address, port, user, database, allowCleartextPassword: true };
  await bed.addTarget({ name: 'mariadb', kind: 'mysql', via: 'gen1', config }, password);
});
afterAll(async () => {
  await server?.stop();
  await bed?.close();
});

interface Output {
  readonly threads: number;
  readonly transactions: number;
}

/** The output of each run of sysbench on a host, oldest first. */
function outputsOn(name: string): Output[] {
  const texts = [...jobOutputs(bed.host(name)).values()]
    .map(String)
    .filter((text) => text.includes('Threads started!'));
  const figure = (text: string, of: RegExp): number => Number(of.exec(text)?.[1]);
  return texts.map((text) => ({
    threads: figure(text, /Number of threads: (\d+)/),
    transactions: figure(text, /transactions:\s+(\d+)/),
  }));
}

it('measures the same load from one, two and three hosts, and sums what their tools report', async () => {
  const text = `kneepoint: 1
name: Number of generators
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 200, threads: 6, rate: 60 } }
where: { generators: [${NAMES.join(', ')}], target: mariadb }
factors: [{ name: hosts, kind: generators, levels: [1, 2, 3] }]
measure: { duration: 2 }
`;
  const { plan, problems, commands = [] } = await bed.client.experiments.check({ text });
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ loads: 1 });
  expect(commands.map((each) => [...each.matchAll(/--threads=(\d+)/g)].map(([, count]) => Number(count)))).toEqual([
    [6],
    [3, 3],
    [2, 2, 2],
  ]);
  const { session, runs } = await runSession(bed.client, text);
  expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 3, trialsFailed: 0 });

  const outputs = NAMES.map(outputsOn);
  const launched = outputs.map((all) => all.map(({ threads }) => threads).toSorted());
  expectSame('threads of each launch on each host', launched, [[2, 3, 6], [2, 3], [2]]);
  const { cells } = await bed.client.results.session({ sessionId: session.id });
  for (const [index, { levels, summary, generators = [], seconds }] of runs.entries()) {
    const count = Number(levels.hosts);
    const own = outputs.slice(0, count).map((all) => all.find(({ threads }) => threads === 6 / count));
    const totals = own.map((output) => output?.transactions ?? Number.NaN);
    const sum = totals.reduce((sum, total) => sum + total, 0);
    expectSame('transactions of all generators', summary.transactions_total, sum);
    expectSame(
      'transactions of each generator',
      generators.map(({ host, summary }) => [host, summary.transactions_total]),
      count === 1 ? [] : totals.map((total, at) => [NAMES[at], total]),
    );
    expect(seconds).toBeGreaterThan(0);
    const cell = cells[index];
    expect([cell?.levels, cell?.generators?.length ?? 1]).toEqual([{ hosts: count }, count]);
    // The mean of its seconds corresponds to the total: neither only one host's part nor a part counted twice.
    expect((cell?.value ?? Number.NaN) / ((summary.transactions_total ?? Number.NaN) / 2)).toBeCloseTo(1, 0);
  }
});

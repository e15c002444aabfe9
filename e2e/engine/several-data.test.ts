import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import type { Run } from '../../src/shared/model/session.ts';
import { NIGHT } from '../../src/shared/util/testing/depth.ts';
import { hasCompiler, ycsbWith } from '../testbed/ycsb/index.ts';
import { SeveralBed } from './testing/several-bed.ts';

let bed: SeveralBed;
let directory = '';
const document = (table: string, options: string, more = ''): string => `kneepoint: 1
name: Data that trials use up
workload:
  tool: ycsb${more}
  options: { binding: jdbc, jdbc-driver: mariadb, directory: ${directory}, table: ${table}, fieldcount: 2, fieldlength: 10, load-threads: 2, threads: 2, jvm-arguments: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC', ${options} }
where: { generators: [gen1, gen2], target: mariadb }
measure: { warmup: 0, duration: 6, repeats: 2, pause: 0 }
`;
/** As many reads as inserts, at a rate that leaves processors for others. */
const MIX =
  'workload: own, readproportion: 0.5, updateproportion: 0, insertproportion: 0.5, recordcount: 300, target: 100';

async function trials(text: string): Promise<Run[]> {
  const { id } = await bed.client.sessions.start({ text });
  await bed.ended(id);
  const runs = await bed.client.sessions.runs({ id });
  expect(runs.map(({ state, message }) => [state, message])).toEqual(runs.map(() => ['done', undefined]));
  return runs;
}

/** Rows currently in a table. */
async function rowsOf(table: string): Promise<number | null | undefined> {
  const sets = await bed.client.dataSets.list({});
  const set = sets.find((each) => each.kind === 'tables' && each.tables.some(({ name }) => name === table));
  if (!set) throw new Error(`Nothing is known of ${table}.`);
  const counted = await bed.client.dataSets.look({ kind: 'tables', id: set.id });
  return counted.kind === 'tables' ? counted.tables[0]?.found : undefined;
}

const sumOf = ({ generators = [] }: Run, key: string): number =>
  generators.reduce((sum, { summary }) => sum + (summary[key] ?? 0), 0);

// If nothing may be skipped, its absence is a failure.
describe.skipIf(!hasCompiler() && process.env.CI !== 'true')('YCSB on two hosts', () => {
  beforeAll(async () => {
    directory = await ycsbWith('jdbc');
    bed = await SeveralBed.start();
  }, 180_000);
  afterAll(() => bed?.close());

  it('inserts records in parallel, reads only existing ones, and starts each trial on new data', async () => {
    const text = document('shared', `${MIX}, requestdistribution: zipfian`);
    expect((await bed.client.experiments.check({ text })).plan?.findings.map(({ code }) => code)).toContain(
      'data-each-trial',
    );
    const runs = await trials(text);
    expect(runs).toHaveLength(2);
    for (const run of runs) {
      expect(run.generators?.map(({ summary }) => (summary.read_return_ok_total ?? 0) > 0)).toEqual([true, true]);
      for (const { summary } of run.generators ?? []) {
        const bad = Object.keys(summary).filter((key) => /return_(?!ok)/.test(key));
        expect(bad).toEqual([]);
      }
    }
    const [, last] = runs;
    expectSame('rows', await rowsOf('shared'), 300 + sumOf(last as Run, 'insert_return_ok_total'));
  });

  // By day, ycsb/mongodb.servers.test.ts covers them without hosts.
  if (NIGHT)
    it('loads ranges of keys in parallel, again in each trial', async () => {
      // It ends once everything is loaded.
      const runs = await trials(
        document('loaded', 'phase: load, recordcount: 401').replace('duration: 6', 'duration: 120'),
      );
      expectSame(
        'records loaded in each trial',
        runs.map((run) => sumOf(run, 'insert_return_ok_total')),
        [401, 401],
      );
      expectSame('rows', await rowsOf('loaded'), 401);
    });

  it('reports unsupported combinations before the start', async () => {
    const newest = await bed.client.experiments.check({ text: document('shared', 'workload: D') });
    expect(newest.problems).toMatchObject([
      { path: 'where.generators', message: expect.stringContaining('requestdistribution latest') },
    ]);
    const text = document('shared', MIX, '\n  data: keep');
    const forbids = expect.stringContaining('data: keep does not allow');
    expect((await bed.client.experiments.check({ text })).problems).toMatchObject([
      { path: 'workload.data', message: forbids },
    ]);
    let lines: PreflightLine[] = [];
    for await (lines of bed.client.experiments.preflight({ text }));
    expect(lines).toMatchObject([{ id: 'document', state: 'block', finding: { message: forbids } }]);
  });
});

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseCatalogue } from '../../../shared/costs/index.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { type FakeServer, SessionBed } from '../session/testing/session-bed.ts';

let bed: SessionBed;
let server: FakeServer;
beforeEach(() => {
  bed = new SessionBed();
  server = bed.addServer();
});
afterEach(() => bed.close());

const pass = (seconds: number): void => {
  bed.now += seconds * 1000;
  bed.monotonic += seconds * 1000;
};
const measures =
  (seconds: number) =>
  (job: FakeJob): void => {
    pass(seconds);
    job.print('1 100\n');
    job.end(0);
  };
const documentOf = (rows: number, target = ', target: db', data = 'create'): string => `kneepoint: 1
name: Of a test
workload: { tool: fake, data: ${data}, options: { rows: ${rows} } }
where: { generators: [one]${target} }
measure: { warmup: 2, duration: 8, repeats: 3 }
`;
const estimateOf = (text: string) => bed.check(text).plan?.estimate;

/** Facts take 4 s, the data 40 s, and each trial 6 s in addition to its 10 s of load, all on the fake clock. */
async function run(rows: number): Promise<number> {
  const { readFacts } = bed;
  bed.readFacts = async (...asked) => {
    pass(4);
    return readFacts(...asked);
  };
  bed.script.push(
    (job) => {
      pass(40);
      server.rows.set('things', rows);
      job.end(0);
    },
    measures(16),
    measures(16),
    measures(16),
  );
  const { id } = bed.sessions.start(documentOf(rows));
  await bed.sessions.settled(id);
  expect(bed.row(id)).toMatchObject({ state: 'done', message: null });
  return id;
}

it('reports an unknown time for data of unknown size, with its assumptions', () => {
  const estimate = estimateOf(documentOf(500));
  expect(estimate).toMatchObject({ load: 30, overhead: 9, pauses: 0, preparing: 'unknown', sessions: [] });
  expect(estimate).not.toHaveProperty('prepare');
});

it('learns data, facts and overhead of trials from a session of the same kind', async () => {
  const id = await run(500);
  const again = estimateOf(documentOf(500, undefined, 'recreate'));
  expect(again).toMatchObject({ prepare: 40, start: 4, overhead: 18, preparing: 'learned', sessions: [id] });
  expect(bed.check(documentOf(500, undefined, 'recreate')).plan?.seconds).toBe(4 + 40 + 30 + 18);
  expect(bed.log(id).map(({ message }) => message)).toContain('Prepared 500 rows in 40 s.');
});

it('estimates no time for existing data', async () => {
  await run(500);
  expect(estimateOf(documentOf(500))).toMatchObject({ prepare: 0, preparing: 'there' });
});

it('estimates time and trials before a target is chosen', () => {
  const { plan, problems } = bed.check(documentOf(500, ''));
  expect(problems).toHaveLength(1);
  expect(plan).toMatchObject({ seconds: 41, estimate: { load: 30 } });
  expect(plan?.trials).toHaveLength(3);
});

it('estimates the matrix even with an invalid option', () => {
  const wrong = bed.check(documentOf(500).replace('rows: 500', 'rows: many'));
  expect(wrong.plan).toBeUndefined();
  expect(wrong.outline).toEqual({ cells: 1, trials: 3, seconds: 39 });
});

it('determines the remaining time, without the steps before the first trial', async () => {
  await run(500);
  bed.readFacts = async () => {
    throw new Error('The test ends here.');
  };
  const { id } = bed.sessions.start(documentOf(500, undefined, 'recreate'));
  expect(bed.row(id).plannedSeconds).toBe(30 + 18);
  await bed.sessions.settled(id);
});

it('counts data once for all variants based on it, and for each variant if it is recreated', () => {
  const level = (name: string) =>
    `{ name: ${name}, statements: [make ${name}], undo: [drop ${name}], check: has ${name} }`;
  const factor = `factors: [{ name: schema, kind: data, levels: [{ name: plain }, ${level('index')}, ${level('trigger')}] }]\n`;
  const loads = (data: string) =>
    estimateOf(documentOf(500, undefined, data).replace('measure:', `${factor}measure:`))?.loads;
  expect([loads('create'), loads('recreate'), loads('keep')]).toEqual([1, 3, undefined]);
});

it('counts runs limited by operations, at the rate of earlier sessions if any', async () => {
  const text = documentOf(0, '').replace('rows: 0', 'operations: 40000').replace('duration: 8', 'duration: 36000');
  expect(estimateOf(text)).toMatchObject({ load: 60 });
  bed.script.push(measures(5), measures(5), measures(5));
  const { id } = bed.sessions.start(text);
  await bed.sessions.settled(id);
  expect(bed.row(id)).toMatchObject({ state: 'done', message: null });
  expect(estimateOf(text)).toMatchObject({ load: 15 });
  expect(estimateOf(text.replace('40000', '4000000000'))).toMatchObject({ load: 3 * 36_002 });
});

it('reports level prices that cannot be bought, once each, and stores them with the session', async () => {
  bed.catalogue = parseCatalogue(
    JSON.parse(readFileSync(`${import.meta.dirname}/../../../../assets/prices/catalogue.json`, 'utf8')),
  );
  const disk = (name: string, type: string, more = ''): string =>
    `{name: ${name}, price: {components: [{kind: volume, id: aws/us-east-1/volumes/${type}, sizeGb: 100${more}}]}}`;
  const doubts = async (...levels: string[]): Promise<(readonly [severity: string, message: string])[]> => {
    const text = `${documentOf(500)}factors: [{name: size, levels: [1, 2]}, {name: disk, kind: price, levels: [${levels.join(', ')}]}]\n`;
    const found = bed.check(text).plan?.findings.filter(({ code }) => code === 'price-doubtful') ?? [];
    const { id } = bed.sessions.start(text);
    expect(bed.store.sessions.snapshot(id).findings).toEqual(expect.arrayContaining(found));
    await bed.sessions.stop(id);
    return found.map(({ severity, message }) => [severity, message]);
  };
  expect(
    await doubts(
      disk('right', 'gp3', ', iops: 5000'),
      disk('unbought', 'io1'),
      disk('small', 'io1', ', iops: 9000'),
      disk('gp2', 'gp2', ', iops: 200'),
      disk('typo', 'io9'),
    ),
  ).toEqual([
    ['warn', expect.stringMatching(/^Price of “unbought”: .* includes no IOPS.* 100 to 5,000 for 100 GB\.$/)],
    [
      'warn',
      expect.stringMatching(/^Price of “small”: .* at most 5,000 IOPS, 50 per GB.*180 GB are needed for that\)\.$/),
    ],
    [
      'warn',
      expect.stringMatching(/^Price of “gp2”: .* gives 300 IOPS, not 200: .* not sold separately\. Omit IOPS\.$/),
    ],
    [
      'warn',
      expect.stringMatching(/^Price of “typo”: The price catalogue has no entry aws\/us-east-1\/volumes\/io9\.$/),
    ],
  ]);
});

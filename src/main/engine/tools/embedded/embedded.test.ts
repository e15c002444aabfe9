import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { accessShares } from '../accesses.ts';
import { embeddedTool } from './index.ts';
import { embeddedOptions, recordAccesses } from './options.ts';
import { type Distribution, keyChooser, randomOf } from './program/keys.ts';
import { settingsOf } from './program/settings.ts';

const planned = (options: Record<string, unknown>, path?: string) =>
  embeddedTool.plan({
    options: embeddedTool.options.parse(options),
    connection: path === undefined ? { kind: 'sqlite' } : { kind: 'sqlite', path },
    warmup: 1,
    duration: 8,
    seed: 5_000_000_000,
    nodePath: '/opt/node',
    assetsDir: '/opt/kneepoint/',
  });

test('the program accepts every option that the plan writes', () => {
  const { run } = planned({
    mix: 'D',
    threads: 4,
    synchronous: 'NORMAL',
    rate: 10.5,
    directory: '/srv/data disk',
    records: 77,
  });
  expect(run.argv.slice(0, 2)).toEqual(['/opt/node', '/opt/kneepoint/src/main/engine/tools/embedded/program/main.ts']);
  expect(run.plannedSeconds).toBe(9);
  expect(settingsOf(run.argv.slice(2), '/work')).toMatchObject({
    mix: 'D',
    distribution: 'latest',
    threads: 4,
    synchronous: 'NORMAL',
    rate: 10.5,
    directory: '/srv/data disk',
    records: 77,
    duration: 9,
    file: undefined,
  });
});

test('stores the database in the job directory by default', () => {
  expect(settingsOf(planned({}).run.argv.slice(2), '/jobs/1').directory).toBe('/jobs/1');
});

test('reads the file from a saved target', () => {
  expect(settingsOf(planned({}, '/srv/-odd name.db').run.argv.slice(2), '/jobs/1').file).toBe('/srv/-odd name.db');
});

test('options refuse values that the program would refuse', () => {
  for (const options of [
    { threads: 0 },
    { mix: 'G' },
    { records: 1.5 },
    { directory: 'relative/path' },
    { unknown: 1 },
  ]) {
    expect(embeddedTool.options.safeParse(options).success).toBe(false);
  }
});

test('every option has a title, a description and a group', () => {
  const schema = z.toJSONSchema(embeddedTool.options, { io: 'input' }) as {
    properties: Record<string, Record<string, unknown>>;
  };
  for (const property of Object.values(schema.properties)) {
    expect(property).toMatchObject({
      title: expect.any(String),
      description: expect.any(String),
      group: expect.any(String),
    });
    expect(property).toHaveProperty('default');
  }
});

const RECORDS = 1000;
const DRAWS = 400_000;

it.each(['zipfian', 'uniform', 'latest'] as const)(
  'the described distribution of %s matches the draws of the program (seed 3)',
  (name) => {
    const [reported] = recordAccesses(embeddedOptions.parse({ distribution: name, records: RECORDS }));
    if (!reported) throw new Error('Nothing is told.');
    const counts = new Uint32Array(RECORDS);
    const choose = keyChooser(name satisfies Distribution, RECORDS, randomOf(3, 0));
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const record = choose(RECORDS);
      counts[record] = (counts[record] ?? 0) + 1;
    }
    counts.sort().reverse();
    for (const { accesses, rows } of accessShares(reported).shares) {
      let sum = 0;
      const last = counts.findIndex((count) => {
        sum += count;
        return sum >= accesses * DRAWS;
      });
      const drawn = (last + 1) / RECORDS;
      expect(Math.abs(rows - drawn), `${accesses}`).toBeLessThan(0.02);
    }
  },
);

it('uses the distribution of the mix', () => {
  const words = (mix: string) => recordAccesses(embeddedOptions.parse({ mix }))[0]?.words;
  expect([words('A'), words('D')]).toEqual([
    'zipfian, constant 0.99, 10,000 records',
    'latest: zipfian, newest first, constant 0.99, 10,000 records',
  ]);
});

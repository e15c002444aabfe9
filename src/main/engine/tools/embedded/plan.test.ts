import { expect, test } from 'vitest';
import { z } from 'zod';
import { embeddedTool } from './index.ts';
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

test('the program reads every option that the plan writes', () => {
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

test('without a directory the database lies where the job runs', () => {
  expect(settingsOf(planned({}).run.argv.slice(2), '/jobs/1').directory).toBe('/jobs/1');
});

test('a saved target names the file', () => {
  expect(settingsOf(planned({}, '/srv/-odd name.db').run.argv.slice(2), '/jobs/1').file).toBe('/srv/-odd name.db');
});

test('options refuse what the program would refuse', () => {
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

test('every option has its words', () => {
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

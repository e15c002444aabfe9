import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import type { TargetSpec } from '../../src/shared/model/target.ts';
import { lacksClickHouse, startClickHouse } from '../testbed/databases/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { expectSameResult } from './testing/queries-bed.ts';
import { toolFindings } from './testing/session.ts';

/** The first start on a machine downloads the engine of ClickHouse. */
const FETCH_LIMIT = 600_000;

describe.skipIf(lacksClickHouse())('ClickHouse as a target', () => {
  let engine: TestEngine;
  let server: Awaited<ReturnType<typeof startClickHouse>>;
  let spec: TargetSpec;
  beforeAll(async () => {
    engine = await startEngine();
    await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
    server = await startClickHouse();
    const { address, port, user, database } = server;
    spec = { name: 'columns', kind: 'clickhouse', via: null, config: { address, port, user, database } };
    await engine.client.targets.save({ spec, secret: server.password });
  }, FETCH_LIMIT);
  afterAll(async () => {
    await engine?.close();
    await server?.stop();
  });

  it('is tested and inspected, and driven only by timed queries and observation', async () => {
    const { client } = engine;
    const wanted = { spec, secret: server.password };
    expect(await client.targets.testSpec(wanted)).toMatchObject({
      result: 'ok',
      description: { product: 'ClickHouse', durability: { level: 'relaxed' } },
    });
    expect(await client.targets.inspectSpec(wanted)).toMatchObject({
      result: 'ok',
      details: {
        settings: expect.arrayContaining([expect.objectContaining({ name: 'max_threads', change: 'dynamic' })]),
        counters: { 'metrics.Query': expect.any(Number) },
        sessions: [expect.objectContaining({ own: true })],
      },
    });
    const tools = await client.experiments.tools({});
    expect(tools.filter(({ drives }) => drives.includes('clickhouse')).map(({ id }) => id)).toEqual([
      'queries',
      'observation',
    ]);
  });

  it('returns equal results for two column types of the template, with bytes and parts', async () => {
    const { client } = engine;
    const template = (await client.experiments.list({})).find(({ id }) => id === 'queries-clickhouse-column-types');
    const { experiment, problems } = await client.experiments.check({ text: template?.text ?? '' });
    expect(problems[0]?.message).toContain('MySQL, PostgreSQL, MongoDB or ClickHouse family');
    if (!experiment) throw new Error('The template cannot be read.');
    // It names levels that are removed below.
    Reflect.deleteProperty(experiment, 'small');
    const { options } = experiment.workload;
    options.queries = String(options.queries).replaceAll('numbers(10000000)', 'numbers(20000)');
    options.executions = 2;
    experiment.where.target = spec.name;
    experiment.measure.repeats = 1;
    for (const factor of experiment.factors) {
      if (factor.name === 'variant') factor.levels = ['UInt32', 'Float64'];
      if (factor.name === 'largest number') factor.levels = factor.levels.slice(1, 2);
    }
    const { text } = await client.experiments.format({ experiment });
    const { id } = await client.sessions.start({ text });
    for await (const event of client.sessions.watch({ id }))
      if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
    expect((await client.sessions.get({ id })).session).toMatchObject({
      state: 'done',
      trialsEnded: 4,
      trialsFailed: 0,
    });
    const runs = await client.sessions.runs({ id });
    for (const [shape, rows] of [
      ['sum', 1],
      ['ten largest minutes', 10],
    ] as const) {
      const same = runs.filter(({ levels }) => levels.query === shape);
      expect(same).toHaveLength(2);
      expectSameResult(same);
      for (const { summary } of same) {
        const { result_rows, latency_avg_ms = 0, rows_read_per_s = 0 } = summary;
        expect([result_rows, Math.round((rows_read_per_s * latency_avg_ms) / 1000)]).toEqual([rows, 20_000]);
      }
    }
    for (const { findings } of runs) {
      expect(toolFindings(findings).map(({ code }) => code)).toEqual(['query-plan', 'query-facts', 'query-facts']);
      expect(findings[1]?.evidence).toMatch(/nq_UInt64 +UInt64 +\d+ +160000 /);
      expect(findings[2]?.evidence).toMatch(/^1 +1 +20000 +\d+ /m);
    }
  });
});

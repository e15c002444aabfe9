import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacksGo, startFerretDb } from '../testbed/databases/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { runSession } from './testing/hosts-bed.ts';

/** The server is built by the first test on a machine. */
const BUILD_LIMIT = 900_000;

describe.skipIf(lacksGo())('levels on FerretDB', () => {
  let engine: TestEngine;
  let server: Awaited<ReturnType<typeof startFerretDb>>;
  beforeAll(async () => {
    engine = await startEngine();
    await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
    server = await startFerretDb();
    const { address, port, user, database, password } = server;
    const config = { url: `mongodb://${address}:${port}/`, user, database };
    const place = { host: 'this computer', control: { kind: 'none' } } as const;
    const spec = { name: 'ferret', kind: 'mongodb', via: null, config, server: place };
    await engine.client.targets.save({ spec, secret: password });
  }, BUILD_LIMIT);
  afterAll(async () => {
    await engine?.close();
    await server?.stop();
  });

  const document = (factors: string, more = '') => `kneepoint: 1
name: On FerretDB
workload:
  tool: queries
  options:
    executions: 2
    agreement: none
    queries: |
      -- @variant pings
      {"ping": 1}
      -- @variant sets
      {"setParameter": 1, "cursorTimeoutMillis": 1000}
where: { target: ferret }
factors: [${factors}]
measure: { duration: 5${more} }
`;

  it('that are settings are refused before the first trial, with reason and remedy', async () => {
    const { client } = engine;
    const text = document(
      '{ name: timeout, kind: server-setting, setting: cursorTimeoutMillis, levels: [1000, 600000] }',
    );
    expect((await client.experiments.check({ text })).problems).toEqual([]);
    await expect(client.sessions.start({ text })).rejects.toMatchObject({
      problem: {
        code: 'preflight-refused',
        message: 'FerretDB has no setParameter: none of its settings can be changed while it runs.',
        safe: 'Nothing was started.',
        next: 'Start the server with each value, and vary the target.',
      },
    });
    expect(await client.sessions.list({})).toEqual([]);
    expect(await client.changes.list({})).toEqual([]);
  });

  it('that are unsupported commands fail with the server’s message, and the others are measured', async () => {
    const text = document('{ name: variant, option: variant, levels: [pings, sets] }');
    const { session, runs } = await runSession(engine.client, text);
    expect(session).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 1 });
    const [measured, refused] = runs;
    expect([measured?.state, measured?.summary.executions_total]).toEqual(['done', 2]);
    expect([refused?.state, refused?.summary.executions_total]).toEqual(['failed', 0]);
    expect(refused?.message).toContain('The server does not understand a statement (the statement of “sets”)');
    expect(refused?.findings[0]?.evidence).toMatch(/setParameter/);
  });

  it('that are statements on its data are refused, with an alternative', async () => {
    const text = document(
      `{ name: index, kind: data, levels: [{ name: none }, { name: one, statements: ['{}'], undo: ['{}'], check: '{}' }] }`,
    );
    await expect(engine.client.sessions.start({ text })).rejects.toMatchObject({
      problem: {
        code: 'preflight-refused',
        message: 'Kneepoint cannot run statements on the target “ferret”.',
        next: 'Vary the data with tool options.',
      },
    });
  });
});

import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import type { TargetSpec } from '../../src/shared/model/target.ts';
import type { TargetDetails } from '../../src/shared/model/target-details.ts';
import { lacks } from '../testbed/programs.ts';
import { addBed, type DatabaseBed, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const ABSENT = lacks('sshd', 'mariadbd', 'sysbench', 'fio');

describe.skipIf(ABSENT !== '')('targets behind SSH', () => {
  let bed: DatabaseBed;
  let engine: TestEngine;
  beforeAll(async () => {
    bed = await startDatabaseBed();
    engine = await startEngine();
    await addBed(engine.client, bed);
  });
  afterAll(async () => {
    await engine?.close();
    await bed?.close();
  });

  async function inspect(spec: TargetSpec, secret?: string): Promise<TargetDetails> {
    const inspection = await engine.client.targets.inspectSpec({ spec, ...(secret !== undefined && { secret }) });
    if (inspection.result === 'failed') throw new Error(inspection.problem.message);
    return inspection.details;
  }
  async function run(text: string) {
    const { id } = await engine.client.sessions.start({ text });
    for await (const event of engine.client.sessions.watch({ id }))
      if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) {
        expect(event.session.state, event.session.message).toBe('done');
        break;
      }
    return engine.client.sessions.get({ id });
  }

  test('a server is reached through the socket of the host, and a missing socket is explained', async () => {
    const { socket, user, database, password } = bed.database;
    const config = { socket, user, database, port: 1 };
    const spec: TargetSpec = { name: 'by socket', kind: 'mysql', via: 'loadgen', config };
    const test = await engine.client.targets.testSpec({ spec, secret: password });
    expect(test).toMatchObject({ result: 'ok', description: { product: 'MariaDB' } });
    const details = await inspect(spec, password);
    expect(details.sessions?.filter(({ own }) => own)).toMatchObject([{ client: 'localhost', user }]);
    expect(details.counters?.Questions).toBeGreaterThan(0);
    expect(details.sizes?.databases.map(({ name }) => name)).toContain('mysql');
    const missing = { ...spec, config: { ...config, socket: '/no/such.sock' } };
    expect(await engine.client.targets.testSpec({ spec: missing, secret: password })).toMatchObject({
      result: 'failed',
      problem: { code: 'target-unreachable', message: expect.stringContaining('/no/such.sock') },
    });
  });

  test('a session stores all settings of its server', async () => {
    const { target } = await run(`kneepoint: 1
name: Settings are kept
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 100, rate: 20 } }
where: { generators: [loadgen], target: mariadb }
factors: []
measure: { warmup: 0, duration: 1, repeats: 1 }
`);
    expect(target?.settings?.length).toBeGreaterThan(500);
    expect(target?.settings).toContainEqual(
      expect.objectContaining({ name: 'innodb_buffer_pool_size', value: '67108864', change: 'dynamic' }),
    );
    expect(target?.description?.durability?.settings?.map(({ name }) => name)).toContain('innodb_doublewrite');
  });

  test('fio measures a storage path only on its host', async () => {
    const directory = path.join(bed.generator.home, 'disk under test');
    mkdirSync(directory);
    const spec: TargetSpec = { name: 'disk', kind: 'storage', via: 'loadgen', config: { path: directory } };
    await engine.client.targets.save({ spec });
    const document = (generator: string): string => `kneepoint: 1
name: A storage path
workload: { tool: fio, options: { rw: randread, size: 4m, bs: 4k } }
where: { generators: [${generator}], target: disk }
factors: []
measure: { warmup: 0, duration: 1, repeats: 1 }
`;
    const { target } = await run(document('loadgen'));
    expect(target).toMatchObject({ kind: 'storage', address: directory, description: { product: 'Directory' } });
    let lines: PreflightLine[] = [];
    for await (lines of engine.client.experiments.preflight({ text: document('this computer') }));
    expect(lines.flatMap(({ finding }) => finding ?? [])).toContainEqual(
      expect.objectContaining({ code: 'storage-elsewhere', message: expect.stringContaining('“loadgen”') }),
    );
    rmSync(directory, { recursive: true });
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { serverReader, statementsReader } from '../../src/main/engine/monitors/index.ts';
import type { MonitorParser } from '../../src/main/engine/monitors/monitor.ts';
import { targetByKind } from '../../src/main/engine/targets/index.ts';
import { LOCAL_HOST_NAME } from '../../src/shared/model/host.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import {
  type DatabaseOptions,
  type DatabaseServer,
  freePort,
  lacksClickHouse,
  startClickHouse,
  startClickHouseServer,
  startMariaDb,
  startPostgres,
} from '../testbed/databases/index.ts';
import { HOST, QueriesBed } from './testing/queries-bed.ts';
import { ended, until } from './testing/session.ts';

type Place = Pick<DatabaseOptions, 'address' | 'port' | 'prefix'>;
type Server = Pick<DatabaseServer, 'address' | 'port' | 'user' | 'password' | 'database' | 'stop'>;

/** The port of the native protocol that ClickHouse's engine reports. */
const CLICKHOUSE_PORT = 9000;
/** For the app, the engine with MySQL's protocol; for the client, a server older than that protocol. */
async function startBothClickHouses(place: Place): Promise<Server> {
  const own = await startClickHouseServer({ ...place, port: CLICKHOUSE_PORT });
  const engine = await startClickHouse(place);
  return { ...engine, stop: async () => void (await Promise.all([engine.stop(), own.stop()])) };
}

const isLocal = (host: string): boolean => host === LOCAL_HOST_NAME;
const CASES = [
  { kind: 'mysql', host: HOST, start: (place: Place): Promise<Server> => startMariaDb(place) },
  { kind: 'postgres', host: HOST, start: (place: Place): Promise<Server> => startPostgres(place) },
  { kind: 'clickhouse', host: HOST, start: startBothClickHouses },
  { kind: 'mysql', host: LOCAL_HOST_NAME, start: (): Promise<Server> => startMariaDb() },
] as const;
/** By day, one client on a host: monitor-faults.test.ts covers MariaDB's. */
const cases = byDay(
  CASES.filter(({ kind }) => kind !== 'clickhouse' || !lacksClickHouse()),
  ({ kind }) => kind === 'postgres',
);

let bed: QueriesBed;
/** On this computer, where other tests have jobs too. */
let state: string;
beforeAll(async () => {
  state = mkdtempSync(path.join(process.env.XDG_STATE_HOME ?? tmpdir(), 'kneepoint-state-'));
  process.env.XDG_STATE_HOME = state;
  bed = await QueriesBed.start();
}, 180_000);
afterAll(async () => {
  await bed?.close();
  rmSync(state, { recursive: true });
});

const jobsOn = (host: string): string =>
  path.join(isLocal(host) ? state : path.join(bed.host.home, '.local/state'), 'kneepoint/jobs');
const outputs = (host: string): Map<string, string> => {
  const folder = jobsOn(host);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.map((name) => [name, path.join(folder, name, 'stdout')] as const);
  return new Map(files.flatMap(([name, file]) => (existsSync(file) ? [[name, readFileSync(file, 'utf8')]] : [])));
};

/** A multi-line statement with text that clients could take for its end, and a failing one. */
const documentOf = (host: string): string =>
  JSON.stringify({
    kneepoint: 1,
    name: 'Own statements',
    workload: { tool: 'observation', options: { 'until-stopped': true } },
    where: { generators: [host], target: 'watched' },
    measure: { duration: 3600 },
    monitors: {
      generators: false,
      place: false,
      statements: [
        { name: 'missing', statement: 'SELECT nothing FROM nowhere' },
        { name: 'answer', statement: "SELECT 42 AS answer, -- it's one\n'a; \"word\"' AS word, 2 AS two;" },
      ],
    },
  });

describe.each(cases)('$kind on $host', (each) => {
  const { kind, host } = each;
  let server: Server;
  beforeAll(async () => {
    // The previous test may have killed it.
    await bed.open();
    const { address, namespace } = bed.host;
    const inside = { address, port: await freePort('127.0.0.1'), prefix: ['ip', 'netns', 'exec', namespace ?? ''] };
    server = await each.start(isLocal(host) || namespace === undefined ? {} : inside);
    const lives = { host, control: { kind: 'none' }, limitSeconds: 60 } as const;
    await bed.addTarget('watched', kind, server, { via: isLocal(host) ? null : HOST, server: lives });
  }, 180_000);
  afterAll(() => server?.stop());

  it('is read by its client, custom statements included, with each second stored once despite kills', async () => {
    const before = new Set(outputs(host).keys());
    const { id } = await bed.client.sessions.start({ text: documentOf(host) });
    const source = async (name: string) =>
      (await bed.client.monitors.sources({ sessionId: id })).find((one) => one.name === name);
    await expect.poll(async () => (await source('missing'))?.problem).toContain('nowhere');
    for (const name of ['answer', 'watched'])
      await expect.poll(async () => (await source(name))?.samples).toBeGreaterThan(2);

    /** Output on the host of this session's jobs, read independently of the engine. */
    const written = (parser: () => MonitorParser, of?: number) =>
      [...outputs(host)].flatMap(([job, output]) => {
        if (before.has(job)) return [];
        const one = parser();
        const rows = output.split('\n').flatMap((line) => one.line(line) ?? []);
        return rows.filter((row) => row.of === of && row.failed === undefined);
      });
    const { hostLines = () => () => undefined, statementLines = () => undefined } = targetByKind(kind).monitoring ?? {};
    const ofStatement = () => written(statementsReader(statementLines).parser, 1);
    const ofServer = () => written(serverReader(hostLines).parser);
    await bed.kill();
    const seen = [ofStatement().length, ofServer().length];
    await expect.poll(() => ofStatement().length).toBeGreaterThan((seen[0] ?? 0) + 3);
    await expect.poll(() => ofServer().length).toBeGreaterThan((seen[1] ?? 0) + 3);
    await bed.open();
    await bed.client.sessions.stop({ id });
    await until(bed.client, id, ended);

    // The last seconds may be written after the end of the session.
    const notStored = async () => [
      ofStatement().length - ((await source('answer'))?.samples ?? 0),
      ofServer().length - ((await source('watched'))?.samples ?? 0),
    ];
    await expect.poll(notStored).toEqual([0, 0]);
    const answer = await source('answer');
    expect(answer).toMatchObject({ host, series: [{ id: 'answer' }, { id: 'two' }] });
    const [series] = await bed.client.monitors.series({
      sessionId: id,
      wanted: [{ sourceId: answer?.id ?? 0, ids: ['answer'] }],
    });
    const [t, v] = [Array.from(series?.t ?? []), Array.from(series?.v ?? [])];
    expectSame(
      'samples of the statement',
      v,
      ofStatement().map(() => 42),
    );
    const doubled = t.filter((at, row) => row > 0 && at <= (t[row - 1] ?? 0));
    expectSame('samples that are not after the one before', doubled, []);
    expect(await source('watched')).toMatchObject({ host });
  });
});

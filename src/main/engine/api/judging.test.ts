import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CostSpec } from '../../../shared/model/cost.ts';
import { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { Monitors } from '../../../shared/model/monitors.ts';
import type { RunFact } from '../../../shared/model/session.ts';
import { storeSession } from '../figures/testing/measured.ts';
import { JUDGEMENT_VERSION } from '../judging/index.ts';
import { openStore } from '../store/open.ts';
import type { RunRow, Store } from '../store/store.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { OneByOne } from '../watching/context.ts';
import { rejudge } from '../watching/judged.ts';
import { Prices } from './context.ts';
import type { Known } from './evidence-facts.ts';
import { judgeRun } from './judging.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

const START = 1_700_000_000;
const WARMUP = 5;
const SECONDS = 30;
const MIB = 2 ** 20;

/** Judging happens in the background, and takes a while on a busy machine. */
const eventually = <T>(holds: () => T | Promise<T>): Promise<T> => vi.waitFor(holds, { timeout: 60_000 });

let folder: ReturnType<typeof libraryFolder>;
let api: OpenApi | undefined;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(async () => {
  await api?.close();
  api = undefined;
  folder.remove();
});

const PLACE = { host: 'db1', started: 'not by Kneepoint' };
const HOST: HostFacts = {
  ...{ hostname: 'db1', os: 'Debian', kernel: '6.1', architecture: 'x86_64', cpuCount: 4, memoryBytes: 512 * MIB },
  ...{ disks: [], networks: [], filesystems: [], tools: [], readAt: 0 },
};

interface World {
  workload: { tool: string; options: Record<string, string | number | boolean> };
  target?: string;
  /** Kind of that target; a directory is on the host that generates the load. */
  kind?: 'mysql' | 'storage';
  /** Throughput by the second. */
  metric?: string;
  rate?: number;
  /** Rate of each generator, if there are several. */
  rates?: number[];
  disk?: { iops: number; busy?: number; queue?: number };
  facts?: RunFact[];
  monitors?: Monitors;
  /** Nothing was monitored. */
  watched?: false;
}

/** A session of one run that has ended: throughput, and samples of a host and of a server as read there, every second. */
function stored({
  workload,
  target,
  kind = 'mysql',
  metric = 'tps',
  rate = 500,
  rates = [rate],
  disk,
  facts = [],
  ...more
}: World): number {
  const store = openStore(folder.path);
  const experiment = Experiment.parse({
    kneepoint: 1,
    name: 'Judged',
    workload,
    where: {
      generators: target && kind !== 'storage' ? rates.map((_, index) => `load${index + 1}`) : ['db1'],
      ...(target && { target }),
    },
    measure: { warmup: WARMUP, duration: SECONDS },
    ...(more.monitors && { monitors: more.monitors }),
  });
  const seconds = rates.map((each) => ({ [metric]: Array.from({ length: WARMUP + SECONDS }, () => each) }));
  const started = rates.map(() => START * 1000);
  const runs = [{ cell: 0, seconds, startedAt: START * 1000, started, facts }];
  const sessionId = storeSession(store, [{ index: 0, levels: {} }], runs, experiment);
  const description = {
    product: 'MariaDB',
    version: '11.4',
    settings: [{ name: 'innodb_buffer_pool_size', value: String(128 * MIB), unit: 'bytes' }],
    readAt: 0,
  };
  store.sessions.keepFacts(sessionId, {
    hosts: [],
    ...(target && { target: { name: target, kind, description, server: PLACE, hostFacts: HOST } }),
  });
  const [run] = store.runs.ofSession(sessionId);
  store.runs.update(run?.id ?? 0, { endedAt: (START + WARMUP + SECONDS) * 1000 });
  if (more.watched === false) {
    store.close();
    return sessionId;
  }
  const host = store.sources.ensure(sessionId, { kind: 'host', name: 'db1', position: 0 });
  store.sources.setAbout(host.id, {
    roles: kind === 'storage' ? ['generator', 'server'] : [target ? 'server' : 'generator'],
    host: 'db1',
  });
  const { iops = 100, busy = 40, queue = 0.5 } = disk ?? {};
  const rows = Array.from({ length: WARMUP + SECONDS + 10 }, (_, index) => ({
    t: START - 5 + index,
    metrics: {
      'disk.sda.read_ios': 1000 + index * iops,
      'disk.sda.read_sectors': 1000 + index * iops * 8,
      'disk.sda.busy_ms': index * busy * 10,
      'disk.sda.queue_ms': index * queue * 1000,
    },
  }));
  store.monitored.ingest({ sourceId: host.id, rows });
  if (target && kind !== 'storage') {
    const server = store.sources.ensure(sessionId, { kind: 'server', name: target, position: 0 });
    store.sources.setAbout(server.id, { target: 'mysql', place: 'db1' });
  }
  store.close();
  return sessionId;
}

async function judged(world: World) {
  const sessionId = stored(world);
  api = await openApi(folder.path);
  const { client } = api.page();
  const [judgement] = await client.results.judgements({ sessionId });
  if (!judgement) throw new Error('The run was not judged.');
  return { sessionId, client, judgement };
}

const SYSBENCH = { tool: 'sysbench', options: { script: 'oltp_read_only', tables: 1, 'table-size': 1_000_000 } };
const onServer = (world: Partial<World> = {}): World => ({ workload: SYSBENCH, target: 'mariadb', ...world });
const FIO = { directory: '/data', rw: 'randread', size: '1g' };

describe('a run is judged by', () => {
  it('the rate that its workload requests', async () => {
    const held = { ...SYSBENCH, options: { ...SYSBENCH.options, rate: 500 } };
    const { judgement } = await judged(onServer({ workload: held, rate: 498 }));
    expect(judgement.bound.sentence).toBe(
      'The workload reached its target rate of 500 operations/s (498 operations/s): no limit was reached.',
    );
  });

  it('no rate if it falls short of it or counts other events', async () => {
    const held = { ...SYSBENCH, options: { ...SYSBENCH.options, rate: 1000 } };
    for (const rate of [498, 20_000]) {
      const { judgement } = await judged(onServer({ workload: held, rate }));
      expect(judgement.bound.sentence).toMatch(/^Undetermined: /);
      await api?.close();
    }
  });

  it('the size of its data compared with the cache of the server at that time', async () => {
    const fact = { place: { kind: 'server' as const, name: 'mariadb' }, what: 'innodb_buffer_pool_size', first: null };
    const { judgement: plain } = await judged(onServer());
    await api?.close();
    const { judgement: varied } = await judged(onServer({ facts: [{ ...fact, wanted: '64M', found: '67108864' }] }));
    const ratio = ({ operations }: typeof plain) => operations.find(({ id }) => id === 'data_to_cache')?.value ?? 0;
    // About 240 bytes for each row of sysbench.
    expect(ratio(plain)).toBeGreaterThan(1);
    expect(ratio(plain)).toBeLessThan(3);
    expect(ratio(varied)).toBeCloseTo(2 * ratio(plain), 6);
    // The host of the server has four times the memory of that cache.
    const inMemory = plain.operations.find(({ id }) => id === 'data_to_memory')?.value;
    expect(inMemory).toBeCloseTo(ratio(plain) / 4, 6);
  });

  it.each([
    ['one I/O after the other', { iodepth: 1 }, 1, 'not-known'],
    ['many at once', { iodepth: 32 }, 31, 'disk'],
  ] as const)('the queue depth of fio: %s', async (_name, options, queue, verdict) => {
    const { judgement } = await judged({
      workload: { tool: 'fio', options: { ...FIO, ...options } },
      metric: 'iops',
      disk: { iops: 9000, busy: 99, queue },
    });
    expect(judgement.bound.verdict).toBe(verdict);
    expect(judgement.bound.sentence).toContain(
      verdict === 'disk'
        ? '31 I/Os in flight on it; the tool keeps 32'
        : 'at queue depth 1; it could take more in parallel',
    );
  });
});

const catalogue = () => new Prices('.').catalogue();

const judgeStored = (store: Store, { id }: RunRow): Promise<RunRow> => {
  const judge = (each: RunRow) => judgeRun({ store, catalogue }, each);
  return rejudge({ store, judge, judgings: new OneByOne() }, store.runs.get(id) as RunRow);
};

const judgedCodes = async (known: Known, run: RunRow): Promise<string[]> =>
  (await judgeRun(known, run)).findings.map(({ code }) => code);

it('a working directory does not count as a server on the generator', async () => {
  const options = { ...FIO, iodepth: 4 };
  const sessionId = stored({ workload: { tool: 'fio', options }, target: 'scratch', kind: 'storage', metric: 'iops' });
  const store = openStore(folder.path);
  try {
    const [run] = store.runs.ofSession(sessionId);
    if (!run) throw new Error('There is no run.');
    expect(await judgedCodes({ store, catalogue }, run)).not.toContain('co-located');
  } finally {
    store.close();
  }
});

it.each([
  ['write', true],
  ['randread', undefined],
])('results know that syncs follow the I/Os of fio: %s', async (rw, syncs) => {
  const options = { ...FIO, rw, fsync: 1 };
  const sessionId = stored({ workload: { tool: 'fio', options }, metric: 'latency_avg_ms' });
  api = await openApi(folder.path);
  const { client } = api.page();
  const result = await client.results.session({ sessionId, metric: 'latency_avg_ms' });
  expect(result.syncs).toBe(syncs);
});

it('a slow generator is found by the throughput of each', async () => {
  const codesOf = async (rates: number[]) => {
    const workload = { ...SYSBENCH, options: { ...SYSBENCH.options, threads: 8 } };
    const sessionId = stored(onServer({ workload, rates }));
    const store = openStore(folder.path);
    try {
      const [run] = store.runs.ofSession(sessionId);
      if (!run) throw new Error('There is no run.');
      return await judgedCodes({ store, catalogue }, run);
    } finally {
      store.close();
    }
  };
  expect(await codesOf([500, 300])).toContain('generators-unequal');
  expect(await codesOf([500, 480])).not.toContain('generators-unequal');
});

describe('judgement by a purchased volume', () => {
  const paid = (id: string, sizeGb: number, more: object = {}): CostSpec => ({
    label: 'db',
    currency: 'USD',
    components: [{ kind: 'volume', id: `aws/us-east-1/volumes/${id}`, sizeGb, count: 1, ...more }],
  });
  const other: Finding = { code: 'errors-ignored', severity: 'warn', message: '3 errors were ignored.' };

  it('limits runs that reach what was purchased, and is repeated for a new price', async () => {
    const sessionId = stored(onServer({ disk: { iops: 2950 } }));
    const store = openStore(folder.path);
    const [run] = store.runs.ofSession(sessionId);
    if (!run) throw new Error('There is no run.');
    store.runs.update(run.id, { findings: [other] });
    await judgeStored(store, run);
    store.close();
    api = await openApi(folder.path);
    const { client } = api.page();
    const judgementOf = async () => {
      const [judgement] = await client.results.judgements({ sessionId });
      const [{ findings = [] } = {}] = await client.sessions.runs({ id: sessionId });
      return { ...judgement?.bound, codes: [...new Set(findings.map(({ code }) => code))] };
    };
    const price = (spec: CostSpec) => client.costs.setOfSession({ sessionId, spec });
    expect(await judgementOf()).toMatchObject({ verdict: 'not-known', codes: ['errors-ignored', 'not-monitored'] });
    await price(paid('gp3', 500));
    await eventually(async () => expect((await judgementOf()).codes).toContain('volume-limit'));
    expect(await judgementOf()).toMatchObject({
      verdict: 'volume-limit',
      instance: 'sda',
      sentence: expect.stringContaining(
        'sda of db1 at the limit of EBS General Purpose SSD gp3, 500 GB in every second: 2,950 of 3,000 IOPS.',
      ),
      codes: ['errors-ignored', 'volume-limit', 'not-monitored'],
    });
    await price(paid('gp3', 500, { iops: 8000 }));
    await eventually(async () => expect((await judgementOf()).codes).toEqual(['errors-ignored', 'not-monitored']));
    await price(paid('gp2', 100));
    await eventually(async () =>
      expect((await judgementOf()).sentence).toContain('2,950 of its burst limit of 3,000 IOPS'),
    );
  });

  it('is skipped for several disks of a host', async () => {
    const sessionId = stored(onServer({ disk: { iops: 2950 } }));
    const store = openStore(folder.path);
    const [run] = store.runs.ofSession(sessionId);
    const source = store.sources.ofSession(sessionId).find(({ kind }) => kind === 'host');
    if (!run || !source) throw new Error('There is no run.');
    const rows = [0, 1, 2].map((second) => ({ t: START + 60 + second, metrics: { 'disk.sdb.read_ios': second } }));
    store.sessions.update(sessionId, { cost: paid('gp3', 500) });
    const codesOf = () => judgedCodes({ store, catalogue }, run);
    const ofOne = await codesOf();
    store.monitored.ingest({ sourceId: source.id, rows });
    const ofTwo = await codesOf();
    store.close();
    expect(ofOne).toContain('volume-limit');
    expect(ofTwo).not.toContain('volume-limit');
  });

  it('is repeated after an update of Kneepoint', async () => {
    const sessionId = stored(onServer());
    const store = openStore(folder.path);
    store.sessions.update(sessionId, { endedAt: (START + 60) * 1000 });
    const [run] = store.runs.ofSession(sessionId);
    if (!run) throw new Error('There is no run.');
    await judgeStored(store, run);
    const judgement = store.judgements.get(run.id);
    if (!judgement) throw new Error('The run was not judged.');
    const bound = { ...judgement.bound, verdict: 'disk' as const, sentence: 'By rules that were wrong.' };
    store.judgements.set(run.id, { ...judgement, version: JUDGEMENT_VERSION - 1, bound });
    expect(store.judgements.missing(JUDGEMENT_VERSION)).toEqual([sessionId]);
    store.close();
    api = await openApi(folder.path);
    const { client } = api.page();
    await eventually(async () => {
      const { cells = [] } = await client.results.session({ sessionId });
      expect(cells[0]?.bound?.sentence).toBe(judgement.bound.sentence);
    });
  });

  it('continues with pending runs after a restart of the app', async () => {
    const sessionId = stored(onServer({ disk: { iops: 2950 } }));
    const store = openStore(folder.path);
    store.sessions.update(sessionId, { endedAt: (START + 60) * 1000 });
    const [run] = store.runs.ofSession(sessionId);
    if (!run) throw new Error('There is no run.');
    store.runs.update(run.id, { findings: [other] });
    await judgeStored(store, run);
    store.close();
    const codesOf = async () => {
      const [{ findings = [] } = {}] = (await api?.page().client.sessions.runs({ id: sessionId })) ?? [];
      return findings.map(({ code }) => code);
    };
    api = await openApi(folder.path);
    const asked = api.page().client.costs.setOfSession({ sessionId, spec: paid('gp3', 500) });
    // Closing begins in the turn in which the price is stored: no run is judged before the next one.
    await Promise.all([asked, asked.then(() => api?.close())]);
    const between = openStore(folder.path);
    const isPending = between.judgements.missing(JUDGEMENT_VERSION).includes(sessionId);
    between.close();
    api = await openApi(folder.path);
    await eventually(async () => expect(await codesOf()).toContain('volume-limit'));
    expect(isPending).toBe(true);
  });
});

describe('an ended session', () => {
  const OFF: Monitors = { generators: false, place: false, server: false };

  /** Opens the library until nothing is left to judge, and returns the result. */
  async function afterStart(sessionId: number) {
    api = await openApi(folder.path);
    const reader = openStore(folder.path, { shared: true });
    await eventually(() => expect(reader.judgements.missing(JUDGEMENT_VERSION)).toEqual([]));
    reader.close();
    const { client } = api.page();
    const [run] = await client.sessions.runs({ id: sessionId });
    const [judgement] = await client.results.judgements({ sessionId });
    await api.close();
    api = undefined;
    return { judgement, codes: run?.findings.map(({ code }) => code) ?? [] };
  }
  const over = (sessionId: number, change: { state?: 'paused'; endedAt?: number }): number => {
    const store = openStore(folder.path);
    store.sessions.update(sessionId, change);
    store.close();
    return sessionId;
  };
  const ENDED = { endedAt: (START + 60) * 1000 };

  it.each([
    ['at its end', ENDED],
    ['while it was paused', { state: 'paused' as const }],
  ])('without monitoring is judged after the app was killed %s', async (_when, change) => {
    const sessionId = over(stored(onServer({ monitors: OFF, watched: false })), change);
    const { judgement, codes } = await afterStart(sessionId);
    expect(codes).toEqual(['not-monitored']);
    expect(judgement?.bound.verdict).toBe('not-known');
  });

  it('from a version without monitoring is judged once and left unchanged', async () => {
    const sessionId = over(stored(onServer({ watched: false })), ENDED);
    expect(await afterStart(sessionId)).toEqual({ judgement: undefined, codes: [] });
    const store = openStore(folder.path);
    expect(store.judgements.missing(JUDGEMENT_VERSION)).toEqual([]);
    expect(store.judgements.missing(JUDGEMENT_VERSION + 1)).toEqual([sessionId]);
    expect(store.judgements.bounds(sessionId).size).toBe(0);
    store.close();
  });

  it('is judged after the app was killed while reading a trial again', async () => {
    const sessionId = over(stored(onServer({ monitors: OFF, watched: false })), ENDED);
    const store = openStore(folder.path);
    const [run] = store.runs.ofSession(sessionId);
    if (!run) throw new Error('There is no run.');
    await judgeStored(store, run);
    // State that re-parsing stores before the run is judged.
    store.judgements.forget(run.id);
    store.runs.update(run.id, { findings: [] });
    store.close();
    expect((await afterStart(sessionId)).codes).toEqual(['not-monitored']);
  });
});

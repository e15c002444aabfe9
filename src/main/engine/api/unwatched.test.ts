import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { Monitors } from '../../../shared/model/monitors.ts';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import { storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { Prices } from './context.ts';
import { judgeRun } from './judging.ts';

const START = 1_700_000_000;
const SECONDS = 35;

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

interface World {
  monitors?: Monitors;
  tool?: { tool: string; options?: object };
  /** null: none. */
  target?: TargetFacts | null;
  generator?: string;
  /** OS of the generator. */
  os?: string;
  /** Hosts and servers with samples. */
  hosts?: readonly string[];
  servers?: readonly string[];
  /** Hosts that should have been monitored, but have no samples. */
  silent?: readonly string[];
}

const SHOP: TargetFacts = {
  ...{ name: 'shop', kind: 'mysql', address: '10.0.0.8:3306' },
  server: { host: 'db1', started: 'not by Kneepoint' },
};

/** Findings on missing monitoring of a run that has ended. */
async function messagesOf(world: World): Promise<string[]> {
  const { findings } = await judgedOf(world);
  return findings.flatMap(({ code, message }) => (code === 'not-monitored' ? [message] : []));
}

function judgedOf(world: World): ReturnType<typeof judgeRun> {
  const { monitors, target = SHOP, generator = 'load1', hosts = [], servers = [], silent = [] } = world;
  const { tool = { tool: 'sysbench', options: { script: 'oltp_read_only' } } } = world;
  const experiment = Experiment.parse({
    kneepoint: 1,
    name: 'Of a test',
    workload: tool,
    where: { generators: [generator], ...(target && { target: target.name }) },
    measure: { warmup: 5, duration: 30 },
    ...(monitors && { monitors }),
  });
  const seconds = [{ tps: Array.from({ length: SECONDS }, () => 500) }];
  const run = { cell: 0, seconds, startedAt: START * 1000, started: [START * 1000] };
  const sessionId = storeSession(store, [{ index: 0, levels: {} }], [run], experiment);
  const facts = { hostname: generator, os: world.os ?? 'Debian', kernel: '6.1', architecture: 'x86_64', cpuCount: 4 };
  const whole: HostFacts = { ...facts, disks: [], networks: [], filesystems: [], tools: [], readAt: 0 };
  store.sessions.keepFacts(sessionId, {
    hosts: [{ name: generator, facts: whole }],
    ...(target && { target }),
  });
  const rows = Array.from({ length: SECONDS + 10 }, (_, at) => ({
    t: START - 5 + at,
    metrics: { 'disk.sda.read_ios': 100 * at, threads_connected: 8 },
  }));
  for (const kind of ['host', 'server'] as const)
    for (const [position, name] of [...(kind === 'host' ? [...hosts, ...silent] : servers)].entries()) {
      const source = store.sources.ensure(sessionId, { kind, name, position });
      const roles = name === generator ? (['generator'] as const) : (['server'] as const);
      store.sources.setAbout(source.id, kind === 'host' ? { roles: [...roles], host: name } : { target: 'mysql' });
      if (!silent.includes(name)) store.monitored.ingest({ sourceId: source.id, rows });
    }
  const [stored] = store.runs.ofSession(sessionId);
  if (!stored) throw new Error('There is no run.');
  const ended = store.runs.update(stored.id, { endedAt: (START + SECONDS) * 1000 });
  return judgeRun({ store, catalogue: () => new Prices('.').catalogue() }, ended);
}

const GENERATOR = /load1 generated load but was not watched/;
const PLACE = /The host of shop, db1, was not watched/;
const SERVER = /The server shop was not watched/;
const ALL = { hosts: ['load1', 'db1'], servers: ['shop'] };

describe('a run without any monitoring', () => {
  it('lists the generators, the host of the server and the server as missing', async () => {
    const [messages, ...others] = await messagesOf({ monitors: { generators: false, place: false, server: false } });
    expect(others).toEqual([]);
    for (const part of [GENERATOR, PLACE, SERVER]) expect(messages).toMatch(part);
  });

  it('is judged as undetermined', async () => {
    const { judgement } = await judgedOf({ monitors: { generators: false, place: false, server: false } });
    expect(judgement?.bound.verdict).toBe('not-known');
  });
});

describe('a partly monitored run', () => {
  it('lists unmonitored generators', async () => {
    const messages = await messagesOf({ monitors: { generators: false }, hosts: ['db1'], servers: ['shop'] });
    expect(messages).toEqual([expect.stringMatching(GENERATOR)]);
    expect(messages[0]).not.toContain('shop');
  });

  it('lists the unmonitored host of the server', async () => {
    const messages = await messagesOf({ monitors: { place: false }, hosts: ['load1'], servers: ['shop'] });
    expect(messages).toEqual([expect.stringMatching(PLACE)]);
    expect(messages[0]).not.toMatch(/load1|The server shop/);
  });

  it('lists the unmonitored server', async () => {
    const messages = await messagesOf({ monitors: { server: false }, hosts: ['load1', 'db1'] });
    expect(messages).toEqual([expect.stringMatching(SERVER)]);
    expect(messages[0]).not.toMatch(/load1|db1/);
  });
});

describe('nothing is listed as missing', () => {
  it('by default, when everything was monitored', async () => {
    expect(await messagesOf(ALL)).toEqual([]);
  });

  it('for a session of a version without monitoring', async () => {
    expect(await messagesOf({})).toEqual([]);
    expect(store.judgements.get(1)).toBeUndefined();
  });

  it('for a local server if the generator was monitored', async () => {
    const { server: _none, ...local } = { ...SHOP, address: '127.0.0.1:3306' };
    expect(await messagesOf({ target: local, hosts: ['load1'], servers: ['shop'] })).toEqual([]);
  });

  it.each([
    ['without a target', { tool: 'fio', options: { directory: '/data' } }],
    ['that brings its own database', { tool: 'embedded' }],
  ])('for a benchmark %s, whatever of a server is turned off', async (_what, tool) => {
    const world: World = { tool, target: null, hosts: ['load1'] };
    expect(await messagesOf(world)).toEqual([]);
    expect(await messagesOf({ ...world, monitors: { place: false, server: false } })).toEqual([]);
  });

  it('for a session without load', async () => {
    const monitors = { generators: false, server: false };
    expect(await messagesOf({ tool: { tool: 'observation' }, monitors, hosts: ['db1'] })).toEqual([]);
  });
});

it('a server with an unknown host is listed with where to set it', async () => {
  const { server: _none, ...remote } = SHOP;
  expect(await messagesOf({ target: remote, hosts: ['load1'], servers: ['shop'] })).toEqual([
    expect.stringMatching(/^The host of shop was not watched, because the target does not specify it:/),
  ]);
});

it('a host with a system other than Linux is listed once, with its system', async () => {
  const world: World = { tool: { tool: 'embedded' }, target: null, os: 'macOS 14.5', silent: ['load1'] };
  expect(await messagesOf(world)).toEqual(['load1 runs macOS 14.5, but only Linux hosts can be watched.']);
});

import { describe, expect, it } from 'vitest';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { flowOf } from '../testing/closed-network.ts';
import { flat, hostWith, watched } from '../testing/lines.ts';
import { SCENES, type Scene } from '../testing/scenes.ts';
import { type World, worldsFrom } from '../testing/worlds.ts';
import { boundOf } from './index.ts';

const SEED = 51_123;
const EACH = 30;

const scenes = Object.keys(SCENES) as Scene[];
const worldsOf = (scene: Scene, count = EACH): World[] => {
  const world = worldsFrom(SEED + scenes.indexOf(scene));
  return Array.from({ length: count }, () => world(scene));
};

const without = (evidence: RunEvidence, isLost: (series: WatchedSeries) => boolean): RunEvidence => ({
  ...evidence,
  hosts: evidence.hosts.map((host) => ({ ...host, series: host.series.filter((series) => !isLost(series)) })),
  servers: evidence.servers.map((server) => ({ ...server, series: server.series.filter((series) => !isLost(series)) })),
});

describe(`what bounds a run (seed ${SEED})`, () => {
  it.each(scenes)('is recognised in simulated worlds: %s', (scene) => {
    const named = worldsOf(scene).map(({ evidence }) => boundOf(evidence));
    const wrong = named.filter(({ verdict }) => verdict !== SCENES[scene]);
    expect(wrong.map(({ verdict, sentence }) => `${verdict}: ${sentence}`)).toEqual([]);
  });
});

describe('the evidence of a bound', () => {
  it.each(scenes.filter((scene) => SCENES[scene] !== 'not-known'))('names series that were watched: %s', (scene) => {
    for (const { evidence } of worldsOf(scene, 5)) {
      const known = [...evidence.hosts, ...evidence.servers].flatMap(({ name, series }) =>
        series.map(({ id }) => `${name} ${id}`),
      );
      const { evidence: figures, runnersUp } = boundOf(evidence);
      for (const { evidence: own } of [{ evidence: figures }, ...runnersUp]) {
        expect(own.length).toBeGreaterThan(0);
        expect(known).toEqual(expect.arrayContaining(own.map(({ source, id }) => `${source} ${id}`)));
      }
    }
  });
});

/** Series without which a class cannot be told. */
const TELLING: readonly (readonly [Scene, RegExp])[] = [
  ['cpu', /^(?:cpu|core|proc)\./],
  ['one-core pinned', /^(?:core|proc)\./],
  ['one-core wandering', /^proc\./],
  ['disk', /^disk\./],
  ['disk, rotating', /^disk\./],
  ['volume-limit', /^disk\./],
  ['network', /^net\./],
  ['locks', /lock-/],
  ['log', /log-|checkpoint/],
  ['generator-cpu', /^(?:cpu|core|proc)\./],
  ['generator-core pinned', /^(?:core|proc)\./],
  ['generator-core, one thread', /^proc\./],
  ['generator-network', /^net\./],
  ['pool', /^pool/],
  ['pool, told with its server', /^pool/],
  ['locks, behind a pool', /^pool|lock-/],
  ['pool, refused', /refused|connections/],
  ['pool, more clients than connections', /connections/],
  ['pool, tickets', /tickets/],
  ['pool, threads', /queued/],
];

describe('without the series that would tell', () => {
  it.each(TELLING)('nothing is named in its place: %s', (scene, lost) => {
    const bounds = worldsOf(scene, 20).map(({ evidence }) => boundOf(without(evidence, ({ id }) => lost.test(id))));
    expect([...new Set(bounds.map(({ verdict }) => verdict))]).toEqual(['not-known']);
    expect(bounds[0]?.sentence).toMatch(/^Not known: /);
  });

  it('says what was not watched', () => {
    const [world] = worldsOf('cpu', 1);
    const evidence = without((world as World).evidence, () => true);
    const { sentence, notWatched } = boundOf({ ...evidence, servers: [] });
    expect(notWatched).toContain('the CPU of db1');
    expect(notWatched).toContain('locks and log of the server');
    expect(sentence).toMatch(/nothing was recorded.* Not watched: the CPU of load1/);
  });

  it('does not take a few values for the whole run', () => {
    const [world] = worldsOf('cpu', 1);
    const { evidence } = world as World;
    const late = without(evidence, () => false);
    const cut = late.hosts.map((host) => ({
      ...host,
      series: host.series.map((series) => ({ ...series, v: series.v.map((v, i) => (i < 90 ? Number.NaN : v)) })),
    }));
    expect(boundOf(evidence).verdict).toBe('cpu');
    expect(boundOf({ ...late, hosts: cut }).verdict).toBe('not-known');
  });
});

describe('a CPU', () => {
  const window = { from: 0, to: 60 };
  const run = (rest: Partial<RunEvidence>): RunEvidence => ({ window, load: [], hosts: [], servers: [], ...rest });
  const cpu = (value: number, running: number) => [
    watched('cpu.busy', flat(value)),
    watched('sys.running', flat(running)),
  ];
  const both = { roles: ['generator', 'server'] as const, programs: { tool: ['sysbench'], server: ['mariadbd'] } };
  const process = (instance: string, value: number) => watched('proc.*.cpu', flat(value), { instance });
  const core = (instance: string, value: number) => watched('core.*.busy', flat(value), { instance });

  it('is at its limit only where more wants to run', () => {
    const of = (running: number) => boundOf(run({ hosts: [hostWith(cpu(97, running), { cores: 8 })] })).verdict;
    expect(of(20)).toBe('cpu');
    expect(of(7)).toBe('not-known');
  });

  it('is not at its limit where the collector itself is what makes up the number', () => {
    const of = (running: number) => boundOf(run({ hosts: [hostWith(cpu(93.5, running), { cores: 16 })] }));
    expect(of(16)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(17).verdict).toBe('cpu');
    expect(of(17).sentence).toContain('16 runnable threads besides the collector on 16 cores');
  });

  it('is at its limit where it has no idle time, and as many threads that always run as cores', () => {
    const of = (busy: number, running: number) =>
      boundOf(run({ hosts: [hostWith(cpu(busy, running), { cores: 16 })] })).verdict;
    expect(of(99, 16.84)).toBe('cpu');
    expect(of(99, 15.9)).toBe('not-known');
    expect(of(95, 16.84)).toBe('not-known');
  });

  it('of which other guests took most is the server’s all the same, and not that of other processes', () => {
    const of = (steal: number) => {
      const series = [...cpu(99, 30), watched('cpu.steal', flat(steal)), process('mariadbd', 300)];
      const programs = { tool: ['sysbench'], server: ['mariadbd'] };
      return boundOf(run({ hosts: [hostWith(series, { programs, cores: 8 })] }));
    };
    expect(of(60)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(60).sentence).toContain('60 % steal (taken by other guests)');
    expect(of(60).sentence).not.toContain('Processes other than');
    expect(of(3)).toMatchObject({ verdict: 'not-known', runnersUp: [{ verdict: 'cpu' }] });
    expect(of(3).sentence).toContain('Processes other than the load tool and the server used 4.68 cores.');
  });

  it('is named where pages are written back in the background, and its disk where work waits for that', () => {
    const of = (busy: number, ...more: WatchedSeries[]) => {
      const series = [
        ...cpu(busy, 17),
        watched('disk.*.utilisation', flat(98), { instance: 'nvme0n1' }),
        watched('disk.*.queue', flat(12), { instance: 'nvme0n1' }),
        ...more,
      ];
      const waiters = watched('db.io-waiters', flat(0), { means: 'io-waiters' });
      return boundOf(
        run({
          load: [{ host: 'load1', connections: 16 }],
          hosts: [hostWith(series, { cores: 8 })],
          servers: [{ name: 'mariadb', host: 'db1', series: [waiters] }],
        }),
      ).verdict;
    };
    expect(of(99, watched('pressure.io.full', flat(0)))).toBe('cpu');
    expect(of(99, watched('pressure.io.full', flat(50)))).toBe('disk');
    expect(of(60, watched('pressure.io.full', flat(0)))).toBe('disk');
  });

  it('is not one core of it for interrupts spread over all where a process of others keeps that core busy', () => {
    const cores = Array.from({ length: 64 }, (_, index) => core(String(index), index === 17 ? 99.5 : 27));
    const of = (gzip: number) => {
      const series = [
        ...cpu(28, 20),
        ...cores,
        watched('cpu.irq', flat(0.8)),
        process('mariadbd', 1700),
        process('gzip', gzip),
      ];
      const programs = { tool: ['sysbench'], server: ['mariadbd'] };
      return boundOf(run({ hosts: [hostWith(series, { programs, cores: 64 })] })).verdict;
    };
    expect(of(99)).toBe('not-known');
    expect(of(20)).toBe('one-core');
  });

  it('is not one core of it for a server that is pinned to several', () => {
    const of = (full: number) => {
      const cores = Array.from({ length: 16 }, (_, index) => core(String(index), index < full ? 99.5 : 3));
      const series = [...cpu(6 * full + 3, 2), watched('cpu.irq', flat(4)), ...cores, process('mariadbd', 99 * full)];
      return boundOf(run({ hosts: [hostWith(series, { cores: 16 })], load: [{ host: 'load1', connections: 16 }] }));
    };
    expect(of(4)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(1)).toMatchObject({ verdict: 'one-core', instance: 'mariadbd' });
  });

  it('is one core of it for a process that needs all of one, though interrupts fill another', () => {
    const cores = ['0', '1', '2', '3', '4', '5', '6', '7'].map((each, index) => core(each, index < 2 ? 99 - index : 3));
    const series = [...cpu(28, 3), ...cores, process('redis-server', 99)];
    const found = boundOf(run({ hosts: [hostWith(series, { cores: 8 })], load: [{ host: 'load1', connections: 16 }] }));
    expect(found).toMatchObject({ verdict: 'one-core', instance: 'redis-server' });
  });

  it('is the generator’s where the two share a host and the tool takes more of it', () => {
    const of = (tool: number, server: number) =>
      boundOf(
        run({
          hosts: [
            hostWith([...cpu(99, 30), process('sysbench', tool), process('mariadbd', server)], { ...both, cores: 8 }),
          ],
        }),
      );
    expect(of(500, 280)).toMatchObject({ verdict: 'generator-cpu', host: 'db1' });
    expect(of(280, 500)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(280, 500).sentence).toContain('The load tool used 2.80 cores, the server 5.00.');
  });

  it('is not named where others have most of it, and another limit is', () => {
    const link = watched('net.*.tx_mib_s', flat(115), { instance: 'eth0', limit: { value: 119, words: 'link speed' } });
    const of = (server: number, ...more: WatchedSeries[]) => {
      const programs = { tool: ['sysbench'], server: ['mariadbd'] };
      const series = [...cpu(99, 30), process('mariadbd', server), ...more];
      return boundOf(run({ hosts: [hostWith(series, { programs, cores: 8 })] }));
    };
    expect(of(500)).toMatchObject({ verdict: 'cpu', host: 'db1' });
    expect(of(120)).toMatchObject({ verdict: 'not-known', runnersUp: [{ verdict: 'cpu' }] });
    expect(of(120).sentence).toContain('Processes other than the load tool and the server used 6.72 cores.');
    expect(of(120, link)).toMatchObject({ verdict: 'network', runnersUp: [{ verdict: 'cpu' }] });
  });

  it('is one core of it for a pinned tool beside its server', () => {
    const series = [...cpu(70, 3), core('0', 40), core('1', 99.5), process('sysbench', 99.4), process('mariadbd', 38)];
    const found = boundOf(run({ hosts: [hostWith(series, both)], load: [{ host: 'db1', threads: 16 }] }));
    expect(found).toMatchObject({ verdict: 'generator-core', host: 'db1', instance: 'sysbench', share: 1 });
  });

  it('is one core of it for a single client, and not for many that happen to need one', () => {
    const series = [...cpu(26, 2), process('postgres', 98.5)];
    const of = (connections: number) =>
      boundOf(run({ hosts: [hostWith(series, { cores: 4 })], load: [{ host: 'load1', connections }] })).verdict;
    expect(of(1)).toBe('one-core');
    expect(of(16)).toBe('not-known');
  });

  it('is told beside another limit that holds for longer, and alone is not named for a third of the time', () => {
    const third = flat(40).map((value, index) => (index % 3 === 0 ? 99 : value));
    const busy = [watched('cpu.busy', third), watched('sys.running', flat(30))];
    const alone = boundOf(run({ hosts: [hostWith(busy, { cores: 8 })] }));
    expect(alone).toMatchObject({ verdict: 'not-known', runnersUp: [{ verdict: 'cpu', host: 'db1' }] });
    const link = watched('net.*.tx_mib_s', flat(115), { instance: 'eth0', limit: { value: 119, words: 'link speed' } });
    const both = boundOf(run({ hosts: [hostWith([...busy, link], { cores: 8 })] }));
    expect(both).toMatchObject({ verdict: 'network', instance: 'eth0', runnersUp: [{ verdict: 'cpu' }] });
    expect(both.sentence).toBe(
      'Link eth0 of db1 at its limit in all seconds: sent 115 of 119 MiB/s (97 %), link speed.',
    );
  });

  it('of a host that is neither generator nor server is never named', () => {
    const other = hostWith(cpu(99, 30), { cores: 8, name: 'backup', roles: ['other'] });
    expect(boundOf(run({ hosts: [other] }))).toMatchObject({ verdict: 'not-known', runnersUp: [{ host: 'backup' }] });
  });
});

describe('memory on a host that does not tell who waits for it', () => {
  const of = (mibS: number, faults: number, busy: number, ...more: WatchedSeries[]) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [],
      hosts: [
        hostWith(
          [
            watched('vm.swap_in_mib_s', flat(mibS)),
            watched('vm.major_faults', flat(faults)),
            watched('cpu.busy', flat(busy)),
            watched('sys.running', flat(60)),
            ...more,
          ],
          { cores: 16 },
        ),
      ],
      servers: [],
    });

  it('is short where a CPU that is not full leaves work waiting, or where very much comes back from swap', () => {
    expect(of(1.2, 310, 99)).toMatchObject({ verdict: 'cpu', runnersUp: [] });
    expect(of(1.2, 310, 40).verdict).toBe('memory');
    expect(of(60, 15_000, 99).verdict).toBe('memory');
    expect(of(1.2, 310, 99, watched('pressure.memory.some', flat(30))).verdict).toBe('memory');
  });

  it('is reported as not watched for waits', () => {
    expect(of(1.2, 310, 99).notWatched).toContain('memory pressure on db1');
    expect(of(1.2, 310, 99, watched('pressure.memory.some', flat(0))).notWatched).not.toContain(
      'memory pressure on db1',
    );
  });
});

describe('memory without swap', () => {
  const total = 16_384;
  const of = (faults: number, waited: number, available: number, lost?: string, ...more: WatchedSeries[]) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [],
      hosts: [
        hostWith(
          [
            watched('vm.major_faults', flat(faults)),
            watched('pressure.memory.some', flat(waited)),
            watched('pressure.memory.full', flat(waited / 2)),
            watched('mem.used_mib', flat(total * (1 - available / 100)), {
              limit: { value: total, words: 'installed memory' },
            }),
            ...more,
          ].filter(({ id }) => id !== lost),
        ),
      ],
      servers: [],
    });

  it('is short where what was dropped is read again, and next to nothing of it is available', () => {
    expect(of(900, 60, 2)).toMatchObject({ verdict: 'memory', host: 'db1', share: 1 });
    expect(of(900, 60, 2).sentence).toBe(
      'db1 short of memory in all seconds: 2.0 % of it was available, 900 major page faults/s re-read programs and files, some tasks waited for memory 60 % of the time, all non-idle tasks did 30 % of the time.',
    );
  });

  it('is not short for a cold start, for a scan of files, nor where one of the signs is not known', () => {
    expect(of(900, 0.5, 2).verdict).toBe('not-known');
    expect(of(3, 60, 2).verdict).toBe('not-known');
    for (const lost of ['vm.major_faults', 'pressure.memory.some', 'mem.used_mib'])
      expect([lost, of(900, 60, 2, lost).verdict]).toEqual([lost, 'not-known']);
    expect(of(900, 60, 2, 'pressure.memory.full').verdict).toBe('memory');
  });

  it('is short where the kernel counts what was dropped and needed again, whatever else is available', () => {
    const refaults = (pages: number) => watched('vm.refaults', flat(pages));
    expect(of(900, 60, 50, '', refaults(1200))).toMatchObject({ verdict: 'memory', host: 'db1', share: 1 });
    expect(of(900, 60, 50, '', refaults(1200)).sentence).toBe(
      'db1 short of memory in all seconds, though 50 % of it was available: 900 major page faults/s re-read programs and files, 1,200 pages/s were needed again after they had been dropped, some tasks waited for memory 60 % of the time, all non-idle tasks did 30 % of the time. A control group holds its processes to less, or what they read again and again is larger than memory.',
    );
    // A first read, reads spread evenly, and a scan with read(2).
    expect(of(900, 60, 50, '', refaults(40)).verdict).toBe('not-known');
    expect(of(900, 5, 50, '', refaults(1200)).verdict).toBe('not-known');
    expect(of(3, 60, 50, '', refaults(1200)).verdict).toBe('not-known');
  });

  it('that is available while mapped data is read again is not known to be short, and what was seen is said', () => {
    expect(of(900, 60, 50)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(900, 60, 50).sentence).toContain(
      'db1: 900 major page faults/s and waits for memory 60 % of the time, while 8,192 MiB were available',
    );
    expect(of(3, 60, 50).sentence).not.toContain('major page faults');
  });
});

describe('connections', () => {
  interface Told {
    readonly count: number;
    readonly limit: number;
    readonly clients?: number;
    readonly refused?: number;
    readonly running?: number;
    readonly busy?: number;
    readonly pooler?: true;
  }
  const of = ({ count, limit, clients, refused = 0, running = 2, busy = 20, pooler }: Told) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: clients === undefined ? [] : [{ host: 'load1', connections: clients }],
      hosts: [hostWith([watched('cpu.busy', flat(busy))], { cores: 8 })],
      servers: [
        {
          name: 'mariadb',
          host: 'db1',
          series: [
            watched('connections', flat(count), {
              means: 'connections',
              limit: { value: limit, words: 'max_connections' },
            }),
            watched('refused', flat(refused), { means: 'refused' }),
            watched('running', flat(running), { means: 'running' }),
          ],
        },
        ...(pooler
          ? [{ name: 'pgbouncer', series: [watched('waiting', flat(0), { means: 'pool-waiters' as const })] }]
          : []),
      ],
    });

  it('are the limit where all are in use and others are refused, or more clients need one', () => {
    const refused = of({ count: 99, limit: 100, refused: 12 });
    expect(refused).toMatchObject({ verdict: 'pool', host: 'db1', share: 1 });
    expect(refused.sentence).toBe(
      '99 of 100 connections of mariadb (max_connections) were in use, at least 95 of them in all seconds, and 12.0 connections/s were refused.',
    );
    expect(of({ count: 97, limit: 100, clients: 256 }).sentence).toContain('and 256 clients needed one.');
    expect(of({ count: 101, limit: 100, refused: 12 }).sentence).toBe(
      'All 100 connections of mariadb (max_connections) were in use in all seconds, and 12.0 connections/s were refused.',
    );
  });

  it('of a small server are all in use but for those that are reserved', () => {
    expect(of({ count: 16, limit: 20, clients: 64 }).verdict).toBe('pool');
    expect(of({ count: 15, limit: 20, clients: 64 }).verdict).toBe('not-known');
  });

  it('are no limit where they are many and idle, refused to others alone, or shared by a pool', () => {
    expect(of({ count: 100, limit: 100, clients: 32 })).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of({ count: 40, limit: 100, refused: 12 }).verdict).toBe('not-known');
    expect(of({ count: 100, limit: 100, clients: 32, refused: 12, running: 30 }).verdict).toBe('not-known');
    expect(of({ count: 100, limit: 100, clients: 1000, pooler: true }).verdict).toBe('not-known');
  });

  it('are told beside it where the server is busy', () => {
    expect(of({ count: 100, limit: 100, refused: 12, busy: 80 })).toMatchObject({
      verdict: 'not-known',
      runnersUp: [{ verdict: 'pool' }],
    });
  });
});

describe('requests that wait for a ticket', () => {
  const of = (waiting: number, free: number, lockMs = 0) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [{ host: 'load1', connections: 200 }],
      hosts: [hostWith([watched('cpu.busy', flat(20))], { cores: 8 })],
      servers: [
        {
          name: 'mongo',
          host: 'db1',
          series: [
            watched('tickets.free.read', flat(128), { means: 'tickets-free' }),
            watched('tickets.free.write', flat(free), { means: 'tickets-free' }),
            watched('tickets.queued.read', flat(0), { means: 'admission-waiters' }),
            watched('tickets.queued.write', flat(waiting), { means: 'admission-waiters' }),
            watched('locks.wait_ms', flat(lockMs), { means: 'lock-wait-time' }),
          ],
        },
      ],
    });

  it('are the limit while none is free', () => {
    expect(of(120, 30).verdict).toBe('not-known');
    expect(of(120, 0)).toMatchObject({ verdict: 'pool', runnersUp: [] });
    expect(of(120, 0).sentence).toBe('120 requests waited for a write ticket of mongo in all seconds, with none free.');
  });

  it('are not known to wait for one where no ticket is told, and wait for a thread beside waits for locks', () => {
    const told = (id: string) =>
      boundOf({
        window: { from: 0, to: 60 },
        load: [{ host: 'load1', connections: 200 }],
        hosts: [hostWith([watched('cpu.busy', flat(20))], { cores: 8 })],
        servers: [
          {
            name: 'db',
            host: 'db1',
            series: [
              watched(id, flat(120), { means: 'admission-waiters' }),
              watched('locks.waiting', flat(150), { means: 'lock-waiters' }),
            ],
          },
        ],
      });
    expect(told('tickets.queued.read')).toMatchObject({ verdict: 'locks', runnersUp: [] });
    expect(told('connections.queued')).toMatchObject({ verdict: 'locks', runnersUp: [{ verdict: 'pool' }] });
    expect(told('connections.queued').runnersUp[0]?.sentence).toBe(
      '120 or more requests waited for a thread in the pool of db in all seconds.',
    );
  });

  it('wait for locks where the time in locks says so', () => {
    expect(of(120, 0, 120_000)).toMatchObject({ verdict: 'locks', runnersUp: [{ verdict: 'pool' }] });
  });
});

describe('a disk that is busy all the time', () => {
  const disk = (queue: number, wait: number) => [
    watched('disk.*.utilisation', flat(99), { instance: 'nvme0n1' }),
    watched('disk.*.queue', flat(queue), { instance: 'nvme0n1' }),
    watched('disk.*.await_ms', flat(wait), { instance: 'nvme0n1' }),
  ];
  const of = (queue: number, wait: number, facts: object = {}) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [{ host: 'load1', connections: 64 }],
      hosts: [hostWith(disk(queue, wait), { devices: [{ name: 'nvme0n1', ...facts }] })],
      servers: [],
    }).verdict;

  it('is no limit by that alone, and is one where most clients or each I/O wait for it', () => {
    expect(of(8, 0.1)).toBe('not-known');
    expect(of(40, 0.5)).toBe('disk');
    expect(of(8, 0.5, { baseAwaitMs: 0.1 })).toBe('disk');
    expect(of(8, 0.25, { baseAwaitMs: 0.1 })).toBe('not-known');
    expect(of(2, 8, { rotational: true })).toBe('disk');
  });

  it('is what sessions of a server wait for only on the host of that server', () => {
    const waiters = watched('db.io-waiters', flat(60), { means: 'io-waiters' });
    const named = (host?: string) => {
      const { verdict, runnersUp } = boundOf({
        window: { from: 0, to: 60 },
        load: [{ host: 'load1', connections: 64 }],
        hosts: [hostWith(disk(8, 0.1)), hostWith(disk(8, 0.1), { name: 'load1', roles: ['generator'] })],
        servers: [{ name: 'mariadb', ...(host !== undefined && { host }), series: [waiters] }],
      });
      return [verdict, ...runnersUp.map(({ host }) => host)];
    };
    expect(named('db1')).toEqual(['disk']);
    expect(named('db2')).toEqual(['not-known']);
    expect(named()).toEqual(['disk', 'load1']);
  });
});

describe('a disk with a queue of the tool’s own', () => {
  const of = (queueDepth: number, queue: number, facts: object = {}) =>
    boundOf({
      window: { from: 0, to: 60 },
      queueDepth,
      load: [{ host: 'db1', connections: 1 }],
      hosts: [
        hostWith(
          [
            watched('disk.*.utilisation', flat(99), { instance: 'nvme0n1' }),
            watched('disk.*.queue', flat(queue), { instance: 'nvme0n1' }),
            watched('pressure.io.full', flat(95)),
          ],
          { devices: [{ name: 'nvme0n1', ...facts }] },
        ),
      ],
      servers: [],
    });

  it('is not at its limit with one I/O after the other, unless it rotates or writes back later', () => {
    expect(of(1, 0.99).verdict).toBe('not-known');
    expect(of(1, 0.99).sentence).toContain('at queue depth 1; it could take more in parallel');
    expect(of(1, 0.99, { rotational: true }).verdict).toBe('disk');
    expect(of(1, 60).verdict).toBe('disk');
    expect(of(32, 31).verdict).toBe('disk');
  });
});

describe('a volume that is paid for', () => {
  const of = (iops: number, facts: object) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [],
      hosts: [
        hostWith([watched('disk.*.iops', flat(iops), { instance: 'sda' })], { devices: [{ words: 'gp2', ...facts }] }),
      ],
      servers: [],
    });

  it('is at its limit or in its burst, and another disk where it does far more', () => {
    const gp2 = { iops: 300, burst: { iops: 3000 } };
    expect(of(290, gp2).sentence).toBe('sda of db1 at the limit of gp2 in all seconds: 290 of 300 IOPS.');
    expect(of(2950, gp2).sentence).toContain('2,950 of its burst limit of 3,000 IOPS');
    for (const iops of [200, 1500, 9000]) expect([iops, of(iops, gp2).verdict]).toEqual([iops, 'not-known']);
  });
});

it('the simulated network gives what is known of one: asymptotes, and a machine repairman of one server', () => {
  const one = { a: { demand: 0.01, servers: 1 } };
  expect(flowOf(one, 1, 0.09).rate).toBeCloseTo(10, 9);
  expect(flowOf(one, 500, 0.09).rate).toBeCloseTo(100, 6);
  // Two customers, service and thinking exponential with the same mean: the server is idle with a chance of 1/5.
  expect(flowOf(one, 2, 0.01).at.a?.busy).toBeCloseTo(0.8, 9);
});

import type { BoundVerdict } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import { normalFrom } from '../../stats/testing/load-worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, WatchedServer } from '../evidence.ts';
import { type Drawn, draw, SCENES, type Scene, type StationName } from './scenes.ts';

/** A run with a known bottleneck: the simulated network has that station at its limit. */
export interface World {
  readonly truth: BoundVerdict;
  readonly evidence: RunEvidence;
}

const WARMUP = 10;
const MIB = 2 ** 20;

/** A generator of worlds, reproducible by its seed. */
export function worldsFrom(seed: number): (scene: Scene) => World {
  const random = randomFrom(seed);
  const normal = normalFrom(random);
  const between = (low: number, high: number): number => low * (high / low) ** random();
  const noisy = noiseFrom(normal);
  return (scene) => {
    const drawn = draw(scene, between);
    return { truth: SCENES[scene], evidence: evidenceOf(drawn, noisy, between) };
  };
}

type Noisy = (seconds: number, level: number, noise?: number, most?: number) => Float64Array;

/** Correlated values around a level, never below zero or above `most`. */
function noiseFrom(normal: () => number): Noisy {
  return (seconds, level, noise = 0.04, most = Number.POSITIVE_INFINITY) => {
    const memory = 0.4;
    let error = normal();
    return Float64Array.from({ length: seconds }, () => {
      error = memory * error + Math.sqrt(1 - memory ** 2) * normal();
      return Math.min(most, Math.max(0, level * (1 + noise * error)));
    });
  };
}

type Between = (low: number, high: number) => number;

function evidenceOf(drawn: Drawn, noisy: Noisy, between: Between): RunEvidence {
  const { scene, clients, flow, seconds } = drawn;
  const t = Float64Array.from({ length: seconds }, (_, index) => index + 1);
  const line = (id: string, v: Float64Array, more: Partial<WatchedSeries> = {}): WatchedSeries => ({
    id,
    rule: id,
    label: id,
    unit: '',
    t: t.map((second) => second - 0.4),
    v,
    ...more,
  });
  const of = (rule: string, instance: string, v: Float64Array, limit?: number): WatchedSeries =>
    line(rule.replace('*', instance), v, {
      rule,
      instance,
      ...(limit && { limit: { value: limit, words: 'link speed' } }),
    });
  const maker: Maker = { drawn, noisy, between, line, of };
  return {
    window: { from: WARMUP, to: seconds },
    rate: { metric: 'tps', t, v: noisy(seconds, flow.rate, 0.03) },
    ...(scene === 'rate held' && { wanted: flow.rate }),
    load: [
      {
        host: 'load1',
        threads: scene === 'generator-core, one thread' ? 1 : clients,
        connections: clients,
      },
    ],
    hosts: [generatorHost(maker), serverHost(maker)],
    servers: serversOf(maker),
  };
}

interface Maker {
  readonly drawn: Drawn;
  readonly noisy: Noisy;
  readonly between: Between;
  readonly line: (id: string, v: Float64Array, more?: Partial<WatchedSeries>) => WatchedSeries;
  readonly of: (rule: string, instance: string, v: Float64Array, limit?: number) => WatchedSeries;
}

const busyAt = ({ flow }: Drawn, station: StationName): number => flow.at[station]?.busy ?? 0;
const thereAt = ({ flow }: Drawn, station: StationName): number => flow.at[station]?.there ?? 0;

/** CPU of a host: all cores alike, or one thread on one core, pinned or moving. */
function cpuSeries(
  { drawn, noisy, line, of }: Maker,
  station: 'serverCpu' | 'generatorCpu',
  cores: number,
  one: 'pinned' | 'wandering' | undefined,
  process: string,
): WatchedSeries[] {
  const { seconds } = drawn;
  const busy = busyAt(drawn, station);
  const rest = 2;
  const each = one === 'pinned' ? rest : one ? (100 * busy) / cores + rest : 100 * busy + 0.5;
  const coreLines = Array.from({ length: cores }, (_, core) =>
    of(
      'core.*.busy',
      String(core),
      one === 'pinned' && core === 1 ? noisy(seconds, 100 * busy, 0.006, 100) : noisy(seconds, each, 0.05, 100),
    ),
  );
  const all = one ? (100 * busy) / cores + rest : each;
  const used = one ? noisy(seconds, 100 * busy, 0.006, 100.5) : noisy(seconds, 100 * busy * cores, 0.03, 100 * cores);
  const waiting = one ? 1 : thereAt(drawn, station);
  return [
    line('cpu.busy', noisy(seconds, all, 0.03, 100), { unit: '%' }),
    ...coreLines,
    line('sys.running', noisy(seconds, waiting + 0.5, 0.15)),
    of('proc.*.cpu', process, used),
    ...(one === 'wandering' ? [of('proc.*.threads', process, noisy(seconds, 1, 0))] : []),
  ];
}

function netSeries({ drawn, noisy, of }: Maker, link: number, busy: number): WatchedSeries[] {
  const [tx, rx] = [
    noisy(drawn.seconds, link * busy * 0.98, 0.01, link),
    noisy(drawn.seconds, link * busy * 0.1, 0.05),
  ];
  return [of('net.*.tx_mib_s', 'eth0', tx, link), of('net.*.rx_mib_s', 'eth0', rx, link)];
}

function generatorHost(maker: Maker): WatchedHost {
  const { drawn, noisy, line } = maker;
  const { scene, generatorCores } = drawn;
  const own = scene === 'generator-network';
  const one =
    scene === 'generator-core pinned' ? 'pinned' : scene === 'generator-core, one thread' ? 'wandering' : undefined;
  // Incoming responses: traffic sent by the server is received by the generator.
  const net = netSeries(maker, 117, own ? busyAt(drawn, 'network') : 0.1);
  const cpu = cpuSeries(maker, 'generatorCpu', generatorCores, one, 'sysbench').filter(
    ({ rule }) => rule !== 'proc.*.threads',
  );
  return {
    name: 'load1',
    roles: ['generator'],
    cores: generatorCores,
    series: [...cpu, ...net, line('vm.swap_in_mib_s', noisy(drawn.seconds, 0))],
  };
}

function serverHost(maker: Maker): WatchedHost {
  const { drawn, noisy, between, line } = maker;
  const { scene, serverCores, seconds } = drawn;
  const one = scene === 'one-core pinned' ? 'pinned' : scene === 'one-core wandering' ? 'wandering' : undefined;
  const limited = scene === 'network' || scene === 'network, rate set';
  const network = scene === 'generator-network' ? busyAt(drawn, 'network') / 10 : busyAt(drawn, 'network');
  const iops = drawn.flow.rate * between(0.2, 2);
  const limit = scene === 'volume-limit' ? { iops: iops / busyAt(drawn, 'disk'), words: 'gp2, 1,000 GiB' } : {};
  const rotational = drawn.rotating;
  return {
    name: 'db1',
    roles: ['server'],
    cores: serverCores,
    devices: [{ name: 'nvme0n1', rotational, ...limit }],
    ...(scene === 'network, rate set' && { links: [{ name: 'eth0', mibS: 117, words: 'the rate that was set' }] }),
    series: [
      ...cpuSeries(maker, 'serverCpu', serverCores, one, 'mariadbd'),
      ...diskSeries(maker, iops),
      ...netSeries(maker, limited ? 117 : 1170, network).map((series) =>
        scene === 'network, rate set' ? { ...series, limit: { value: 10_000, words: 'link speed' } } : series,
      ),
      line('vm.swap_in_mib_s', noisy(seconds, scene === 'memory' ? 30 : 0.02, 0.5)),
      ...memorySeries(maker),
    ],
  };
}

/**
 * Major faults per second, percentage of the time in which some task waited for memory, percentage of available memory, and evicted pages
 * per fault.
 */
interface MemoryUse {
  readonly faults: number;
  readonly waited: number;
  readonly available: number;
  readonly refaults?: number;
}

/** `early`: seconds for which the rest applies; afterwards the usual use of a host follows. */
function memoryUse(scene: Scene, between: Between): MemoryUse & { readonly early?: number } {
  switch (scene) {
    case 'memory':
      return { faults: 4000, waited: 60, available: between(1, 5) };
    case 'memory, no swap':
      return { faults: between(200, 5000), waited: between(35, 90), available: between(1, 6) };
    // Reads its programs once: nothing waits for memory, however little of it the cache of the server leaves.
    case 'nothing, cold start':
      return { faults: between(500, 5000), waited: 0.5, available: between(4, 60), early: between(10, 100) };
    // The kernel evicts read pages to make room for new ones: that takes time, but they are not needed again.
    case 'nothing, scan of files':
      return { faults: 4, waited: between(5, 40), available: between(4, 80) };
    // The re-read data does not fit into the memory that its process may use, whatever else is available.
    case 'memory, mapped data':
      return {
        faults: between(500, 20_000),
        waited: between(30, 90),
        available: between(30, 90),
        refaults: between(0.8, 3),
      };
    // Reads are evenly distributed: no page was in active use when it was evicted, so nothing counts as waiting for memory.
    case 'disk, mapped data':
    case 'nothing, mapped data':
      return {
        faults: between(500, 20_000),
        waited: between(0, 8),
        available: between(30, 90),
        refaults: between(0.3, 3),
      };
    default:
      return { faults: 5, waited: 0.1, available: between(4, 80) };
  }
}

function memorySeries({ drawn, noisy, between, line }: Maker): WatchedSeries[] {
  const { seconds, scene } = drawn;
  const { faults, waited, available, refaults = 0.02, early = seconds } = memoryUse(scene, between);
  const total = between(2048, 262_144);
  const used = noisy(seconds, total * (1 - available / 100), 0.002, total);
  return [
    line(
      'vm.major_faults',
      noisy(seconds, faults, 0.2).map((value, second) => (second < early ? value : value / 500)),
    ),
    line('vm.refaults', noisy(seconds, faults * refaults, 0.2)),
    line('pressure.memory.some', noisy(seconds, waited, 0.2, 100)),
    line('pressure.memory.full', noisy(seconds, waited / 2, 0.2, 100)),
    line('mem.used_mib', used, { unit: 'MiB', limit: { value: total, words: 'installed memory' } }),
  ];
}

function diskSeries({ drawn, noisy, of, line }: Maker, iops: number): WatchedSeries[] {
  const { seconds, channels } = drawn;
  const [busy, queue] = [busyAt(drawn, 'disk'), thereAt(drawn, 'disk')];
  const one = (rule: string, v: Float64Array): WatchedSeries => of(`disk.*.${rule}`, 'nvme0n1', v);
  return [
    // Some I/O is always in flight long before all channels are busy.
    one('utilisation', noisy(seconds, 100 * (1 - (1 - Math.min(0.9999, busy)) ** channels), 0.01, 100)),
    one('queue', noisy(seconds, queue, 0.1)),
    one('iops', noisy(seconds, iops, 0.02)),
    one('read_mib_s', noisy(seconds, (iops * 16_384 * 0.7) / MIB, 0.03)),
    one('write_mib_s', noisy(seconds, (iops * 16_384 * 0.3) / MIB, 0.03)),
    one('await_ms', noisy(seconds, (1000 * queue) / iops, 0.1)),
    line('pressure.io.full', noisy(seconds, busy > 0.95 ? 70 : 10 * busy, 0.2, 100)),
  ];
}

const isPooled = (scene: Scene): boolean => scene === 'pool, told with its server' || scene === 'locks, behind a pool';

/** A pool is a separate source, or also reports on the server behind it. */
function serversOf(maker: Maker): WatchedServer[] {
  const { scene } = maker.drawn;
  const server = database(maker);
  if (scene === 'pool') return [server, { name: 'pgbouncer', host: 'db1', series: [poolSeries(maker)] }];
  return isPooled(scene) ? [{ ...server, series: [poolSeries(maker), ...server.series] }] : [server];
}

function database(maker: Maker): WatchedServer {
  const { drawn, noisy, line } = maker;
  const { seconds, clients, pool, scene } = drawn;
  const means = (word: Meaning, level: number, noise = 0.1): WatchedSeries =>
    line(`db.${word}`, noisy(seconds, level, noise), { means: word });
  const waitAt = (station: StationName): number => Math.max(0, thereAt(drawn, station) - busyAt(drawn, station));
  const inside = Math.min(pool ?? clients, clients);
  return {
    name: 'mariadb',
    host: 'db1',
    series: [
      connectionsOf(maker),
      means('running', Math.max(1, inside * 0.7)),
      means('refused', scene === 'pool, refused' || scene === 'cpu, connections refused to others' ? 20 : 0),
      means('lock-waiters', waitAt('locks')),
      means('lock-wait-time', 1000 * waitAt('locks')),
      means('log-waiters', waitAt('log')),
      means('checkpoint-age', 55),
      means('io-waiters', thereAt(drawn, 'disk')),
      ...admissionSeries(maker),
    ],
  };
}

/** Connected clients, and the server's limit: far more than there are, exactly as many, or as many as idle ones take. */
function connectionsOf({ drawn, noisy, between, line }: Maker): WatchedSeries {
  const { seconds, clients, pool, scene } = drawn;
  const [count, limit] = ((): [number, number] => {
    switch (scene) {
      case 'pool':
      case 'pool, told with its server':
      case 'locks, behind a pool':
        return [pool ?? clients, clients * 2];
      case 'pool, refused':
      case 'pool, more clients than connections':
        return [pool ?? clients, pool ?? clients];
      case 'cpu, connections refused to others':
        return [clients, clients];
      case 'nothing, idle connections': {
        const most = Math.max(151, Math.round(clients * between(1.5, 4)));
        return [most, most];
      }
      default:
        return [clients, Math.round(clients * between(1.02, 3)) + 5];
    }
  })();
  return line('db.connections', noisy(seconds, count, 0), {
    means: 'connections',
    limit: { value: limit, words: 'max_connections' },
  });
}

/** Free tickets and operations that wait for one, or requests that wait for a thread. */
function admissionSeries({ drawn, noisy, line }: Maker): WatchedSeries[] {
  const { seconds, clients, pool = clients, scene } = drawn;
  const waiting = noisy(seconds, clients - pool, 0.05);
  if (scene === 'pool, threads') return [line('connections.queued', waiting, { means: 'admission-waiters' })];
  if (scene !== 'pool, tickets' && scene !== 'disk, tickets') return [];
  return [
    line('tickets.free.write', noisy(seconds, 128, 0), { means: 'tickets-free' }),
    line('tickets.queued.read', waiting, { means: 'admission-waiters' }),
    line('tickets.free.read', noisy(seconds, 0), { means: 'tickets-free' }),
    line('tickets.queued.write', noisy(seconds, 0), { means: 'admission-waiters' }),
  ];
}

function poolSeries({ drawn, noisy, line }: Maker): WatchedSeries {
  const { seconds, clients, pool = clients } = drawn;
  return line('pool.waiting', noisy(seconds, clients - pool, 0.05), { means: 'pool-waiters' });
}

import type { BoundVerdict } from '../../model/analysis.ts';
import { type Flow, flowOf, type Station } from './closed-network.ts';

/** Stations, one of which is made the slowest. */
const STATIONS = ['generatorCpu', 'serverCpu', 'disk', 'network', 'locks', 'log'] as const;
export type StationName = (typeof STATIONS)[number];

/** A case to simulate: a class, and how it arises. */
export type Scene =
  | 'cpu'
  | 'one-core pinned'
  | 'one-core wandering'
  | 'disk'
  | 'disk, rotating'
  | 'volume-limit'
  | 'network'
  | 'network, rate set'
  | 'locks'
  | 'log'
  | 'memory'
  | 'memory, no swap'
  | 'memory, mapped data'
  | 'generator-cpu'
  | 'generator-core pinned'
  | 'generator-core, one thread'
  | 'generator-network'
  | 'pool'
  | 'pool, told with its server'
  | 'locks, behind a pool'
  | 'pool, refused'
  | 'pool, more clients than connections'
  | 'pool, tickets'
  | 'pool, threads'
  | 'cpu, connections refused to others'
  | 'disk, tickets'
  | 'disk, mapped data'
  | 'nothing, few clients'
  | 'nothing, busy SSD'
  | 'nothing, idle connections'
  | 'nothing, cold start'
  | 'nothing, scan of files'
  | 'nothing, mapped data'
  | 'rate held';

export const SCENES: Readonly<Record<Scene, BoundVerdict>> = {
  cpu: 'cpu',
  'one-core pinned': 'one-core',
  'one-core wandering': 'one-core',
  disk: 'disk',
  'disk, rotating': 'disk',
  'volume-limit': 'volume-limit',
  network: 'network',
  'network, rate set': 'network',
  locks: 'locks',
  log: 'log',
  memory: 'memory',
  'memory, no swap': 'memory',
  'memory, mapped data': 'memory',
  'generator-cpu': 'generator-cpu',
  'generator-core pinned': 'generator-core',
  'generator-core, one thread': 'generator-core',
  'generator-network': 'generator-network',
  pool: 'pool',
  'pool, told with its server': 'pool',
  'locks, behind a pool': 'locks',
  'pool, refused': 'pool',
  'pool, more clients than connections': 'pool',
  'pool, tickets': 'pool',
  'pool, threads': 'pool',
  'cpu, connections refused to others': 'cpu',
  'disk, tickets': 'disk',
  'disk, mapped data': 'disk',
  'nothing, few clients': 'not-known',
  'nothing, busy SSD': 'not-known',
  'nothing, idle connections': 'not-known',
  'nothing, cold start': 'not-known',
  'nothing, scan of files': 'not-known',
  'nothing, mapped data': 'not-known',
  'rate held': 'not-known',
};

const SLOWEST: Readonly<Partial<Record<Scene, StationName>>> = {
  cpu: 'serverCpu',
  'one-core pinned': 'serverCpu',
  'one-core wandering': 'serverCpu',
  disk: 'disk',
  'disk, rotating': 'disk',
  'volume-limit': 'disk',
  'cpu, connections refused to others': 'serverCpu',
  'disk, tickets': 'disk',
  'disk, mapped data': 'disk',
  memory: 'disk',
  'memory, no swap': 'disk',
  'memory, mapped data': 'disk',
  network: 'network',
  'network, rate set': 'network',
  'generator-network': 'network',
  locks: 'locks',
  'locks, behind a pool': 'locks',
  log: 'log',
  'generator-cpu': 'generatorCpu',
  'generator-core pinned': 'generatorCpu',
  'generator-core, one thread': 'generatorCpu',
};

const ROTATING: readonly Scene[] = ['disk, rotating', 'memory', 'memory, no swap'];

/** A run to simulate, and its flow. */
export interface Drawn {
  readonly scene: Scene;
  readonly clients: number;
  readonly serverCores: number;
  readonly generatorCores: number;
  readonly channels: number;
  readonly rotating: boolean;
  /** Maximum number of clients admitted at the same time. */
  readonly pool: number | undefined;
  readonly flow: Flow;
  readonly seconds: number;
}

/** `between`: a number in that range, on a logarithmic scale. */
export function draw(scene: Scene, between: (low: number, high: number) => number): Drawn {
  const serverCores = Math.round(between(4, 64));
  const generatorCores = Math.round(between(4, 32));
  const rotating = ROTATING.includes(scene);
  const channels = scene === 'nothing, busy SSD' ? 64 : rotating ? 1 : Math.round(between(1, 16));
  const cap = between(500, 50_000);
  const slowest = SLOWEST[scene];
  const servers: Record<StationName, number> = {
    generatorCpu: scene.startsWith('generator-core') ? 1 : generatorCores,
    serverCpu: scene.startsWith('one-core') ? 1 : serverCores,
    disk: channels,
    network: 1,
    locks: 1,
    log: 1,
  };
  // Every other station could do at least half as much again.
  const stations = Object.fromEntries(
    STATIONS.map((name) => {
      const room = name === slowest ? 1 : between(1.4, 6);
      return [name, { demand: servers[name] / (cap * room), servers: servers[name] }];
    }),
  ) as Record<StationName, Station>;
  const service = STATIONS.reduce((sum, name) => sum + stations[name].demand, 0);
  const idle = slowest === undefined;
  const think = idle ? service * 2 : service * between(0.05, 0.3);
  // Enough clients for a long queue at the slowest, or so few that none has one.
  const needed = cap * (service + think);
  const clients = idle
    ? Math.max(1, Math.round(needed * between(0.2, 0.45)))
    : Math.min(1500, Math.ceil(needed * between(3, 8)) + 8);
  const isLetIn = scene.startsWith('pool');
  const pool = isLetIn
    ? Math.max(2, Math.round(needed * 0.35))
    : scene === 'disk, tickets' || scene === 'locks, behind a pool'
      ? clients
      : undefined;
  const flow = flowOf(stations, pool ?? clients, think);
  const outside = pool === undefined ? clients : pool * 4 + 8;
  return { scene, clients: outside, serverCores, generatorCores, channels, rotating, pool, flow, seconds: 130 };
}

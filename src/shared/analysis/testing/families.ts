import type { BoundVerdict } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import { normalFrom } from '../../stats/testing/load-worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { type Plant, type Second, simulated } from './discrete-events.ts';

/** Other things on the server host that are not part of the server, in addition to those of the plant. */
interface Disturbance {
  /** MiB/s that others swap in, and percentage of the time in which they wait for it. */
  readonly swapping?: { readonly mibS: number; readonly waited: number };
  /** MiB/s that others read in few large I/Os. */
  readonly backup?: number;
  /** Idle connections of others. */
  readonly idle?: number;
  /** The server itself is short of memory: its pages are swapped in. */
  readonly short?: boolean;
  readonly rotating?: boolean;
  /** The volume has a purchased limit. */
  readonly paid?: boolean;
  /** Links that report a speed far beyond their capacity, as virtual ones do. */
  readonly overstatedLink?: boolean;
  /** A tool of one thread that does not report it; and a thread of the tool that is saturated with work that no client waits for. */
  readonly quiet?: boolean;
  readonly spins?: boolean;
  /** Connections are not watched. */
  readonly noSockets?: boolean;
}

type Between = (low: number, high: number) => number;
type Part<Of> = { readonly [Name in keyof Of]?: Of[Name] extends object ? Partial<Of[Name]> : Of[Name] };
type Drawn = Part<Plant> & { readonly disturbance?: Disturbance };

/** Each resource is idle enough to be no limit. */
const IDLE: Plant = {
  clients: 8,
  think: 0,
  tool: { cpu: 0.0002, cores: 4, threads: 64, link: 0.0002 },
  path: { roundTrip: 0.0004, proxy: 0 },
  link: 0.0002,
  pool: 4096,
  cpu: { need: 0.002, cores: 4, threads: 64, quota: 64, others: 0, niced: false },
  disk: { share: 0, takes: 0.001, channels: 16, others: 0, othersTake: 0.002, limit: 0 },
  faults: 0,
  locks: { holds: 0, things: 1 },
  log: 0,
  hidden: 0,
  connect: { need: 0, accept: 0, trips: 0 },
};

const NICED = { others: 8, niced: true };
const BACKUP = { others: 1, othersTake: 0.004 };
const READING = { backup: 120 };
const SWAPPING = { swapping: { mibS: 6, waited: 8 } };
const cpuFull = { need: 0.008 };
const reads = { share: 1, takes: 0.01, channels: 4 };
const FAR = { roundTrip: 0.02 };
const OVERSTATED_LINK = { overstatedLink: true };
const SPINNING = { spins: true };
const hot = { holds: 0.004, things: 1 };

/** Everything at random: several resources near their limit, or none. */
const anything = (between: Between): Part<Plant> => ({
  clients: Math.round(between(1, 64)),
  think: between(0.0005, 0.1),
  tool: { cpu: between(0.0002, 0.004), link: between(0.0001, 0.002) },
  path: { roundTrip: between(0.0004, 0.02) },
  link: between(0.0001, 0.003),
  cpu: { need: between(0.001, 0.02) },
  disk: { share: between(0.05, 1), takes: between(0.001, 0.01), channels: Math.round(between(1, 16)) },
  locks: { holds: between(0.0001, 0.002), things: 1 },
  log: between(0.0005, 0.01),
});

/** At least 40 kinds of systems; half of them with a decoy that looks like a limit and is none. */
export const FAMILIES: Readonly<Record<string, (between: Between) => Drawn>> = {
  'a full CPU': (between) => ({ clients: Math.round(between(16, 64)), cpu: cpuFull }),
  'a full CPU, niced strangers beside it': (between) => ({
    clients: Math.round(between(16, 64)),
    cpu: { ...cpuFull, ...NICED },
  }),
  'a full CPU, others have a part of it': (between) => ({
    clients: Math.round(between(24, 64)),
    cpu: { ...cpuFull, others: 3 },
  }),
  'a full CPU, a backup on the disk': (between) => ({
    clients: Math.round(between(16, 64)),
    cpu: cpuFull,
    disk: BACKUP,
    disturbance: READING,
  }),
  'a full CPU, strangers that swap': (between) => ({
    clients: Math.round(between(16, 64)),
    cpu: cpuFull,
    disturbance: SWAPPING,
  }),
  'a full CPU, idle connections': (between) => ({
    clients: Math.round(between(16, 64)),
    cpu: cpuFull,
    disturbance: { idle: 120 },
  }),
  'clients that think, others have half of the CPU': (between) => ({
    clients: Math.round(between(12, 20)),
    think: between(0.04, 0.06),
    cpu: { need: 0.006, others: 2 },
  }),
  'a CPU just full': (between) => ({ clients: Math.round(between(9, 12)), cpu: cpuFull, think: 0.004 }),
  'clients that think': (between) => ({ clients: Math.round(between(8, 24)), think: between(0.1, 0.4) }),
  'clients that think, niced strangers': (between) => ({
    clients: Math.round(between(8, 24)),
    think: between(0.1, 0.4),
    cpu: NICED,
  }),
  'clients that think, a backup': (between) => ({
    clients: Math.round(between(8, 24)),
    think: between(0.1, 0.4),
    disk: BACKUP,
    disturbance: READING,
  }),
  'clients that think, strangers that swap': (between) => ({
    clients: Math.round(between(8, 24)),
    think: between(0.1, 0.4),
    disturbance: SWAPPING,
  }),
  'one client far away': (between) => ({ clients: 1, path: { roundTrip: between(0.005, 0.05) } }),
  'two clients far away, an I/O always under way': (between) => ({
    clients: 2,
    path: { roundTrip: between(0.005, 0.03) },
    disk: { others: 1, othersTake: 0.0005, channels: 32 },
    disturbance: { backup: 8 },
  }),
  'four clients far away, a backup': (between) => ({
    clients: 4,
    path: { roundTrip: between(0.005, 0.03) },
    disk: { ...BACKUP, channels: 32 },
    disturbance: READING,
  }),
  'four clients far away, niced strangers': (between) => ({
    clients: 4,
    path: { roundTrip: between(0.005, 0.03) },
    cpu: NICED,
  }),
  'many clients very far away': (between) => ({
    clients: Math.round(between(16, 48)),
    path: { roundTrip: between(0.1, 0.2) },
  }),
  'one client whose statements take a core': (between) => ({ clients: 1, cpu: { need: between(0.02, 0.05) } }),
  'one client, core and disk by turns': (between) => ({
    clients: 1,
    cpu: { need: between(0.004, 0.006) },
    disk: { share: 1, takes: between(0.004, 0.006) },
  }),
  'two clients that read one after the other': (between) => ({
    clients: 2,
    disk: { share: 1, takes: between(0.004, 0.01), channels: 16 },
  }),
  'a full disk': (between) => ({ clients: Math.round(between(24, 64)), disk: reads }),
  'a full disk, niced strangers': (between) => ({
    clients: Math.round(between(24, 64)),
    disk: reads,
    cpu: NICED,
  }),
  'a full disk, a backup beside': (between) => ({
    clients: Math.round(between(24, 64)),
    disk: { ...reads, ...BACKUP },
    disturbance: READING,
  }),
  'a rotating disk': (between) => ({
    clients: Math.round(between(8, 32)),
    disk: { share: 1, takes: 0.008, channels: 1 },
    disturbance: { rotating: true },
  }),
  'a volume at its limit': (between) => ({
    clients: Math.round(between(16, 48)),
    disk: { share: 1, takes: 0.001, channels: 16, limit: 300 },
    disturbance: { paid: true },
  }),
  'a full link': (between) => ({ clients: Math.round(between(16, 48)), link: 0.004 }),
  'a full link, a backup on the disk': (between) => ({
    clients: Math.round(between(16, 48)),
    link: 0.004,
    disk: BACKUP,
    disturbance: READING,
  }),
  'a full link of the generator': (between) => ({
    clients: Math.round(between(16, 48)),
    tool: { link: 0.004 },
  }),
  'one hot row': (between) => ({ clients: Math.round(between(16, 48)), locks: hot }),
  'one hot row, niced strangers': (between) => ({
    clients: Math.round(between(16, 48)),
    locks: hot,
    cpu: NICED,
  }),
  'one hot row, a backup': (between) => ({
    clients: Math.round(between(16, 48)),
    locks: hot,
    disk: BACKUP,
    disturbance: READING,
  }),
  'a slow log': (between) => ({ clients: Math.round(between(8, 32)), log: between(0.02, 0.04) }),
  'a slow log, strangers that swap': (between) => ({
    clients: Math.round(between(8, 32)),
    log: between(0.02, 0.04),
    disturbance: SWAPPING,
  }),
  'too little memory': (between) => ({
    clients: Math.round(between(16, 32)),
    faults: between(3, 6),
    disk: { takes: 0.004, channels: 4 },
    disturbance: { short: true },
  }),
  'a tool that fills its CPU': (between) => ({
    clients: Math.round(between(16, 48)),
    tool: { cpu: 0.01, cores: 2 },
  }),
  'a tool of one thread': (between) => ({
    clients: Math.round(between(8, 32)),
    tool: { cpu: 0.006, threads: 1 },
  }),
  'a server of one thread, niced strangers': (between) => ({
    clients: Math.round(between(8, 32)),
    cpu: { need: 0.005, threads: 1, others: between(1, 3) | 0, niced: true },
  }),
  'a small pool': (between) => ({
    clients: Math.round(between(24, 48)),
    pool: 3,
    disk: { share: 1, takes: 0.008, channels: 16 },
  }),
  'a small pool, a backup': (between) => ({
    clients: Math.round(between(24, 48)),
    pool: 3,
    disk: { share: 1, takes: 0.008, channels: 16, ...BACKUP },
    disturbance: READING,
  }),
  'a quota of its control group': (between) => ({
    clients: Math.round(between(16, 48)),
    cpu: { need: 0.004, quota: between(0.5, 1.5) },
  }),
  'a proxy that does one after the other': (between) => ({
    clients: Math.round(between(8, 32)),
    path: { proxy: between(0.005, 0.02) },
  }),
  'something that nothing tells of': (between) => ({
    clients: Math.round(between(16, 48)),
    hidden: between(0.004, 0.01),
  }),
  anything,
  'anything, niced strangers': (between) => {
    const plant = anything(between);
    return { ...plant, cpu: { ...plant.cpu, ...NICED } };
  },
  'anything, a backup': (between) => {
    const plant = anything(between);
    return { ...plant, disk: { ...plant.disk, ...BACKUP }, disturbance: READING };
  },
  'anything, strangers that swap': (between) => ({ ...anything(between), disturbance: SWAPPING }),
  'one full thread of a tool among idle ones': (between) => ({
    clients: Math.round(between(8, 32)),
    tool: { cpu: 0.006, threads: 1 },
    disturbance: { quiet: true },
  }),
  'one full thread of a tool, clients far away': (between) => ({
    clients: Math.round(between(24, 32)),
    tool: { cpu: 0.006, threads: 1 },
    path: FAR,
    disturbance: { quiet: true },
  }),
  'one full thread of a tool, nobody looks at connections': (between) => ({
    clients: Math.round(between(8, 32)),
    tool: { cpu: 0.006, threads: 1 },
    disturbance: { quiet: true, noSockets: true },
  }),
  'clients far away, a thread of the tool that spins': (between) => ({
    clients: Math.round(between(4, 16)),
    path: { roundTrip: between(0.02, 0.1) },
    disturbance: SPINNING,
  }),
  'a full CPU, a thread of the tool that spins': (between) => ({
    clients: Math.round(between(16, 64)),
    cpu: cpuFull,
    disturbance: SPINNING,
  }),
  'one hot row, a thread of the tool that spins': (between) => ({
    clients: Math.round(between(16, 48)),
    locks: hot,
    disturbance: SPINNING,
  }),
  'a full link whose speed nobody tells': (between) => ({
    clients: Math.round(between(8, 48)),
    link: between(0.003, 0.008),
    disturbance: OVERSTATED_LINK,
  }),
  'a full link whose speed nobody tells, clients far away': (between) => ({
    clients: Math.round(between(24, 48)),
    link: between(0.004, 0.008),
    path: FAR,
    disturbance: OVERSTATED_LINK,
  }),
  'a full link whose speed nobody tells, niced strangers': (between) => ({
    clients: Math.round(between(8, 48)),
    link: between(0.003, 0.008),
    cpu: NICED,
    disturbance: OVERSTATED_LINK,
  }),
  'a full link whose speed nobody tells, nobody looks at connections': (between) => ({
    clients: Math.round(between(8, 48)),
    link: between(0.003, 0.008),
    disturbance: { ...OVERSTATED_LINK, noSockets: true },
  }),
  'a link whose speed nobody tells, clients far away': (between) => ({
    clients: Math.round(between(8, 24)),
    link: between(0.0002, 0.0006),
    path: { roundTrip: between(0.05, 0.2) },
    disturbance: OVERSTATED_LINK,
  }),
  'a link whose speed nobody tells, a proxy': (between) => ({
    clients: Math.round(between(8, 32)),
    path: { proxy: between(0.005, 0.02) },
    link: between(0.0005, 0.002),
    disturbance: OVERSTATED_LINK,
  }),
  'a link whose speed nobody tells, clients that think': (between) => ({
    clients: Math.round(between(8, 24)),
    think: between(0.1, 0.4),
    link: between(0.0005, 0.002),
    disturbance: OVERSTATED_LINK,
  }),
  'a connection for each operation, the CPU full': (between) => ({
    clients: Math.round(between(16, 48)),
    cpu: { need: 0.002 },
    connect: { need: between(0.004, 0.01), accept: 0.0005, trips: 4 },
  }),
  'a connection for each operation, one after the other': (between) => ({
    clients: Math.round(between(16, 48)),
    connect: { need: 0.001, accept: between(0.004, 0.01), trips: 4 },
  }),
  'a connection for each operation, far away': (between) => ({
    clients: Math.round(between(4, 16)),
    path: { roundTrip: between(0.02, 0.1) },
    connect: { need: 0.001, accept: 0.0005, trips: 4 },
  }),
  'one client that connects each time': (between) => ({
    clients: 1,
    path: { roundTrip: between(0.001, 0.02) },
    connect: { need: 0.002, accept: 0.0005, trips: 4 },
  }),
  'a rate that is held': (between) => ({ clients: 16, rate: Math.round(between(50, 150)) }),
};

/** Fewer operations per second take less time to simulate; nothing else changes. */
const SLOWER = 2.5;

function plantOf({ disturbance: _, ...drawn }: Drawn): Plant {
  const all: Plant = {
    ...IDLE,
    ...drawn,
    tool: { ...IDLE.tool, ...drawn.tool },
    path: { ...IDLE.path, ...drawn.path },
    cpu: { ...IDLE.cpu, ...drawn.cpu },
    disk: { ...IDLE.disk, ...drawn.disk },
    locks: { ...IDLE.locks, ...drawn.locks },
    connect: { ...IDLE.connect, ...drawn.connect },
  };
  const { tool, path, connect, cpu, disk, locks, rate } = all;
  return {
    ...all,
    think: all.think * SLOWER,
    tool: { ...tool, cpu: tool.cpu * SLOWER, link: tool.link * SLOWER },
    path: { roundTrip: path.roundTrip * SLOWER, proxy: path.proxy * SLOWER },
    link: all.link * SLOWER,
    cpu: { ...cpu, need: cpu.need * SLOWER },
    disk: { ...disk, takes: disk.takes * SLOWER, limit: disk.limit / SLOWER },
    locks: { ...locks, holds: locks.holds * SLOWER },
    log: all.log * SLOWER,
    hidden: all.hidden * SLOWER,
    connect: { need: connect.need * SLOWER, accept: connect.accept * SLOWER, trips: connect.trips },
    ...(rate !== undefined && { rate: rate / SLOWER }),
  };
}

/** The same with twice of one thing. A resource that is twice as fast takes half the time. */
const TWICE: readonly (readonly [BoundVerdict | 'hidden', (plant: Plant) => Plant])[] = [
  ['clients', (plant) => ({ ...plant, clients: 2 * plant.clients })],
  ['cpu', ({ cpu, ...plant }) => ({ ...plant, cpu: { ...cpu, cores: 2 * cpu.cores, quota: 2 * cpu.quota } })],
  ['generator-cpu', ({ tool, ...plant }) => ({ ...plant, tool: { ...tool, cores: 2 * tool.cores } })],
  [
    'one-core',
    ({ cpu, connect, ...plant }) => ({
      ...plant,
      cpu: { ...cpu, need: cpu.need / 2 },
      connect: { ...connect, need: connect.need / 2 },
    }),
  ],
  ['generator-core', ({ tool, ...plant }) => ({ ...plant, tool: { ...tool, cpu: tool.cpu / 2 } })],
  ['network', (plant) => ({ ...plant, link: plant.link / 2 })],
  ['generator-network', ({ tool, ...plant }) => ({ ...plant, tool: { ...tool, link: tool.link / 2 } })],
  ['path', ({ path, ...plant }) => ({ ...plant, path: { roundTrip: path.roundTrip / 2, proxy: path.proxy / 2 } })],
  [
    'disk',
    ({ disk, ...plant }) => ({ ...plant, disk: { ...disk, takes: disk.takes / 2, othersTake: disk.othersTake / 2 } }),
  ],
  ['volume-limit', ({ disk, ...plant }) => ({ ...plant, disk: { ...disk, limit: 2 * disk.limit } })],
  ['memory', (plant) => ({ ...plant, faults: 0 })],
  ['locks', ({ locks, ...plant }) => ({ ...plant, locks: { ...locks, things: 2 * locks.things } })],
  ['log', (plant) => ({ ...plant, log: plant.log / 2 })],
  ['pool', (plant) => ({ ...plant, pool: 2 * plant.pool })],
  [
    'hidden',
    ({ connect, ...plant }) => ({
      ...plant,
      hidden: plant.hidden / 2,
      connect: { ...connect, accept: connect.accept / 2 },
    }),
  ],
];

const LIFT = 1.15;
const SECONDS = 40;
const TRIED_FOR = 12;

export interface Case {
  readonly evidence: RunEvidence;
  /** Resources whose doubling raises the throughput by 15 % or more; `hidden`: no watched series shows it. */
  readonly truth: ReadonlySet<BoundVerdict | 'hidden'>;
}

export function caseOf(family: string, seed: number): Case {
  const random = randomFrom(seed);
  const between: Between = (low, high) => low * (high / low) ** random();
  const drawn = (FAMILIES[family] as (between: Between) => Drawn)(between);
  const plant = plantOf(drawn);
  const seconds = simulated(plant, SECONDS, seed);
  const least = LIFT * meanOf(seconds, ({ done }) => done);
  const lifts = (more: Plant): boolean =>
    JSON.stringify(more) !== JSON.stringify(plant) &&
    meanOf(simulated(more, TRIED_FOR, seed + 1), ({ done }) => done) >= least;
  const alone = TWICE.filter(([, twice]) => lifts(twice(plant)));
  // Two that are saturated together: doubling either gains little, doubling both does.
  const pairs = TWICE.flatMap((one, place) => TWICE.slice(place + 1).map((other) => [one, other] as const));
  const found =
    alone.length > 0 || plant.rate !== undefined
      ? alone
      : pairs.filter(([[, one], [, other]]) => lifts(one(other(plant)))).flat();
  const lifted = new Set(found.map(([what]) => what));
  // A faster core helps wherever the CPU does: one core is the limit if more of them do not.
  if (lifted.has('cpu')) lifted.delete('one-core');
  if (lifted.has('generator-cpu')) lifted.delete('generator-core');
  const truth: Case['truth'] = lifted;
  return { truth, evidence: evidenceOf(plant, drawn.disturbance ?? {}, seconds, normalFrom(random)) };
}

const meanOf = (seconds: readonly Second[], of: (second: Second) => number): number =>
  seconds.reduce((sum, second) => sum + of(second), 0) / seconds.length;

const READ_MIB = 16 / 1024;

function evidenceOf(
  plant: Plant,
  {
    swapping,
    backup = 0,
    idle = 0,
    short = false,
    rotating = false,
    paid = false,
    overstatedLink = false,
    quiet = false,
    spins = false,
    noSockets = false,
  }: Disturbance,
  seconds: readonly Second[],
  normal: () => number,
): RunEvidence {
  const { cpu, tool, clients } = plant;
  const t = Float64Array.from(seconds, (_, second) => second + 1);
  const noisy = (value: number, noise: number, most = Number.POSITIVE_INFINITY): number =>
    Math.min(most, Math.max(0, value * (1 + noise * normal())));
  const line = (
    rule: string,
    of: (second: Second) => number,
    more: Partial<WatchedSeries> = {},
    noise = 0.01,
    most?: number,
  ): WatchedSeries => ({
    id: more.instance === undefined ? rule : rule.replace('*', more.instance),
    rule,
    label: rule,
    unit: '',
    t,
    v: Float64Array.from(seconds, (second) => noisy(of(second), noise, most)),
    ...more,
  });
  const serverLine = (means: Meaning, of: (second: Second) => number): WatchedSeries =>
    line(`db.${means}`, of, { means }, 0);
  const link = { limit: { value: overstatedLink ? 1170 : 117, words: 'link speed' }, instance: 'eth0' };
  /** For a tool that reports its threads; and its work other than for clients. */
  const [threads, spinning] = [quiet ? undefined : Math.min(clients, tool.threads), spins ? 1 : 0];
  /** MiB that an operation sends through the link, which carries 116 per second. */
  const answer = 116 * plant.link;
  const sockets = (peer: string, of: Record<string, (second: Second) => number>): WatchedSeries[] =>
    noSockets
      ? []
      : Object.entries(of).map(([what, serverLine]) => line(`sockets.*.${what}`, serverLine, { instance: peer }, 0));
  const trip = 1000 * plant.path.roundTrip;
  const cores = (count: number, of: (second: Second) => number, one: boolean): WatchedSeries[] =>
    Array.from({ length: count }, (_, core) =>
      line(
        'core.*.busy',
        (second) => (one ? (core === 0 ? 100 * of(second) : 2) : (100 * of(second)) / count),
        { instance: String(core) },
        0.02,
        100,
      ),
    );
  const device = { instance: 'nvme0n1' };
  const own = ({ ios }: Second): number => ios * READ_MIB;
  const memory = { instance: undefined };
  return {
    window: { from: 0, to: seconds.length },
    rate: { metric: 'tps', t, v: Float64Array.from(seconds, ({ done }) => done) },
    latency: { t, v: Float64Array.from(seconds, ({ latency }) => 1000 * latency) },
    ...(plant.rate !== undefined && { wanted: plant.rate }),
    load: [{ host: 'load1', ...(threads !== undefined && { threads }), connections: clients }],
    hosts: [
      {
        name: 'load1',
        roles: ['generator'],
        cores: tool.cores,
        programs: { tool: ['sysbench'], server: [] },
        series: [
          line('cpu.busy', ({ toolCpu }) => (100 * (toolCpu + spinning)) / tool.cores + 1, {}, 0.02, 100),
          ...cores(tool.cores, ({ toolCpu }) => toolCpu + spinning, false),
          line('sys.running', ({ toolRunnable }) => toolRunnable + spinning + 1, {}, 0),
          line('proc.*.cpu', ({ toolCpu }) => 100 * (toolCpu + spinning), { instance: 'sysbench' }),
          line(
            'proc.*.busiest_thread',
            ({ toolCpu }) => (spins ? 100 : (100 * toolCpu) / Math.min(tool.threads, clients)),
            { instance: 'sysbench' },
            0.005,
            100,
          ),
          ...sockets('server', { unread: ({ unread }) => unread, least_ms: () => trip }),
          line('net.*.rx_mib_s', ({ toolLinkBusy }) => 116 * toolLinkBusy, link),
          line('net.*.tx_mib_s', () => 1, link),
          line('vm.swap_in_mib_s', () => 0),
        ],
      },
      {
        name: 'db1',
        roles: ['server'],
        cores: cpu.cores,
        programs: { tool: [], server: ['mariadbd'] },
        devices: [{ name: 'nvme0n1', rotational: rotating, ...(paid && { iops: plant.disk.limit, words: 'gp2' }) }],
        series: [
          line('cpu.busy', ({ busy }) => (100 * busy) / cpu.cores, {}, 0.005, 100),
          line('cpu.nice', ({ otherCpu }) => (cpu.niced ? (100 * otherCpu) / cpu.cores : 0), {}, 0.005, 100),
          ...cores(cpu.cores, ({ busy }) => busy, cpu.threads === 1 && cpu.others === 0),
          line('sys.running', ({ runnable }) => runnable + 1, {}, 0),
          line('proc.*.cpu', ({ serverCpu }) => 100 * serverCpu, {
            instance: 'mariadbd',
            ...(cpu.quota < 64 && { limit: { value: 100 * cpu.quota, words: 'quota of its control group' } }),
          }),
          ...(cpu.threads === 1 ? [line('proc.*.threads', () => 1, { instance: 'mariadbd' }, 0)] : []),
          ...(cpu.others > 0 ? [line('proc.*.cpu', ({ otherCpu }) => 100 * otherCpu, { instance: 'encoder' })] : []),
          ...(cpu.quota < 64
            ? [line('proc.*.throttled', ({ throttled }) => 100 * throttled, { instance: 'mariadbd' })]
            : []),
          line('proc.*.read_mib_s', own, { instance: 'mariadbd' }),
          line('disk.*.utilisation', ({ deviceBusy }) => 100 * deviceBusy, device, 0.005, 100),
          line('disk.*.queue', ({ queue }) => queue, device),
          line('disk.*.await_ms', ({ wait }) => 1000 * wait, device),
          line('disk.*.iops', ({ ios, otherIos }) => ios + otherIos, device, 0.005),
          line('disk.*.read_mib_s', (second) => own(second) + backup, device),
          line('disk.*.write_mib_s', () => 0.2, device),
          line('net.*.tx_mib_s', ({ linkBusy }) => 116 * linkBusy, link),
          line('net.*.rx_mib_s', () => 1, link),
          ...sockets('clients', {
            unconfirmed: ({ onTheWay }) => onTheWay,
            unconfirmed_kib: ({ onTheWay }) => 1024 * answer * onTheWay,
            least_ms: () => trip,
          }),
          line('vm.swap_in_mib_s', ({ ios }) => (short ? (ios * 4) / 1024 : (swapping?.mibS ?? 0)), memory, 0.1),
          line('vm.major_faults', ({ ios }) => (short ? ios : swapping ? 1500 : 0), memory, 0.1),
          line('proc.*.major_faults', ({ ios }) => (short ? ios : 0), { instance: 'mariadbd' }, 0.1),
          // All tasks at work waited for I/O: including that of others, if nothing else is at work.
          line(
            'pressure.io.full',
            ({ ioWaiters, serverCpu }) =>
              cpu.others > 0 ? 2 : Math.max(0, (backup > 0 || ioWaiters > 0 ? 90 : 2) - 60 * serverCpu),
            memory,
            0.1,
            100,
          ),
          line('pressure.memory.some', () => (short ? 60 : (swapping?.waited ?? 0)), memory, 0.1, 100),
          line('mem.used_mib', () => 8000, { limit: { value: 16_000, words: 'installed memory' } }, 0.001),
        ],
      },
    ],
    servers: [
      {
        name: 'mariadb',
        host: 'db1',
        series: [
          line(
            'db.connections',
            () => Math.min(plant.pool, clients) + idle,
            {
              means: 'connections',
              limit: { value: 400, words: 'max_connections' },
            },
            0,
          ),
          serverLine('running', ({ running }) => running),
          serverLine('lock-waiters', ({ lockWaiters }) => lockWaiters),
          serverLine('log-waiters', ({ logWaiters }) => logWaiters),
          serverLine('io-waiters', ({ ioWaiters }) => (short ? 0 : ioWaiters)),
          serverLine('checkpoint-age', () => 40),
          serverLine('connects', ({ done }) => (plant.connect.trips > 0 ? done : 0)),
          serverLine('statements', ({ done }) => done),
        ],
      },
      ...(plant.pool < 100
        ? [{ name: 'pgbouncer', host: 'db1', series: [serverLine('pool-waiters', ({ poolWaiters }) => poolWaiters)] }]
        : []),
    ],
  };
}

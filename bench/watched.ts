import { openStore } from '../src/main/engine/store/open.ts';
import { randomFrom } from '../src/shared/util/numbers.ts';

const WATCHED_SECONDS = 36_000;
export const WATCHED_START = 1_700_000_000;
const ROWS_PER_BATCH = 2_000;
const CORES = 16;
const DISKS = 11;
const LINKS = 6;

const DISK = ['read_ios', 'write_ios', 'read_sectors', 'write_sectors', 'read_ms', 'write_ms', 'busy_ms', 'queue_ms'];
const LINK = ['rx_bytes', 'tx_bytes', 'rx_packets', 'tx_packets', 'rx_dropped', 'tx_dropped', 'rx_errors', 'tx_errors'];

const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];
const PROCESSES = ['mariadbd', 'sysbench', 'kworker'];
const PROCESS = ['user_ticks', 'system_ticks', 'read_bytes', 'write_bytes', 'voluntary_switches', 'forced_switches'];
const SYSTEM = ['sys.context_switches', 'sys.interrupts', 'sys.forks', 'tcp.retransmitted', 'collector.cpu_ticks'];
const FAULTS = ['vm.swap_in_pages', 'vm.swap_out_pages', 'vm.major_faults'];
const PRESSURE = ['cpu.some', 'io.some', 'io.full', 'memory.some', 'memory.full'];

/** Counters that only grow. */
const GROWING = [
  ...MODES.map((mode) => `cpu.${mode}`),
  ...Array.from({ length: CORES }, (_, core) => MODES.map((mode) => `core.${core}.${mode}`)).flat(),
  ...[...SYSTEM, ...FAULTS, ...PRESSURE.map((name) => `pressure.${name}_us`)],
  ...Array.from({ length: DISKS }, (_, disk) => DISK.map((name) => `disk.nvme${disk}n1.${name}`)).flat(),
  ...Array.from({ length: LINKS }, (_, link) => LINK.map((name) => `net.eno${link}.${name}`)).flat(),
  ...PROCESSES.flatMap((process) => PROCESS.map((name) => `proc.${process}.${name}`)),
];

/** Approximate values of gauges. */
const LEVELS: Readonly<Record<string, number>> = {
  'sys.running': 14,
  'sys.blocked': 3,
  'load.1': 14,
  'mem.available_kib': 30_000_000,
  'mem.cached_kib': 20_000_000,
  'mem.dirty_kib': 900_000,
  'mem.writeback_kib': 40_000,
  'tcp.established': 120,
  ...Object.fromEntries(
    PROCESSES.flatMap((name) => [
      [`proc.${name}.rss_kib`, 2_000_000],
      [`proc.${name}.threads`, 42],
    ]),
  ),
};
/** Constant values. */
const FIXED = { 'cpu.count': CORES, 'mem.total_kib': 65_000_000 };

/** Approximate growth per second of each kind of counter. */
const PACE: Readonly<Record<string, number>> = {
  user: 70,
  system: 16,
  idle: 8,
  iowait: 4,
  softirq: 2,
  context_switches: 150_000,
  interrupts: 90_000,
  forks: 3,
  major_faults: 1,
  some_us: 200_000,
  full_us: 60_000,
  user_ticks: 200,
  system_ticks: 40,
  read_bytes: 3_000_000,
  write_bytes: 80_000_000,
  voluntary_switches: 4_000,
  forced_switches: 300,
  read_ios: 900,
  write_ios: 4_000,
  read_sectors: 30_000,
  write_sectors: 260_000,
  read_ms: 700,
  write_ms: 2_500,
  busy_ms: 640,
  queue_ms: 3_200,
  rx_bytes: 11_000_000,
  tx_bytes: 95_000_000,
  rx_packets: 40_000,
  tx_packets: 70_000,
};

/** A host with many devices, with the kernel's counters: some 200 series. */
export class CountedHost {
  readonly #random: () => number;
  readonly #counters = new Map(GROWING.map((name) => [name, 1e6]));

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** Values of the next second, `second` seconds after `WATCHED_START`. */
  next(second: number): { t: number; metrics: Record<string, number> } {
    const random = this.#random;
    for (const [name, value] of this.#counters) {
      const pace = PACE[name.slice(name.lastIndexOf('.') + 1)] ?? 0;
      this.#counters.set(name, value + Math.floor(pace * (0.9 + 0.2 * random())));
    }
    const levels = Object.entries(LEVELS).map(
      ([name, level]) => [name, Math.round(level * (0.8 + 0.4 * random()))] as const,
    );
    const metrics = { ...Object.fromEntries(this.#counters), ...Object.fromEntries(levels), ...FIXED };
    return { t: WATCHED_START + second + Math.floor(random() * 20) / 1000, metrics };
  }
}

/** Stores ten hours of samples of such a host. */
export function addWatchedHost(dataDir: string, sessionId: number): void {
  const store = openStore(dataDir, { mode: 'test' });
  try {
    const random = randomFrom(20);
    const host = new CountedHost(20);
    const source = store.sources.ensure(sessionId, { kind: 'host', name: 'server-1', position: 0 });
    store.sources.setAbout(source.id, { roles: ['server'] });
    for (let hour = 0; hour <= 10; hour += 1)
      store.sources.addClock(source.id, { t: WATCHED_START + 3600 * hour, offsetMs: 3 + random(), errorMs: 1 });
    for (let first = 0; first < WATCHED_SECONDS; first += ROWS_PER_BATCH) {
      const rows = Array.from({ length: ROWS_PER_BATCH }, (_, index) => host.next(first + index));
      store.monitored.ingest({ sourceId: source.id, rows });
    }
    store.monitored.seal(source.id);
  } finally {
    store.close();
  }
}

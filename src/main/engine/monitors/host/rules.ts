import type { SeriesRule } from '../../../../shared/model/monitored.ts';

const MIB = 1 / 1024 ** 2;
const KIB = 1 / 1024;
/** Blocks of the kernel's disk figures, whatever those of the device are. */
const SECTOR = 512 * MIB;
/** Pages of swap, as on all x86 and most ARM hosts. */
const SWAP_PAGE = 4096 * MIB;
/** Megabits a second, of a link, in MiB/s. */
const MEGABIT = (1e6 / 8) * MIB;

const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];
const BUSY = ['user', 'nice', 'system', 'irq', 'softirq', 'steal'];
const each = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}.${name}`);

const cpu = (id: string, label: string, modes: readonly string[]): SeriesRule => ({
  id,
  label,
  unit: '%',
  lane: 'cpu',
  digits: 1,
  stack: 'cpu',
  limit: { value: 100, words: 'all cores busy' },
  reading: { kind: 'share', of: each('cpu', modes), whole: each('cpu', MODES) },
});

const CPU: readonly SeriesRule[] = [
  {
    id: 'cpu.busy',
    label: 'CPU busy',
    unit: '%',
    lane: 'cpu',
    digits: 1,
    main: true,
    limit: { value: 100, words: 'all cores busy' },
    reading: { kind: 'share', of: each('cpu', BUSY), whole: each('cpu', MODES) },
  },
  cpu('cpu.user', 'User', ['user', 'nice']),
  cpu('cpu.system', 'System', ['system']),
  cpu('cpu.irq', 'Interrupts', ['irq', 'softirq']),
  cpu('cpu.iowait', 'I/O wait', ['iowait']),
  cpu('cpu.steal', 'Stolen by the hypervisor', ['steal']),
  {
    id: 'core.*.busy',
    label: 'Core busy',
    unit: '%',
    lane: 'cpu',
    digits: 1,
    limit: { value: 100, words: 'core busy' },
    reading: { kind: 'share', of: each('core.*', BUSY), whole: each('core.*', MODES) },
  },
  {
    id: 'freq.mean_mhz',
    label: 'Clock rate, mean of the cores',
    unit: 'MHz',
    lane: 'cpu',
    digits: 0,
    reading: { kind: 'gauge', of: ['freq.mean_khz'], scale: 1 / 1000 },
  },
  {
    id: 'freq.min_mhz',
    label: 'Clock rate, slowest core',
    unit: 'MHz',
    lane: 'cpu',
    digits: 0,
    reading: { kind: 'gauge', of: ['freq.min_khz'], scale: 1 / 1000 },
  },
  {
    id: 'temperature.max_celsius',
    label: 'Hottest processor',
    unit: '°C',
    lane: 'cpu',
    digits: 0,
    reading: { kind: 'gauge', of: ['temperature.max_millidegrees'], scale: 1 / 1000 },
  },
];

const QUEUE: readonly SeriesRule[] = [
  {
    id: 'sys.running',
    label: 'Runnable threads',
    unit: 'threads',
    lane: 'run-queue',
    digits: 0,
    main: true,
    limit: { of: 'cpu.count', words: 'cores' },
    reading: { kind: 'gauge', of: ['sys.running'] },
  },
  {
    id: 'sys.blocked',
    label: 'Threads blocked on I/O',
    unit: 'threads',
    lane: 'run-queue',
    digits: 0,
    main: true,
    reading: { kind: 'gauge', of: ['sys.blocked'] },
  },
  {
    id: 'sys.context_switches',
    label: 'Context switches',
    unit: '/s',
    lane: 'run-queue',
    digits: 0,
    reading: { kind: 'rate', of: ['sys.context_switches'] },
  },
  {
    id: 'sys.interrupts',
    label: 'Interrupts',
    unit: '/s',
    lane: 'run-queue',
    digits: 0,
    reading: { kind: 'rate', of: ['sys.interrupts'] },
  },
  {
    id: 'sys.forks',
    label: 'New processes and threads',
    unit: '/s',
    lane: 'run-queue',
    digits: 0,
    reading: { kind: 'rate', of: ['sys.forks'] },
  },
  {
    id: 'load.1',
    label: 'Load average, 1 min',
    unit: '',
    lane: 'run-queue',
    digits: 2,
    reading: { kind: 'gauge', of: ['load.1'] },
  },
];

const memory = (id: string, label: string, of: string, less?: string): SeriesRule => ({
  id,
  label,
  unit: 'MiB',
  lane: 'memory',
  digits: 0,
  reading: { kind: 'gauge', of: [of], ...(less && { less: [less] }), scale: KIB },
});

const MEMORY: readonly SeriesRule[] = [
  {
    ...memory('mem.used_mib', 'Used', 'mem.total_kib', 'mem.available_kib'),
    main: true,
    limit: { of: 'mem.total_kib', scale: KIB, words: 'installed memory' },
  },
  { ...memory('mem.cached_mib', 'Page cache', 'mem.cached_kib'), main: true },
  memory('mem.dirty_mib', 'Dirty pages', 'mem.dirty_kib'),
  memory('mem.writeback_mib', 'Written back now', 'mem.writeback_kib'),
  memory('mem.anon_huge_mib', 'Transparent huge pages', 'mem.anon_huge_kib'),
  {
    id: 'mem.huge_used',
    label: 'Huge pages in use',
    unit: 'pages',
    lane: 'memory',
    digits: 0,
    limit: { of: 'mem.huge_total', words: 'reserved huge pages' },
    reading: { kind: 'gauge', of: ['mem.huge_total'], less: ['mem.huge_free'] },
  },
  {
    ...memory('mem.swap_used_mib', 'Swap used', 'mem.swap_total_kib', 'mem.swap_free_kib'),
    limit: { of: 'mem.swap_total_kib', scale: KIB, words: 'swap space' },
  },
  {
    id: 'vm.swap_in_mib_s',
    label: 'Swapped in',
    unit: 'MiB/s',
    lane: 'memory',
    digits: 2,
    reading: { kind: 'rate', of: ['vm.swap_in_pages'], scale: SWAP_PAGE },
  },
  {
    id: 'vm.swap_out_mib_s',
    label: 'Swapped out',
    unit: 'MiB/s',
    lane: 'memory',
    digits: 2,
    reading: { kind: 'rate', of: ['vm.swap_out_pages'], scale: SWAP_PAGE },
  },
  {
    id: 'vm.major_faults',
    label: 'Major page faults',
    unit: '/s',
    lane: 'memory',
    digits: 0,
    reading: { kind: 'rate', of: ['vm.major_faults'] },
  },
];

/** Microseconds of stall in a second, as a percentage of the time. */
const pressure = (id: string, label: string): SeriesRule => ({
  id: `pressure.${id}`,
  label,
  unit: '%',
  lane: 'pressure',
  digits: 1,
  limit: { value: 100, words: 'all of the time' },
  reading: { kind: 'rate', of: [`pressure.${id}_us`], scale: 1e-4 },
});

const PRESSURE: readonly SeriesRule[] = [
  { ...pressure('cpu.some', 'A task waits for a CPU'), main: true },
  { ...pressure('io.some', 'A task waits for I/O'), main: true },
  pressure('io.full', 'All tasks wait for I/O'),
  { ...pressure('memory.some', 'A task waits for memory'), main: true },
  pressure('memory.full', 'All tasks wait for memory'),
];

type DiskRule = Omit<SeriesRule, 'lane'>;
const disk = (id: string, rule: Omit<DiskRule, 'id'>): SeriesRule => ({ id: `disk.*.${id}`, lane: 'disk', ...rule });

const DISKS: readonly SeriesRule[] = [
  disk('utilisation', {
    label: 'Disk busy',
    unit: '%',
    digits: 1,
    main: true,
    limit: { value: 100, words: 'always a request in flight' },
    reading: { kind: 'rate', of: ['disk.*.busy_ms'], scale: 0.1 },
  }),
  disk('iops', {
    label: 'Disk operations',
    unit: 'IOPS',
    digits: 0,
    main: true,
    reading: { kind: 'rate', of: ['disk.*.read_ios', 'disk.*.write_ios'] },
  }),
  disk('read_iops', { label: 'Reads', unit: 'IOPS', digits: 0, reading: { kind: 'rate', of: ['disk.*.read_ios'] } }),
  disk('write_iops', { label: 'Writes', unit: 'IOPS', digits: 0, reading: { kind: 'rate', of: ['disk.*.write_ios'] } }),
  disk('read_mib_s', {
    label: 'Read',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    reading: { kind: 'rate', of: ['disk.*.read_sectors'], scale: SECTOR },
  }),
  disk('write_mib_s', {
    label: 'Written',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    reading: { kind: 'rate', of: ['disk.*.write_sectors'], scale: SECTOR },
  }),
  disk('await_ms', {
    label: 'Time of an operation',
    unit: 'ms',
    digits: 2,
    main: true,
    reading: {
      kind: 'per',
      of: ['disk.*.read_ms', 'disk.*.write_ms'],
      by: ['disk.*.read_ios', 'disk.*.write_ios'],
    },
  }),
  disk('read_await_ms', {
    label: 'Time of a read',
    unit: 'ms',
    digits: 2,
    reading: { kind: 'per', of: ['disk.*.read_ms'], by: ['disk.*.read_ios'] },
  }),
  disk('write_await_ms', {
    label: 'Time of a write',
    unit: 'ms',
    digits: 2,
    reading: { kind: 'per', of: ['disk.*.write_ms'], by: ['disk.*.write_ios'] },
  }),
  disk('flush_await_ms', {
    label: 'Time of a flush',
    unit: 'ms',
    digits: 2,
    reading: { kind: 'per', of: ['disk.*.flush_ms'], by: ['disk.*.flush_ios'] },
  }),
  disk('queue', {
    label: 'Requests in flight, mean',
    unit: '',
    digits: 2,
    reading: { kind: 'rate', of: ['disk.*.queue_ms'], scale: 1e-3 },
  }),
];

type NetRule = Omit<SeriesRule, 'lane'>;
const net = (id: string, rule: Omit<NetRule, 'id'>): SeriesRule => ({ id: `net.*.${id}`, lane: 'network', ...rule });
const link = { of: 'net.*.speed_mbps', scale: MEGABIT, words: 'link speed' };

const NETWORK: readonly SeriesRule[] = [
  net('rx_mib_s', {
    label: 'Received',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    limit: link,
    reading: { kind: 'rate', of: ['net.*.rx_bytes'], scale: MIB },
  }),
  net('tx_mib_s', {
    label: 'Sent',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    limit: link,
    reading: { kind: 'rate', of: ['net.*.tx_bytes'], scale: MIB },
  }),
  net('rx_packets', {
    label: 'Packets received',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.rx_packets'] },
  }),
  net('tx_packets', {
    label: 'Packets sent',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.tx_packets'] },
  }),
  net('drops', {
    label: 'Packets dropped',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.rx_dropped', 'net.*.tx_dropped'] },
  }),
  net('errors', {
    label: 'Packets with errors',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['net.*.rx_errors', 'net.*.tx_errors'] },
  }),
  {
    id: 'tcp.retransmitted',
    label: 'TCP segments sent again',
    unit: '/s',
    lane: 'network',
    digits: 0,
    reading: { kind: 'rate', of: ['tcp.retransmitted'] },
  },
  {
    id: 'tcp.established',
    label: 'TCP connections',
    unit: '',
    lane: 'network',
    digits: 0,
    reading: { kind: 'gauge', of: ['tcp.established'] },
  },
];

type ProcessRule = Omit<SeriesRule, 'lane'>;
const proc = (id: string, rule: Omit<ProcessRule, 'id'>): SeriesRule => ({
  id: `proc.*.${id}`,
  lane: 'processes',
  ...rule,
});

const PROCESSES: readonly SeriesRule[] = [
  // Ticks are hundredths of a second on every architecture that servers have, so their growth by the second is a percentage.
  proc('cpu', {
    label: 'CPU of the process, of one core',
    unit: '%',
    digits: 1,
    main: true,
    reading: { kind: 'rate', of: ['proc.*.user_ticks', 'proc.*.system_ticks'] },
  }),
  proc('rss_mib', {
    label: 'Memory of the process',
    unit: 'MiB',
    digits: 0,
    reading: { kind: 'gauge', of: ['proc.*.rss_kib'], scale: KIB },
  }),
  proc('threads', {
    label: 'Threads of the process',
    unit: 'threads',
    digits: 0,
    reading: { kind: 'gauge', of: ['proc.*.threads'] },
  }),
  proc('read_mib_s', {
    label: 'Read from disk by the process',
    unit: 'MiB/s',
    digits: 2,
    reading: { kind: 'rate', of: ['proc.*.read_bytes'], scale: MIB },
  }),
  proc('write_mib_s', {
    label: 'Written to disk by the process',
    unit: 'MiB/s',
    digits: 2,
    reading: { kind: 'rate', of: ['proc.*.write_bytes'], scale: MIB },
  }),
  proc('context_switches', {
    label: 'Context switches of the process',
    unit: '/s',
    digits: 0,
    reading: { kind: 'rate', of: ['proc.*.voluntary_switches', 'proc.*.forced_switches'] },
  }),
];

/** Series of a host, from the counters of its collector: names are those of docs/monitors.md. */
export const HOST_RULES: readonly SeriesRule[] = [
  ...CPU,
  ...QUEUE,
  ...MEMORY,
  ...PRESSURE,
  ...DISKS,
  ...NETWORK,
  ...PROCESSES,
  {
    id: 'collector.cpu',
    label: 'What watching this host takes, of one core',
    unit: '%',
    lane: 'own',
    digits: 2,
    reading: { kind: 'rate', of: ['collector.cpu_ticks'] },
  },
];

import type { RunEvidence, WatchedHost, WatchedSeries, WatchedServer } from '../../analysis/index.ts';
import type { Meaning } from '../../model/monitored.ts';

const SECONDS = 120;
/** Recorded seconds before second 0. */
const BEFORE = 15;

/** A constant value, or one for each second. */
export type Shape = number | ((second: number) => number);

const valueAt = (shape: Shape, second: number): number => (typeof shape === 'number' ? shape : shape(second));

/** A series with a value each second, from before the run to its end. */
export function line(id: string, shape: Shape, more: Partial<WatchedSeries> = {}): WatchedSeries {
  const t = Float64Array.from({ length: SECONDS + BEFORE }, (_, index) => index + 1 - BEFORE);
  const { instance } = more;
  const rule = instance === undefined ? id : id.replace(`.${instance}.`, '.*.');
  return { id, rule, label: id, unit: '', t, v: t.map((second) => valueAt(shape, second)), ...more };
}

const of = (id: string, instance: string, shape: Shape, limit?: number): WatchedSeries =>
  line(id, shape, { instance, ...(limit !== undefined && { limit: { value: limit, words: 'link speed' } }) });

function hostLines(process: string): WatchedSeries[] {
  return [
    line('cpu.busy', 50),
    line('cpu.irq', 2),
    line('cpu.steal', 0),
    ...['0', '1', '2', '3'].map((core) => of(`core.${core}.busy`, core, 50)),
    line('sys.running', 2),
    line('freq.mean_mhz', 3000),
    line('temperature.max_celsius', 60),
    line('vm.swap_in_mib_s', 0),
    line('vm.swap_out_mib_s', 0),
    of(`proc.${process}.cpu`, process, 185),
    line('collector.cpu', 0.1),
    of('net.eth0.tx_mib_s', 'eth0', 20, 119),
    of('net.eth0.rx_mib_s', 'eth0', 20, 119),
    of('net.eth0.tx_packets', 'eth0', 20_000),
    of('net.eth0.drops', 'eth0', 0),
    line('tcp.retransmitted', 0.2),
  ];
}

const DISK: readonly (readonly [rule: string, level: number])[] = [
  ['utilisation', 40],
  ['queue', 0.5],
  ['read_iops', 400],
  ['iops', 700],
  ['read_mib_s', 6],
  ['write_mib_s', 8],
  ['await_ms', 0.5],
  ['flush_await_ms', 0.8],
];

const means = (word: Meaning, level: number): WatchedSeries => line(`db.${word}`, level, { means: word });

/** A run without findings: two hosts, a server, all of it watched and far from every limit. */
export function fairRun(change: Partial<RunEvidence> = {}): RunEvidence {
  const rate = line('tps', (second) => (second > 0 ? 1000 : Number.NaN));
  return {
    window: { from: 10, to: SECONDS },
    zero: 1_700_000_000_000,
    clockErrorMs: 20,
    rate: { metric: 'tps', t: rate.t.slice(BEFORE), v: rate.v.slice(BEFORE) },
    latency: line('latency', 16),
    load: [{ host: 'load1', connections: 16, threads: 16 }],
    hosts: [
      { name: 'load1', roles: ['generator'], cores: 4, series: hostLines('sysbench') },
      {
        name: 'db1',
        roles: ['server'],
        cores: 4,
        series: [
          ...hostLines('mariadbd'),
          ...DISK.map(([rule, level]) => of(`disk.sda.${rule}`, 'sda', level)),
          line('mem.dirty_mib', 30),
        ],
      },
    ],
    servers: [
      {
        name: 'mariadb',
        host: 'db1',
        series: [
          means('connections', 16),
          means('lock-waiters', 0.5),
          means('log-waiters', 1),
          means('log-syncs', 900),
          means('checkpoint-age', 50),
          means('cache-misses', 500),
          means('rows-read', 20_000),
          means('rows-written', 4000),
        ],
      },
    ],
    ...change,
  };
}

/** The same with additional series of a host or server; those with an existing id replace it. */
export function withLines(run: RunEvidence, name: string, lines: readonly WatchedSeries[]): RunEvidence {
  const changed = <Source extends WatchedHost | WatchedServer>(source: Source): Source =>
    source.name === name
      ? { ...source, series: [...source.series.filter(({ id }) => !lines.some((each) => each.id === id)), ...lines] }
      : source;
  return { ...run, hosts: run.hosts.map(changed), servers: run.servers.map(changed) };
}

/** The same with facts of a host changed. */
export const withHost = (run: RunEvidence, name: string, facts: Partial<WatchedHost>): RunEvidence => ({
  ...run,
  hosts: run.hosts.map((host) => (host.name === name ? { ...host, ...facts } : host)),
});

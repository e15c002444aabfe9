import { describe, expect, it } from 'vitest';
import { boundOf, type RunEvidence, type WatchedSeries } from '../../analysis/index.ts';
import type { Meaning } from '../../model/monitored.ts';
import { runFindings } from '../index.ts';
import { fairRun, line, type Shape, withHost, withLines } from '../testing/fair-run.ts';
import { RUN_CHECKS } from './index.ts';

const findingsOf = (run: RunEvidence) => runFindings(run, boundOf(run));
const codes = (run: RunEvidence): string[] => findingsOf(run).map(({ code }) => code);

const fair = fairRun();
const on = (name: string, ...lines: readonly (readonly [id: string, shape: Shape, more?: Partial<WatchedSeries>])[]) =>
  withLines(
    fair,
    name,
    lines.map(([id, shape, more]) => line(id, shape, more)),
  );
const sda = { instance: 'sda' };
const eth0 = { instance: 'eth0', limit: { value: 119, words: 'link speed' } };
const shared = (clients: number): RunEvidence => ({
  ...fair,
  load: [{ host: 'db1', connections: clients, threads: clients }],
  hosts: fair.hosts.flatMap((host) =>
    host.name === 'db1'
      ? [
          {
            ...host,
            roles: ['generator' as const, 'server' as const],
            programs: { tool: ['sysbench'], server: ['mariadbd'] },
            series: [
              ...host.series.filter(({ id }) => id !== 'proc.mariadbd.cpu'),
              line('proc.mariadbd.cpu', 105, { instance: 'mariadbd' }),
              line('proc.sysbench.cpu', 80, { instance: 'sysbench' }),
            ],
          },
        ]
      : [],
  ),
});
const reading = (others: number): RunEvidence => {
  const own = { instance: 'mariadbd' };
  const read = [line('proc.mariadbd.read_mib_s', 6, own), line('proc.mariadbd.write_mib_s', 8, own)];
  const run = withLines(on('db1', ['disk.sda.read_mib_s', 6 + others, sda]), 'db1', read);
  return withHost(run, 'db1', { programs: { tool: [], server: ['mariadbd'] } });
};
const third = (first: number, last: number) => (second: number) => (second < 45 ? first : last);

function rateOf(shape: Shape, seconds = 120): NonNullable<RunEvidence['rate']> {
  const { t, v } = line('tps', shape);
  const from = t.findIndex((second) => second > 0);
  return { metric: 'tps', t: t.slice(from, from + seconds), v: v.slice(from, from + seconds) };
}
const stalled = (length: number): RunEvidence => ({
  ...fairRun(),
  rate: rateOf((second) => (second > 60 && second <= 60 + length ? 0 : 1000 + (second % 3))),
});
const dips = (period: number): RunEvidence => {
  const t = Float64Array.from({ length: 600 }, (_, index) => index + 1);
  return {
    ...fairRun({ hosts: [], servers: [], load: [] }),
    window: { from: 10, to: 600 },
    rate: { metric: 'tps', t, v: t.map((second) => (second % period < 3 ? 300 : 1000 + (second % 7))) },
  };
};
const fillingLog = (shape: Shape): RunEvidence =>
  withLines(fairRun(), 'mariadb', [
    line('db.checkpoint-age', shape, { means: 'checkpoint-age', label: 'Checkpoint age' }),
  ]);
const withMetric = (means: Meaning, shape: Shape): RunEvidence =>
  withLines(fairRun(), 'mariadb', [line(`db.${means}`, shape, { means, label: means })]);
const sized = (dataMib: number, cacheMib: number): RunEvidence => ({
  ...fair,
  servers: fair.servers.map((server) => ({ ...server, dataMib, cacheMib })),
});
const missing = (run: RunEvidence, shape: Shape): RunEvidence =>
  withLines(run, 'mariadb', [line('db.cache-misses', shape, { means: 'cache-misses' })]);
const filling = (run: RunEvidence): RunEvidence => missing(run, (second) => 5000 * Math.exp(-second / 60));
function unequal(second: number): RunEvidence {
  const run = fairRun();
  const load2 = { ...(run.hosts[0] as RunEvidence['hosts'][number]), name: 'load2' };
  return {
    ...run,
    hosts: [...run.hosts.filter(({ name }) => name !== 'db1'), load2],
    load: [
      { host: 'load1', connections: 8, rate: rateOf(1000) },
      { host: 'load2', connections: 8, rate: rateOf(second) },
    ],
  };
}
function gap(from: number, to: number): RunEvidence {
  const zero = 1_700_000_000_000;
  return withHost(fairRun(), 'db1', { gaps: [{ from: zero + 1000 * from, to: zero + 1000 * to }] });
}

/** Evidence that triggers a check, and evidence that just does not. */
const CASES: readonly (readonly [code: string, fires: RunEvidence, quiet: RunEvidence])[] = [
  [
    'generator-cpu',
    on('load1', ['cpu.busy', 84], ['proc.sysbench.cpu', 325, { instance: 'sysbench' }]),
    on('load1', ['cpu.busy', 74], ['proc.sysbench.cpu', 285, { instance: 'sysbench' }]),
  ],
  [
    'generator-core',
    on(
      'load1',
      ['core.1.busy', 99.5, { instance: '1' }],
      ['core.0.busy', 5, { instance: '0' }],
      ['core.2.busy', 5, { instance: '2' }],
      ['proc.sysbench.cpu', 99.5, { instance: 'sysbench' }],
      ['cpu.busy', 30],
    ),
    on('load1', ['core.1.busy', 90, { instance: '1' }]),
  ],
  ['generator-network', on('load1', ['net.eth0.rx_mib_s', 117, eth0]), on('load1', ['net.eth0.rx_mib_s', 100, eth0])],
  ['link-saturated', on('db1', ['net.eth0.tx_mib_s', 116, eth0]), on('db1', ['net.eth0.tx_mib_s', 24, eth0])],
  [
    'disk-at-limit',
    on('db1', ['disk.sda.utilisation', 99, sda], ['disk.sda.queue', 12, sda]),
    on('db1', ['disk.sda.utilisation', 99, sda], ['disk.sda.queue', 2, sda]),
  ],
  [
    'volume-limit',
    withHost(fair, 'db1', { devices: [{ iops: 720, words: 'gp2' }] }),
    withHost(fair, 'db1', { devices: [{ iops: 3000, words: 'gp2' }] }),
  ],
  [
    'one-core-busy',
    {
      ...on('db1', ['proc.mariadbd.cpu', 99, { instance: 'mariadbd' }], ['cpu.busy', 27]),
      load: [{ host: 'load1', connections: 1 }],
    },
    on('db1', ['proc.mariadbd.cpu', 99, { instance: 'mariadbd' }], ['cpu.busy', 27]),
  ],
  [
    'cpu-saturated',
    on('db1', ['cpu.busy', 97], ['sys.running', 12], ['proc.mariadbd.cpu', 375, { instance: 'mariadbd' }]),
    on('db1', ['cpu.busy', 85], ['proc.mariadbd.cpu', 330, { instance: 'mariadbd' }]),
  ],
  [
    'lock-bound',
    withLines(fair, 'mariadb', [line('db.lock-waiters', 14, { means: 'lock-waiters' })]),
    withLines(fair, 'mariadb', [line('db.lock-waiters', 5, { means: 'lock-waiters' })]),
  ],
  ['co-located', shared(2), fair],
  ['clients-fill-cores', shared(4), shared(3)],
  ['generators-unequal', unequal(700), unequal(900)],
  ['retransmissions', on('db1', ['tcp.retransmitted', 40]), on('db1', ['tcp.retransmitted', 15])],
  [
    'packets-dropped',
    on('load1', ['net.eth0.drops', 25, { instance: 'eth0' }]),
    on('load1', ['net.eth0.drops', 15, { instance: 'eth0' }]),
  ],
  ['other-traffic', on('db1', ['net.eth0.tx_mib_s', 60, eth0]), on('db1', ['net.eth0.tx_mib_s', 30, eth0])],
  ['steal', on('db1', ['cpu.steal', 4], ['cpu.busy', 54]), on('db1', ['cpu.steal', 1])],
  [
    'frequency-changed',
    on('db1', ['freq.mean_mhz', third(3800, 3100)]),
    on('db1', ['freq.mean_mhz', third(3300, 3100)]),
  ],
  ['thermal', on('db1', ['temperature.max_celsius', 95]), on('db1', ['temperature.max_celsius', 85])],
  [
    'hot-core',
    on('db1', ['core.1.busy', 99, { instance: '1' }], ['core.0.busy', 30, { instance: '0' }]),
    on('db1', ['core.1.busy', 80, { instance: '1' }]),
  ],
  ['stranger-process', on('db1', ['cpu.busy', 60]), on('db1', ['cpu.busy', 52])],
  [
    'process-stopped',
    on('db1', ['proc.mariadbd.stopped', (second) => (second > 30 && second <= 35 ? 1 : 0), { instance: 'mariadbd' }]),
    on('db1', ['proc.mariadbd.stopped', (second) => (second < 0 ? 1 : 0), { instance: 'mariadbd' }]),
  ],
  ['disk-shared', reading(90), reading(9)],
  ['swapping', on('db1', ['vm.swap_out_mib_s', 2]), on('db1', ['vm.swap_out_mib_s', 0.2])],
  [
    'page-cache-warm',
    on('db1', ['disk.sda.read_iops', 20, sda], ['disk.sda.read_mib_s', 0.1, sda]),
    // Equally few I/Os of many pages each: all reads reached the disk.
    on('db1', ['disk.sda.read_iops', 20, sda], ['disk.sda.read_mib_s', 10, sda]),
  ],
  [
    'device-changed-pace',
    on('db1', ['disk.sda.utilisation', 99, sda], ['disk.sda.write_mib_s', third(200, 60), sda]),
    on('db1', ['disk.sda.write_mib_s', third(200, 60), sda]),
  ],
  [
    'flush-too-fast',
    on('db1', ['disk.sda.flush_await_ms', 0.004, sda]),
    on('db1', ['disk.sda.flush_await_ms', 0.05, sda]),
  ],
  [
    'syncs-beyond-test',
    // 900 log syncs per second in both.
    withHost(fair, 'db1', {
      syncs: [
        { path: '/var/lib/mysql', most: 150 },
        { path: '/srv', most: 90 },
      ],
    }),
    withHost(fair, 'db1', {
      syncs: [
        { path: '/tmp', most: 20 },
        { path: '/var/lib/mysql', most: 300 },
      ],
    }),
  ],
  [
    'writes-pending',
    on('db1', ['mem.dirty_mib', (second) => (second <= 0 ? 900 : 30)]),
    on('db1', ['mem.dirty_mib', (second) => (second <= 0 ? 30 : 900)]),
  ],
  [
    'reads-hide-writes',
    withLines(
      on(
        'db1',
        ['cpu.busy', 97],
        ['sys.running', 2],
        ['proc.mariadbd.cpu', 375, { instance: 'mariadbd' }],
        ['disk.sda.utilisation', 10, sda],
      ),
      'mariadb',
      [line('db.rows-read', 90_000, { means: 'rows-read' })],
    ),
    withLines(
      on('db1', ['cpu.busy', 97], ['sys.running', 2], ['proc.mariadbd.cpu', 375, { instance: 'mariadbd' }]),
      'mariadb',
      [line('db.rows-read', 90_000, { means: 'rows-read' })],
    ),
  ],
  ['cold-cache', filling(sized(600, 1024)), filling(sized(900, 1024))],
  [
    'cache-transfer',
    withMetric('cache-transfers', (second) => (second < 30 ? 1 : 0)),
    withMetric('cache-transfers', (second) => (second < 5 ? 1 : 0)),
  ],
  [
    'removal-in-run',
    withMetric('to-remove', (second) => (second < 60 ? 300 : 10)),
    withMetric('to-remove', (second) => 300 + Math.max(0, second)),
  ],
  ['stalls-in-mean', stalled(4), stalled(1)],
  [
    'latency-blind',
    { ...stalled(4), latency: line('latency', (second) => (second > 60 && second <= 64 ? 0 : 16)) },
    stalled(4),
  ],
  ['too-short-for-checkpoints', fillingLog((second) => second / 2), fillingLog((second) => (second % 60) / 2)],
  ['dips-by-the-clock', dips(60), dips(47)],
  ['async-latency', { ...fair, asynchronous: true }, fair],
  [
    'not-monitored',
    withHost(fair, 'db1', { series: [], problem: 'The link to db1 was down.' }),
    withHost(fair, 'db1', { gaps: [] }),
  ],
  ['monitor-gaps', gap(30, 40), gap(30, 31)],
  ['samples-damaged', withHost(fair, 'db1', { damaged: ['disk.vda.iops'] }), withHost(fair, 'db1', { damaged: [] })],
  ['clocks-apart', { ...fair, clockErrorMs: 1800 }, { ...fair, clockErrorMs: 400 }],
];

it('swapping names other processes if neither tool nor server is short of memory', () => {
  const own = line('proc.mariadbd.major_faults', 2, { instance: 'mariadbd' });
  const all = line('vm.major_faults', 900);
  const run = withLines(on('db1', ['vm.swap_out_mib_s', 2]), 'db1', [own, all]);
  const messageOf = (evidence: RunEvidence) => findingsOf(evidence).find(({ code }) => code === 'swapping')?.message;
  expect(messageOf(withHost(run, 'db1', { programs: { tool: [], server: ['mariadbd'] } }))).toContain(
    'other processes are short of memory',
  );
  expect(messageOf(run)).not.toContain('other processes');
});

describe('a run', () => {
  it('with everything watched and nothing at a limit has no findings', () => {
    expect(findingsOf(fair)).toEqual([]);
  });

  it.each(CASES)('%s fires, and stays silent', (code, fires, quiet) => {
    expect(codes(fires)).toContain(code);
    expect(codes(quiet)).not.toContain(code);
  });

  it('is disturbed by pending writes, and not by writes that ended before it', () => {
    const writingUntil = (ended: number) =>
      codes(on('db1', ['disk.sda.write_mib_s', (second) => (second <= ended ? 180 : 2), sda]));
    expect(writingUntil(-4)).not.toContain('writes-pending');
    expect(writingUntil(0)).toContain('writes-pending');
  });

  it('reports only large pending writes, without zeros', () => {
    const wordsOf = (run: RunEvidence) => findingsOf(run).find(({ code }) => code === 'writes-pending')?.message;
    expect(wordsOf(on('db1', ['mem.dirty_mib', () => 780]))).toBe(
      'In the 3 s before the run db1 had at least 780 MiB of dirty pages.',
    );
    expect(wordsOf(on('db1', ['disk.sda.write_mib_s', () => 180, sda]))).toBe(
      'In the 3 s before the run db1 wrote at least 180.0 MiB/s.',
    );
  });

  it('without series only reports that it was not watched', () => {
    const bare = { ...fair, hosts: fair.hosts.map((host) => ({ ...host, series: [] })), servers: [] };
    expect(codes(bare)).toEqual(['not-monitored']);
  });

  it.each([1, 2, 3, 4, 5, 6])('of %i s counts as watched, and has a known bottleneck', (seconds) => {
    const window = { from: 20.5, to: 20.5 + seconds };
    const full = withLines(fair, 'db1', [line('cpu.busy', 100), line('sys.running', 12)]);
    const run = { ...full, window };
    expect(codes(run)).not.toContain('not-monitored');
    expect(boundOf(run).verdict).toBe(boundOf(full).verdict);
    expect(boundOf(run).verdict).not.toBe('not-known');
    const silent = (second: number) => (second > 10 ? Number.NaN : 50);
    const hosts = fair.hosts.map((host) => ({ ...host, series: host.series.map(({ id }) => line(id, silent)) }));
    expect(codes({ ...fair, hosts, window }).filter((code) => code === 'not-monitored')).toHaveLength(1);
  });

  it('names each part that was not watched, and what that leaves unknown', () => {
    const met = { name: 'mariadb', places: ['db1'] };
    const without = (...names: string[]): RunEvidence => ({
      ...fair,
      met,
      hosts: fair.hosts.filter(({ name }) => !names.includes(name)),
      servers: fair.servers.filter(({ name }) => !names.includes(name)),
    });
    const messageOf = (run: RunEvidence) =>
      findingsOf(run).flatMap(({ code, message }) => (code === 'not-monitored' ? [message] : []));
    const GENERATOR = 'load1 generated load but was not watched: it may have been the bottleneck.';
    const PLACE = 'The host of mariadb, db1, was not watched: its CPU, disks or network may have been the bottleneck.';
    const SERVER = 'The server mariadb was not watched: locks, its log or its cache may have been the bottleneck.';
    expect(messageOf(without())).toEqual([]);
    expect(messageOf(without('load1'))).toEqual([GENERATOR]);
    expect(messageOf(without('db1'))).toEqual([PLACE]);
    expect(messageOf(without('mariadb'))).toEqual([SERVER]);
    expect(messageOf(without('load1', 'db1', 'mariadb'))).toEqual([`${GENERATOR} ${PLACE} ${SERVER}`]);
    const several = { ...without('load1'), load: ['load1', 'load2'].map((host) => ({ host, connections: 8 })) };
    expect(messageOf(several)).toEqual([
      'load1, load2 generated load but were not watched: they may have been the bottleneck.',
    ]);
    expect(messageOf({ ...fair, met: { name: 'mariadb', places: [] } })).toEqual([
      'The host of mariadb was not watched, because the target does not specify it: its CPU, disks or network may have been the bottleneck.',
    ]);
  });

  it('names the system of a host that cannot be watched', () => {
    const mac = withHost(fair, 'load1', { series: [], system: 'macOS 14.5' });
    expect(findingsOf(mac).map(({ message }) => message)).toEqual([
      'load1 runs macOS 14.5, but only Linux hosts can be watched.',
    ]);
  });

  it('has unrelated processes only if tool and server are visible', () => {
    const busy = withLines(shared(2), 'db1', [line('cpu.busy', 100)]);
    const hidden = (process: string) =>
      codes({
        ...busy,
        hosts: busy.hosts.map((host) => ({
          ...host,
          series: host.series.filter(({ instance }) => instance !== process),
        })),
      });
    expect(codes(busy)).toContain('stranger-process');
    expect(hidden('mariadbd')).not.toContain('stranger-process');
    expect(hidden('sysbench')).not.toContain('stranger-process');
  });

  it('has unrelated processes that are seen under their own names, also if the tool is not', () => {
    const host = (programs: { tool: string[]; server: string[] }, ...others: readonly (readonly [string, number])[]) =>
      findingsOf(
        withHost(shared(2), 'db1', {
          programs,
          series: [
            line('cpu.busy', 100),
            line('proc.mariadbd.cpu', 50, { instance: 'mariadbd' }),
            ...others.map(([name, used]) => line(`proc.${name}.cpu`, used, { instance: name })),
          ],
        }),
      ).flatMap(({ code, message }) => (code === 'stranger-process' ? [message] : []));
    const named = { tool: ['fio'], server: ['mariadbd'] };
    expect(host(named, ['tsc', 90], ['node', 30])).toEqual([
      expect.stringMatching(/ used at least 120 % of a core on db1, .* Largest known process: tsc\.$/),
    ]);
    // Another process of its name may be the tool itself, and without a name any may.
    expect(host(named, ['fio:other', 120])).toEqual([]);
    expect(host({ tool: [], server: ['mariadbd'] }, ['tsc', 120])).toEqual([]);
  });

  it('compares retransmissions with external packets, not with those between containers', () => {
    const inside = ['veth1', 'docker0'].map((name) => [`net.${name}.tx_packets`, 20_000, { instance: name }] as const);
    expect(codes(on('db1', ['tcp.retransmitted', 40], ...inside))).toContain('retransmissions');
  });

  it('counts dropped packets of external links only, and mentions latency only after retransmissions', () => {
    const dropping = (instance: string, again: number) =>
      findingsOf(
        on(
          'db1',
          ...(['rx_packets', 'tx_packets'] as const).map((id) => [`net.${instance}.${id}`, 500, { instance }] as const),
          [`net.${instance}.drops`, 2, { instance }],
          ['tcp.retransmitted', again],
        ),
      ).filter(({ code }) => code === 'packets-dropped');
    expect(dropping('docker0', 0)).toEqual([]);
    expect(dropping('eth0', 0)).toMatchObject([
      { message: 'eth0 of db1 dropped 2.0 of 1,000 packets per second (0.20 %).', evidence: 'db1: net.eth0.drops' },
    ]);
    expect(dropping('eth0', 3)).toMatchObject([
      {
        message: expect.stringContaining(
          'The host retransmitted 3.0 TCP segments per second, and the delay counts as latency.',
        ),
      },
    ]);
  });

  it('has no hot core if several are as busy', () => {
    const full = (...cores: string[]) =>
      codes(on('db1', ...cores.map((each) => [`core.${each}.busy`, 99, { instance: each }] as const)));
    expect(full('1')).toContain('hot-core');
    expect(full('1', '2')).not.toContain('hot-core');
  });

  it('has a cold cache only if it fills after the first seconds', () => {
    const filledBy = (second: number) => codes(missing(sized(600, 1024), (at) => (at < second ? 5000 : 2)));
    expect(filledBy(15)).toEqual([]);
    expect(filledBy(60)).toContain('cold-cache');
    expect(codes(missing(sized(600, 1024), 5000))).not.toContain('cold-cache');
  });

  it('reports how much of the pending removal happened during it', () => {
    const left = (count: number) =>
      findingsOf(withMetric('to-remove', (second) => (second < 60 ? 300 : count))).map(({ message }) => message);
    expect(left(10)).toContainEqual(expect.stringContaining(': 300 when the run began, of which 290 or more were'));
    expect(left(0)).toContainEqual(expect.stringContaining(': 300 when the run began, all of which were removed'));
  });

  it('counts pending removals from the start of the run', () => {
    const codesOf = (beforehand: (second: number) => number) =>
      codes(withMetric('to-remove', (second) => (second <= 0 ? beforehand(second) : second < 60 ? beforehand(0) : 10)));
    expect(codesOf((second) => (second < -1 ? 0 : 300))).toContain('removal-in-run');
    expect(codesOf((second) => (second < -1 ? 300 : 0))).not.toContain('removal-in-run');
  });

  it('has one finding for several hosts, with a sentence for each', () => {
    const hot = on('load1', ['temperature.max_celsius', 95]);
    const both = withLines(hot, 'db1', [line('temperature.max_celsius', 93)]);
    expect(findingsOf(both)).toMatchObject([
      {
        code: 'thermal',
        message: 'load1 reached 95 °C. db1 reached 93 °C.',
        evidence: 'load1: temperature.max_celsius, db1: temperature.max_celsius',
      },
    ]);
  });
});

describe('other traffic', () => {
  const isSeen = (...links: readonly (readonly [name: string, mibS: number])[]): boolean =>
    codes(
      withLines(
        on('load1', ['net.eth0.tx_mib_s', 40, eth0]),
        'db1',
        links.map(([instance, mibS]) => line(`net.${instance}.tx_mib_s`, mibS, { instance })),
      ),
    ).includes('other-traffic');

  it('excludes that of a container, which is counted twice', () => {
    expect(isSeen(['eth0', 40], ['veth1', 40])).toBe(false);
  });

  it('includes that of a second link', () => {
    expect(isSeen(['eth0', 40], ['eth1', 60])).toBe(true);
  });
});

it('a case above fires every check of a run, and findings have the severity and advice of their check', () => {
  const ofRuns = RUN_CHECKS.filter(({ when }) => when === 'run');
  expect(CASES.map(([code]) => code).sort()).toEqual(ofRuns.map(({ code }) => code).sort());
  for (const [code, fires] of CASES) {
    const check = ofRuns.find((each) => each.code === code);
    const finding = findingsOf(fires).find((each) => each.code === code);
    expect(finding).toMatchObject({ severity: check?.severity, next: check?.avoid });
    expect(finding?.message).toMatch(/\d|Nothing was recorded|does not wait|Load and server/);
  }
});

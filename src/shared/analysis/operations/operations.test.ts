import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../util/numbers.ts';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { operationWord, perOperation } from '../index.ts';
import { hostWith, watched } from '../testing/lines.ts';

const SEED = 77_001;
const random = randomFrom(SEED);
const SECONDS = 100;
const MIB = 2 ** 20;

/** A rate that changes all the time, and series with a fixed cost per operation, some of their seconds lost. */
const rate = Float64Array.from({ length: SECONDS }, () => 500 + 1500 * random());
const costing = (rule: string, each: number, more: Partial<WatchedSeries> = {}): WatchedSeries =>
  watched(
    rule,
    rate.map((value) => (random() < 0.1 ? Number.NaN : value * each)),
    more,
  );
const device = (rule: string, each: number, instance: string) => costing(`disk.*.${rule}`, each, { instance });

const evidence = (rest: Partial<RunEvidence>): RunEvidence => ({
  window: { from: 10, to: SECONDS },
  rate: { metric: 'tps', t: Float64Array.from(rate, (_, index) => index + 1), v: rate },
  load: [],
  hosts: [],
  servers: [],
  ...rest,
});
const figures = (rest: Partial<RunEvidence>) =>
  new Map(
    perOperation(evidence(rest)).map((cost) => [
      `${cost.id} ${cost.id === 'cpu_us_process' ? cost.label : ''}`.trim(),
      cost,
    ]),
  );

describe(`the cost of an operation (seed ${SEED})`, () => {
  const server = hostWith(
    [
      // 250 µs of CPU each: in percent of eight cores.
      costing('cpu.busy', (250e-6 * 100) / 8),
      costing('proc.*.cpu', 200e-6 * 100, { instance: 'mariadbd' }),
      device('read_iops', 0.25, 'sda'),
      device('read_iops', 0.75, 'sdb'),
      device('read_iops', 1, 'dm-0'),
      device('write_iops', 3, 'sda'),
      device('write_iops', 0.5, 'sdb'),
      device('write_iops', 3.5, 'dm-0'),
      // 16 KiB for each of its I/Os; half of sdb's are larger.
      device('read_mib_s', (0.25 * 16_384) / MIB, 'sda'),
      device('read_mib_s', (0.75 * 24_576) / MIB, 'sdb'),
      device('read_mib_s', 22_528 / MIB, 'dm-0'),
      device('write_mib_s', 6000 / MIB, 'sda'),
      device('write_mib_s', 2000 / MIB, 'sdb'),
      costing('net.*.tx_mib_s', 900 / MIB, { instance: 'eth0' }),
      costing('net.*.tx_mib_s', 5000 / MIB, { instance: 'lo' }),
      costing('net.*.rx_mib_s', 210 / MIB, { instance: 'eth0' }),
      costing('net.*.rx_mib_s', 90 / MIB, { instance: 'eth1' }),
      costing('net.*.rx_mib_s', 5000 / MIB, { instance: 'lo' }),
      costing('sys.context_switches', 12),
    ],
    { cores: 8, memoryMib: 2048 },
  );
  const database = {
    name: 'mariadb',
    host: 'db1',
    dataMib: 4096,
    cacheMib: 1024,
    series: [costing('redo', 500 / MIB, { means: 'log-mib' }), costing('syncs', 0.1, { means: 'log-syncs' })],
  };
  const found = figures({ hosts: [server], servers: [database] });
  const of = (id: string) => found.get(id);

  it.each([
    ['cpu_us_server', 250],
    ['cpu_us_process CPU of the mariadbd process', 200],
    ['reads', 1],
    // Three on sda and one half on sdb; dm-0 is composed of the two.
    ['writes', 3.5],
    // 0.25 × 16,384 + 0.75 × 24,576.
    ['read_bytes', 22_528],
    ['sent_bytes', 900],
    // 210 through eth0 and 90 through eth1.
    ['received_bytes', 300],
    ['context_switches', 12],
    ['log_bytes', 500],
    ['log_syncs', 0.1],
    ['written_bytes', 8000],
    ['write_amplification', 16],
    ['data_to_cache', 4],
    ['data_to_memory', 2],
  ])('%s is %d at any rate and with seconds missing', (id, truth) => {
    expect(of(id)?.value).toBeCloseTo(truth, 6);
  });

  it('names the series and formula of a figure', () => {
    expect(of('reads')?.from).toEqual([
      { source: 'db1', id: 'disk.sda.read_iops' },
      { source: 'db1', id: 'disk.sdb.read_iops' },
    ]);
    expect(of('cpu_us_server')?.formula).toMatch(
      /^\(busy share of the CPU × cores × 1,000,000 µs\) ÷ \(transactions per second\), both summed over \d+ measured seconds$/,
    );
  });

  it('has no figure for what is not watched', () => {
    expect(of('cpu_us_generator')).toBeUndefined();
    const { series, ...host } = server;
    const unseen = { ...host, series: series.filter(({ rule }) => !rule.startsWith('net.*.rx')) };
    expect(figures({ hosts: [unseen] }).get('received_bytes')).toBeUndefined();
    expect(figures({ hosts: [server, hostWith([], { name: 'db2' })] }).get('cpu_us_server')).toBeUndefined();
    expect(
      perOperation({ ...evidence({ hosts: [server] }), rate: { metric: 'tps', t: rate, v: rate.map(() => 0) } }),
    ).toEqual([]);
  });

  it('counts processes on a shared host', () => {
    const shared = hostWith(
      [
        costing('cpu.busy', 0.01),
        costing('proc.*.cpu', 200e-6 * 100, { instance: 'mariadbd' }),
        costing('proc.*.cpu', 50e-6 * 100, { instance: 'sysbench' }),
        costing('proc.*.context_switches', 7, { instance: 'mariadbd' }),
        costing('sys.context_switches', 20),
      ],
      { cores: 8, roles: ['generator', 'server'], programs: { tool: ['sysbench'], server: ['mariadbd'] } },
    );
    const both = figures({ hosts: [shared] });
    expect(both.get('cpu_us_server')?.value).toBeCloseTo(200, 6);
    expect(both.get('cpu_us_generator')?.value).toBeCloseTo(50, 6);
    expect(both.get('context_switches')?.value).toBeCloseTo(7, 6);
  });

  it('names no server where the tool measures its own host', () => {
    const labels = (more: Partial<RunEvidence>) =>
      perOperation(evidence({ hosts: [server], ...more })).flatMap(({ id, label }) =>
        ['cpu_us_server', 'sent_bytes', 'received_bytes', 'context_switches'].includes(id) ? label : [],
      );
    const [of, without] = [labels({}), labels({ onItsOwnHost: true })];
    expect(of).toEqual([
      'CPU of the server',
      'Sent by the server',
      'Received by the server',
      'Context switches of the server',
    ]);
    expect(without).toEqual(of.map((label) => label.replace('server', 'host')));
  });

  it('excludes CPU time stolen by other guests', () => {
    const steady = Float64Array.from(rate, () => 1000);
    const of = (...steal: WatchedSeries[]) => {
      const busy = watched(
        'cpu.busy',
        steady.map(() => 60),
      );
      return figures({
        rate: { metric: 'tps', t: busy.t, v: steady },
        hosts: [hostWith([busy, ...steal], { cores: 8 })],
      }).get('cpu_us_server');
    };
    const stolen = of(
      watched(
        'cpu.steal',
        steady.map(() => 30),
      ),
    );
    expect(stolen?.value).toBeCloseTo(2400, 6);
    expect(stolen?.formula).toMatch(/^\(\(busy − steal\) share of the CPU × cores × 1,000,000 µs\) ÷ /);
    expect(stolen?.from).toEqual([
      { source: 'db1', id: 'cpu.busy' },
      { source: 'db1', id: 'cpu.steal' },
    ]);
    const unknown = of(
      watched(
        'cpu.steal',
        steady.map(() => Number.NaN),
      ),
    );
    for (const cost of [of(), unknown]) {
      expect(cost?.value).toBeCloseTo(4800, 6);
      expect(cost?.formula).toMatch(/^\(busy share of the CPU × cores/);
    }
  });

  it('counts statements only if those of the monitor hardly matter', () => {
    const of = (perSecond: number) =>
      figures({
        rate: { metric: 'tps', t: Float64Array.from(rate, (_, index) => index + 1), v: rate.map(() => perSecond / 2) },
        servers: [
          {
            name: 'clickhouse',
            series: [
              watched(
                'queries',
                rate.map(() => perSecond + 2),
                { means: 'statements' },
              ),
            ],
          },
        ],
      }).get('statements');
    expect(of(0.5)).toBeUndefined();
    expect(of(40)).toBeUndefined();
    expect(of(1000)).toMatchObject({
      label: 'Statements, including those of the monitor',
      formula: expect.stringContaining('up to 4'),
    });
    expect(of(1000)?.value).toBeCloseTo(2.004, 6);
  });

  it('divides a series read every five seconds by the operations of all five', () => {
    const means = Float64Array.from({ length: SECONDS / 5 }, (_, index) =>
      rate.slice(index * 5, index * 5 + 5).reduce((sum, value) => sum + value / 5, 0),
    );
    const slow = {
      ...watched(
        'redo',
        means.map((value) => (value * 500) / MIB),
        { means: 'log-mib' },
      ),
      t: means.map((_, index) => index * 5 + 5),
    };
    expect(figures({ servers: [{ name: 'mariadb', series: [slow] }] }).get('log_bytes')?.value).toBeCloseTo(500, 6);
  });
});

it('calls an operation what the tool counts', () => {
  expect(['tps', 'qps', 'ops', 'eps', 'iops'].map(operationWord)).toEqual([
    'transaction',
    'query',
    'operation',
    'event',
    'operation',
  ]);
});

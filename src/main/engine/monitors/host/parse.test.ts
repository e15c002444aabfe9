import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive, seriesOf } from '../../../../shared/monitoring/index.ts';
import {
  cutEverywhere,
  nonsense,
  tries,
  withForeignBytes,
  withInsertedPiece,
  withoutPiece,
} from '../../tools/testing/damage.ts';
import type { MonitorRow } from '../monitor.ts';
import { HostParser } from './parse.ts';
import { HOST_RULES } from './rules/index.ts';

const block = (...lines: string[]): string => {
  const text = lines.map((line) => `${line}\n`).join('');
  return `${text}. ${Buffer.byteLength(text)} ${lines[0]?.slice(2)}\n`;
};
function read(text: string): { rows: MonitorRow[]; unread: number } {
  const parser = new HostParser();
  const rows = text.split('\n').flatMap((line) => parser.line(line) ?? []);
  return { rows, unread: parser.unread };
}

/** The first of two seconds of a host, and what grows by then: name, line before, line after. */
const BEFORE = [
  '@ 1795411072.00',
  'cpu  1000 100 500 8000 200 10 30 60 7 7',
  'cpu0 600 0 200 4000 100 5 15 30 0 0',
  'cpu1 400 100 300 4000 100 5 15 30 0 0',
  'intr 5000',
  'ctxt 70000',
  'btime 1795393870',
  'processes 900',
  'procs_running 3',
  'procs_blocked 1',
  'f 100 4096',
  'm 8388608 1048576 4194304 100 2097152 10240 512 1000 2000 1048576 524288 8 6 20480',
  'v 10 20 300 400 5 700',
  'P cpu 1000000 -',
  'P io 2000000 1000000',
  'P memory 0 0',
  'd nvme0n1 100 8000 50 200 16000 400 3 1000 4000 10 20',
  'd sda 1 2 3 4 5 6 7 8 9',
  'n eth0 1048576 1000 1 2 2097152 2000 3 4',
  's eth0 10000',
  'n bond0 1048576 1000 1 2 2097152 2000 3 4',
  'a bond0 1',
  't 7 12',
  'q 2400000 1200000',
  'h 61500',
  'l 0.75',
  'x mysqld 500 100 204800 40 0 1048576 - - 7 0',
  'g mysqld 1.500 100 10',
  'c 1.5000',
];
const AFTER = [
  '@ 1795411074.00',
  'cpu  1100 110 550 8100 210 14 36 80 7 7',
  'cpu0 700 0 250 4030 110 7 18 40 0 0',
  'cpu1 400 110 300 4070 100 7 18 40 0 0',
  'intr 7000',
  'ctxt 72000',
  'btime 1795393870',
  'processes 910',
  'procs_running 5',
  'procs_blocked 2',
  'm 8388608 1048576 3145728 100 2097152 20480 1024 1000 2000 1048576 0 8 5 40960',
  'v 10 20 812 1424 25 900',
  'P cpu 1500000 -',
  'P io 3000000 1400000',
  'P memory 200000 100000',
  'd nvme0n1 300 12096 150 600 24192 1600 5 2000 9000 20 70',
  'd sda 1 2 3 4 5 6 7 8 9',
  'n eth0 11534336 3000 5 8 4194304 2600 3 6',
  't 17 14',
  'q 2300000 1100000',
  'h 63500',
  'l 0.80',
  'x mysqld 800 150 409600 42 2097152 3145728 - - 17 1',
  'g mysqld 1.500 120 15',
  'c 2.5000',
];
const whole = block(...BEFORE) + block(...AFTER);

/** Growth of each in two seconds, calculated by hand. */
const KNOWN: Readonly<Record<string, number>> = {
  // 300 ticks: 110 user, 50 system, 10 interrupts, 10 waiting for I/O, 20 stolen, 100 idle.
  'cpu.user': (110 / 300) * 100,
  'cpu.nice': (10 / 300) * 100,
  'cpu.system': (50 / 300) * 100,
  'cpu.irq': (10 / 300) * 100,
  'cpu.iowait': (10 / 300) * 100,
  'cpu.steal': (20 / 300) * 100,
  'cpu.busy': (190 / 300) * 100,
  'cpu.busiest_core': (165 / 205) * 100,
  // Core 0, 205 ticks: 100 user, 50 system, 5 interrupts, 10 waiting for I/O, 10 stolen, 30 idle.
  'core.0.busy': (165 / 205) * 100,
  'core.0.user': (100 / 205) * 100,
  'core.0.system': (50 / 205) * 100,
  'core.0.irq': (5 / 205) * 100,
  'core.0.iowait': (10 / 205) * 100,
  'core.0.steal': (10 / 205) * 100,
  // Core 1, 95 ticks: 10 user, 5 interrupts, 10 stolen, 70 idle.
  'core.1.busy': (25 / 95) * 100,
  'core.1.user': (10 / 95) * 100,
  'core.1.system': 0,
  'core.1.irq': (5 / 95) * 100,
  'core.1.iowait': 0,
  'core.1.steal': (10 / 95) * 100,
  'freq.mean_mhz': 2300,
  'freq.min_mhz': 1100,
  'temperature.max_celsius': 63.5,
  'sys.running': 5,
  'sys.blocked': 2,
  'sys.context_switches': 1000,
  'sys.interrupts': 1000,
  'sys.forks': 5,
  'load.1': 0.8,
  'mem.used_mib': 5120,
  'mem.cached_mib': 2048,
  'mem.dirty_mib': 20,
  'mem.writeback_mib': 1,
  'mem.anon_huge_mib': 40,
  'mem.huge_used': 3,
  'mem.swap_used_mib': 1024,
  'vm.swap_in_mib_s': 1,
  'vm.swap_out_mib_s': 2,
  'vm.major_faults': 10,
  'vm.refaults': 100,
  'pressure.cpu.some': 25,
  'pressure.io.some': 50,
  'pressure.io.full': 20,
  'pressure.memory.some': 10,
  'pressure.memory.full': 5,
  'disk.nvme0n1.utilisation': 50,
  'disk.nvme0n1.iops': 300,
  'disk.nvme0n1.read_iops': 100,
  'disk.nvme0n1.write_iops': 200,
  'disk.nvme0n1.read_mib_s': 1,
  'disk.nvme0n1.write_mib_s': 2,
  'disk.nvme0n1.await_ms': 1300 / 600,
  'disk.nvme0n1.read_await_ms': 0.5,
  'disk.nvme0n1.write_await_ms': 3,
  'disk.nvme0n1.flush_await_ms': 5,
  'disk.nvme0n1.queue': 2.5,
  'net.eth0.rx_mib_s': 5,
  'net.eth0.tx_mib_s': 1,
  'net.eth0.rx_packets': 1000,
  'net.eth0.tx_packets': 300,
  'net.eth0.drops': 4,
  'net.eth0.errors': 2,
  'tcp.retransmitted': 5,
  'tcp.established': 14,
  'proc.mysqld.cpu': 175,
  'proc.mysqld.rss_mib': 400,
  'proc.mysqld.threads': 42,
  'proc.mysqld.read_mib_s': 1,
  'proc.mysqld.write_mib_s': 1,
  'proc.mysqld.major_faults': 5,
  'proc.mysqld.stopped': 1,
  'proc.mysqld.throttled': 25,
  'collector.cpu': 0.5,
};

describe('a block', () => {
  const { rows, unread } = read(whole);

  it('is a row with every number by its name', () => {
    expect(unread).toBe(0);
    expect(rows.map(({ t }) => t)).toEqual([1795411072, 1795411074]);
    expect(rows[0]?.metrics).toMatchObject({
      'cpu.user': 1000,
      'cpu.steal': 60,
      'core.1.nice': 100,
      'cpu.count': 2,
      'sys.hz': 100,
      'sys.page_bytes': 4096,
      'mem.anon_huge_kib': 20480,
      'pressure.io.full_us': 1_000_000,
      'disk.nvme0n1.in_flight': 3,
      'disk.nvme0n1.flush_ms': 20,
      'disk.sda.queue_ms': 9,
      'net.eth0.tx_dropped': 4,
      'net.eth0.speed_mbps': 10_000,
      'proc.mysqld.write_bytes': 1_048_576,
      'collector.cpu_ticks': 1.5,
    });
    for (const name of ['pressure.cpu.full_us', 'proc.mysqld.voluntary_switches', 'disk.sda.flush_ios'])
      expect(rows[0]?.metrics).not.toHaveProperty([name]);
  });

  it('gives every series its manually calculated value', () => {
    const t = Float64Array.from(rows, (row) => row.t);
    const names = [...new Set(rows.flatMap(({ metrics }) => Object.keys(metrics)))];
    const columns = new Map(
      names.map((name) => [name, Float64Array.from(rows, ({ metrics }) => metrics[name] ?? Number.NaN)]),
    );
    const last = (name: string) => rows.findLast(({ metrics }) => name in metrics)?.metrics[name];
    const series = seriesOf(HOST_RULES, names, last).filter(
      ({ series: { id } }) => !/^(disk\.sda|net\.bond0)/.test(id),
    );
    expect(series.map(({ series: { id } }) => id).sort()).toEqual(Object.keys(KNOWN).sort());
    for (const { series: one, reading } of series)
      expect(derive(reading, t, columns)[1], one.id).toBeCloseTo(KNOWN[one.id] ?? Number.NaN, 6);
    const limits = Object.fromEntries(series.map(({ series: one }) => [one.id, one.limit?.value]));
    expect(limits['net.eth0.rx_mib_s']).toBeCloseTo(1192.09, 2);
    const elsewhere = seriesOf(HOST_RULES, names, last).flatMap(({ series: one }) => (one.elsewhere ? one.id : []));
    expect(elsewhere).toContain('net.bond0.rx_mib_s');
    expect(new Set(elsewhere.map((id) => id.split('.')[1]))).toEqual(new Set(['bond0']));
    expect(limits).toMatchObject({ 'mem.used_mib': 8192, 'sys.running': 2, 'cpu.busy': 100, 'mem.huge_used': 8 });
  });

  it.each([
    ['4 KiB', 'f 100 4096', 1],
    ['16 KiB', 'f 100 16384', 4],
    ['64 KiB', 'f 100 65536', 16],
    ['4 KiB where none was told, as in earlier libraries', 'f 100 -', 1],
  ])('counts swapped pages of %s', (_, reported, times) => {
    const swapped = read(
      whole.replaceAll(block(...BEFORE), block(...BEFORE.map((line) => line.replace(/^f .*/, reported)))),
    );
    const t = Float64Array.from(swapped.rows, (row) => row.t);
    const columns = new Map(
      ['vm.swap_in_pages', 'vm.swap_out_pages'].map((name) => [
        name,
        Float64Array.from(swapped.rows, ({ metrics }) => metrics[name] ?? Number.NaN),
      ]),
    );
    const series = seriesOf(HOST_RULES, [...columns.keys()], (name) => swapped.rows[0]?.metrics[name]);
    // 512 pages in and 1,024 out in two seconds.
    expect(series.map(({ series: { id }, reading }) => [id, derive(reading, t, columns)[1]])).toEqual([
      ['vm.swap_in_mib_s', times],
      ['vm.swap_out_mib_s', 2 * times],
    ]);
  });

  it('is rejected if it has lost a line, a digit or its end', () => {
    for (let place = 0; place < BEFORE.length; place += 1) {
      const lines = block(...BEFORE).split('\n');
      lines.splice(place, 1);
      expect(read(lines.join('\n')).rows, BEFORE[place]).toEqual([]);
    }
    expect(read(block(...BEFORE).replace('cpu0 600', 'cpu0 60')).rows).toEqual([]);
    expect(read(`${block(...BEFORE).slice(0, 100)}\n${block(...AFTER)}`)).toMatchObject({ rows: [rows[1]] });
  });

  it('is rejected if its first lines belong to another', () => {
    const [first = '', ...others] = block(...AFTER).split('\n');
    expect(read([BEFORE[0], ...others].join('\n')).rows).toEqual([]);
    expect(read([first, ...others].join('\n')).rows).toEqual([rows[1]]);
  });

  it('is unread if its time is not a date', () => {
    for (const time of ['99999999999999999999.5', '100000000000.00']) {
      const { rows: found, unread } = read(block(`@ ${time}`, ...BEFORE.slice(1)) + block(...AFTER));
      expect(found).toEqual([rows[1]]);
      expect(unread).toBeGreaterThan(0);
    }
    expect(read(block('@ 99999999999.99', ...BEFORE.slice(1))).rows).toHaveLength(1);
  });

  it('accepts names in any script', () => {
    const named = BEFORE.map((line) => line.replace('eth0', 'büro0'));
    const { rows: found, unread: left } = read(block(...named));
    expect(left).toBe(0);
    expect(found[0]?.metrics).toMatchObject({ 'net.büro0.rx_bytes': 1_048_576, 'cpu.count': 2 });
    expect(read(block(...named).replace('cpu0 600', 'cpu0 60')).rows).toEqual([]);
  });

  it.each([
    'y 1',
    'c 1 2',
    'constructor 1',
    'm 1 2',
    'd sda 1 2 x 4 5 6 7 8 9',
    'x a\uFFFDb 1 2 3 4 5 6 7 8',
    'l 0x10',
    'cpu7 1 2 3 4 5 6 7 8 0 0\uFFFDcpu8 1 2 3 4 5 6 7 8 0 0',
  ])('skips an unreadable line: %s', (line) => {
    const { 'cpu.count': _, ...metrics } = rows[0]?.metrics ?? {};
    expect(read(block(...BEFORE, line))).toEqual({ rows: [{ t: rows[0]?.t, metrics }], unread: 1 });
  });
});

describe('the output of the collector', () => {
  const recorded = readFileSync(join(import.meta.dirname, 'fixtures/two-cores.txt'), 'utf8');
  const { rows, unread } = read(recorded);
  /** Numbers that were not printed for that second. */
  const wrong = (text: string): string[] =>
    read(text).rows.flatMap(({ t, metrics }) => {
      const printed = rows.find((row) => row.t === t)?.metrics ?? {};
      return Object.keys(metrics).filter((name) => metrics[name] !== printed[name]);
    });

  it('is read to the last line', () => {
    expect(unread).toBe(0);
    expect(rows).toHaveLength(recorded.match(/^@ /gm)?.length ?? 0);
  });

  it('has only printed numbers if cut anywhere, with foreign bytes, or with a piece missing or repeated', () => {
    cutEverywhere(recorded, (end) => {
      expect(read(recorded.slice(0, end)).rows).toEqual(rows.slice(0, read(recorded.slice(0, end)).rows.length));
      expect(wrong(recorded.slice(end))).toEqual([]);
    });
    for (const damaged of [
      withForeignBytes(recorded, 5),
      withoutPiece(recorded, 50),
      withoutPiece(recorded, recorded.length),
      withInsertedPiece(recorded, 200),
    ])
      fc.assert(
        fc.property(damaged, (text) => {
          expect(wrong(text)).toEqual([]);
        }),
        tries(1000),
      );
  });

  it('has no figures if it is meaningless', () => {
    fc.assert(
      fc.property(nonsense('@. cpudnxm0123456789-\n'), (text) => {
        for (const { metrics } of read(text).rows)
          for (const value of Object.values(metrics)) expect(Number.isFinite(value)).toBe(true);
      }),
      tries(1000),
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Reading, SeriesRule } from '../model/monitored.ts';
import { countersOf, derive, deriveAcross, deriving, drained, gapsOf, seriesOf } from './index.ts';

const columns = (entries: Readonly<Record<string, readonly number[]>>): Map<string, Float64Array> =>
  new Map(Object.entries(entries).map(([name, values]) => [name, Float64Array.from(values)]));
const at = (...t: number[]): Float64Array => Float64Array.from(t);
const values = (reading: Reading, t: Float64Array, entries: Readonly<Record<string, readonly number[]>>): number[] =>
  Array.from(derive(reading, t, columns(entries)));
const { NaN: none } = Number;

describe('a series derived from counters', () => {
  it('is the growth per second at any sampling interval', () => {
    expect(values({ kind: 'rate', of: ['n'], scale: 0.5 }, at(0, 1, 1.5, 3.5), { n: [0, 10, 20, 60] })).toEqual([
      none,
      5,
      10,
      10,
    ]);
  });

  it('has no value at a counter reset, and one after it', () => {
    expect(values({ kind: 'rate', of: ['n'] }, at(0, 1, 2, 3), { n: [100, 110, 3, 8] })).toEqual([none, 10, none, 5]);
  });

  it('detects the reset of one counter despite the growth of another', () => {
    expect(values({ kind: 'rate', of: ['a', 'b'] }, at(0, 1, 2), { a: [0, 5, 10], b: [900, 950, 1] })).toEqual([
      none,
      55,
      none,
    ]);
  });

  it('has no value after a gap', () => {
    const t = at(0, 1, 2, 12, 13);
    expect(values({ kind: 'rate', of: ['n'] }, t, { n: [0, 1, 2, 12, 13] })).toEqual([none, 1, 1, none, 1]);
    expect(gapsOf(t)).toEqual([{ from: 2, to: 12 }]);
    expect(gapsOf(t, { from: -20, to: 40 })).toEqual([
      { from: -20, to: t[0] },
      { from: 2, to: 12 },
      { from: t.at(-1), to: 40 },
    ]);
    expect(gapsOf(t, { from: (t[0] ?? 0) - 4, to: (t.at(-1) ?? 0) + 4 })).toEqual([{ from: 2, to: 12 }]);
    expect(gapsOf(new Float64Array(), { from: 0, to: 60 })).toEqual([]);
  });

  it('uses the usual interval of its source', () => {
    const t = at(0, 10, 20, 30, 40, 70);
    expect(values({ kind: 'rate', of: ['n'] }, t, { n: [0, 10, 20, 30, 40, 70] })).toEqual([none, 1, 1, 1, 1, none]);
  });

  it('is a share of the total growth, and unknown without growth', () => {
    const reading: Reading = { kind: 'share', of: ['user'], whole: ['user', 'idle'] };
    expect(values(reading, at(0, 1, 2), { user: [0, 30, 30], idle: [0, 70, 70] })).toEqual([none, 30, none]);
  });

  it('is a share even if a counter decreases slightly, as idle time may', () => {
    const reading: Reading = { kind: 'share', of: ['user'], whole: ['user', 'iowait'] };
    const user = [0, 15, 30, 45];
    const [, first, second, third] = values(reading, at(0, 1, 2, 3), { user, iowait: [300, 299, 300, 301] });
    expect([first, second, third]).toEqual([100, 93.75, 93.75]);
    expect(values(reading, at(0, 1, 2), { user, iowait: [300, 260, 261] })).toEqual([none, 100, 93.75]);
    expect(values(reading, at(0, 1, 2), { user, iowait: [300, 0, 1] })).toEqual([none, none, 93.75]);
  });

  it('is a mean per event', () => {
    const reading: Reading = { kind: 'per', of: ['ms'], by: ['ios'], scale: 2 };
    expect(values(reading, at(0, 1, 2), { ms: [0, 30, 30], ios: [0, 10, 10] })).toEqual([none, 6, none]);
  });

  it('is a gauge minus its excluded parts', () => {
    const reading: Reading = { kind: 'gauge', of: ['total'], less: ['free'], scale: 0.1 };
    const [first, second] = values(reading, at(0, 1), { total: [100, 100], free: [40, none] });
    expect(first).toBeCloseTo(6);
    expect(second).toBeNaN();
  });

  it('counts a missing counter as 0, and is unknown if all are missing', () => {
    expect(values({ kind: 'gauge', of: ['a', 'b'] }, at(0, 1, 2), { a: [1, none, none], b: [2, 3, none] })).toEqual([
      3,
      3,
      none,
    ]);
    expect(values({ kind: 'gauge', of: ['absent'] }, at(0), {})).toEqual([none]);
  });
});

describe('the highest of several shares', () => {
  const rule: SeriesRule = {
    id: 'cpu.busiest_core',
    label: 'Busiest core',
    unit: '%',
    lane: 'cpu',
    reading: { kind: 'highest', of: ['core.*.user'], whole: ['core.*.user', 'core.*.idle'] },
  };
  const readings = {
    'core.0.user': [0, 10, 90, 90, none],
    'core.0.idle': [0, 90, 110, 210, none],
    'core.1.user': [0, 60, 70, 5, 75],
    'core.1.idle': [0, 40, 130, 195, 225],
  };
  const series = (names: readonly string[]) => seriesOf([rule], names, () => undefined);

  it('picks the highest known instance each second', () => {
    const [busiest] = series(Object.keys(readings));
    expect(busiest?.series).toMatchObject({ id: 'cpu.busiest_core', rule: 'cpu.busiest_core' });
    expect(busiest?.series.instance).toBeUndefined();
    expect([...new Set(countersOf(busiest?.reading as Reading))].sort()).toEqual(Object.keys(readings).sort());
    // In the fourth sample the counters of core 1 restarted, in the last one core 0 was off.
    expect(values(busiest?.reading as Reading, at(0, 1, 2, 3, 4), readings)).toEqual([none, 60, 80, 0, 70]);
  });

  it('is calculated instance by instance, each step with its own counters only', () => {
    const { reading } = series(Object.keys(readings))[0] ?? {};
    if (!reading) throw new Error('There is no such series.');
    const [t, all] = [at(0, 1, 2, 3, 4), columns(readings)];
    const asked: string[][] = [];
    const work = deriving(reading, t, (names) => {
      asked.push([...new Set(names)]);
      return all;
    });
    expect(work.next().done).toBe(false);
    expect(asked).toEqual([['core.0.user', 'core.0.idle']]);
    expect([...drained(work)]).toEqual([...derive(reading, t, all)]);
    expect(asked.slice(1)).toEqual([['core.1.user', 'core.1.idle']]);
  });

  it('does not exist for a single instance', () => {
    expect(series(['core.0.user', 'core.0.idle'])).toEqual([]);
  });
});

describe('series of a source', () => {
  const rules: SeriesRule[] = [
    {
      id: 'net.*.rx_mib_s',
      label: 'Received',
      unit: 'MiB/s',
      lane: 'network',
      main: true,
      reading: { kind: 'rate', of: ['net.*.rx_bytes'], scale: 2 ** -20 },
      limit: { of: 'net.*.speed_mbps', scale: 1e6 / 8 / 2 ** 20, words: 'link speed' },
    },
    {
      id: 'core.*.busy',
      label: 'Core',
      unit: '%',
      lane: 'cpu',
      reading: { kind: 'share', of: ['core.*.user'], whole: ['core.*.user', 'core.*.idle'] },
      limit: { value: 100, words: 'all of it' },
    },
  ];

  it('exist once per device, in numerical order, with or without dots in the name', () => {
    const names = ['net.eth0.100.rx_bytes', 'core.10.user', 'core.2.user', 'core.2.idle', 'net.eth0.tx_bytes'];
    const found = seriesOf(rules, names, () => undefined);
    expect(found.map(({ series }) => [series.id, series.instance])).toEqual([
      ['net.eth0.100.rx_mib_s', 'eth0.100'],
      ['core.2.busy', '2'],
      ['core.10.busy', '10'],
    ]);
    expect(found[1]?.reading).toEqual({ kind: 'share', of: ['core.2.user'], whole: ['core.2.user', 'core.2.idle'] });
  });

  it('are visible at first unless their instance is a secondary one', () => {
    const [rule] = rules;
    const aside = [{ ...(rule as SeriesRule), aside: ['veth'] }];
    const found = seriesOf(aside, ['net.eth0.rx_bytes', 'net.veth12.rx_bytes'], () => undefined);
    expect(found.map(({ series }) => [series.instance, series.main])).toEqual([
      ['eth0', true],
      ['veth12', undefined],
    ]);
  });

  it('have a limit if one is stored', () => {
    const [eth] = seriesOf(rules, ['net.eth0.rx_bytes'], (name) => (name === 'net.eth0.speed_mbps' ? 1000 : undefined));
    expect(eth?.series.limit?.value).toBeCloseTo(119.209, 3);
    const [unknown] = seriesOf(rules, ['net.eth0.rx_bytes'], () => undefined);
    expect(unknown?.series.limit).toBeUndefined();
  });
});

describe('across a gap', () => {
  const t = Float64Array.of(1, 2, 3, 13, 14, 15);
  const across = (reading: Reading, columns: Record<string, readonly number[]>) => [
    ...deriveAcross(reading, t, new Map(Object.entries(columns).map(([name, v]) => [name, Float64Array.from(v)]))),
  ];
  const rate: Reading = { kind: 'rate', of: ['n'] };

  it('a rate is the mean if its counter grew, and 0 after a reset', () => {
    expect(across(rate, { n: [10, 20, 30, 80, 90, 100] })).toEqual([none, 10, 10, 5, 10, 10]);
    expect(across(rate, { n: [10, 20, 30, 5, 15, 25] })).toEqual([none, 10, 10, 0, 10, 10]);
    expect(across(rate, { n: [10, 20, 30, none, 15, 25] })).toEqual([none, 10, 10, none, none, 10]);
  });

  it('a share is unknown after a reset, and a gauge always', () => {
    const share: Reading = { kind: 'share', of: ['busy'], whole: ['all'] };
    const all = [10, 20, 30, 130, 140, 150];
    expect(across(share, { busy: [1, 2, 3, 53, 54, 55], all })[3]).toBe(50);
    expect(across(share, { busy: [101, 102, 103, 0, 1, 2], all })[3]).toBeNaN();
    expect(
      across({ kind: 'share', of: ['busy'], whole: ['busy', 'idle'] }, { busy: all, idle: [9, 9, 9, 8, 8, 8] })[3],
    ).toBe(100);
    expect(across({ kind: 'gauge', of: ['n'] }, { n: [1, 2, 3, 4, 5, 6] })).toEqual([1, 2, 3, none, 5, 6]);
  });
});

import { expect, it } from 'vitest';
import { metricOf } from '../metrics/index.ts';
import type { DerivedMeasure } from '../model/derived.ts';
import { builtInFor, builtInOf, FormulaError, meaningOf, measuresOf, readFormula } from './index.ts';

const metricsOf = (...defined: DerivedMeasure[]) => [...measuresOf(defined).keys()].map(metricOf).slice(1);

it.each([
  ['read_mib_s + write_mib_s', 'MiB/s', 'higher'],
  ['or(read_mib_s, 0) + or(write_mib_s, 0)', 'MiB/s', 'higher'],
  ['tps / level(threads)', 'tps', 'higher'],
  ['read_mib_s - write_mib_s', 'MiB/s', 'neither'],
  ['max(latency_p95_ms, latency_p99_ms)', 'ms', 'lower'],
  ['read_mib_s / (read_mib_s + write_mib_s)', '', 'neither'],
  ['latency_avg_ms / 1000', '', 'neither'],
  ['read_mib_s * 8', '', 'neither'],
  ['read_mib_s / iops', '', 'neither'],
  ['server.rows / operations', '', 'neither'],
  ['tps', 'tps', 'higher'],
])('derives the unit and better direction of %s', (is, unit, better) => {
  expect(metricsOf({ name: 'mine', is })).toMatchObject([{ label: 'mine', unit, better, digits: 2 }]);
});

it('uses unit, direction and digits from the document if given', () => {
  const measure = { name: 'Rows~: 100 %41 ~p', unit: 'rows:s', better: 'lower', digits: 0 } as const;
  const [own] = metricsOf({ ...measure, is: 'read_mib_s' });
  expect(own).toMatchObject({
    label: 'Rows~: 100 %41 ~p',
    unit: 'rows:s',
    better: 'lower',
    digits: 0,
    statistic: 'level',
  });
  expect(metricOf(own?.id ?? '')).toEqual(own);
  expect(own?.id).not.toContain('%');
});

it('refuses to add different units, at their position', () => {
  const meaning = (text: string) => () => meaningOf(readFormula(text).node, (name) => name);
  expect(meaning('1 + (tps + latency_avg_ms)')).toThrow(new FormulaError('tps and ms cannot be added or compared.', 5));
  expect(meaning('exp(tps - iops)')).toThrow(FormulaError);
  expect(meaning('tps + transactions_total + 1')).not.toThrow();
});

it('resolves earlier measures by name', () => {
  const defined = [
    { name: 'all traffic', is: 'read_mib_s + write_mib_s' },
    { name: 'share', is: 'read_mib_s / all_traffic' },
    { name: 'twice', is: 'all_traffic + all_traffic' },
  ];
  expect(metricsOf(...defined).map(({ label, unit }) => [label, unit])).toEqual([
    ['all traffic', 'MiB/s'],
    ['share', ''],
    ['twice', 'MiB/s'],
  ]);
});

it('derives the statistic over repeats from what is taken of a series', () => {
  const series = (take?: DerivedMeasure['take']) =>
    metricsOf({ name: 'misses', of: 'command dTLB', series: 'dtlb_misses', ...(take && { take }) })[0]?.statistic;
  expect([series(), series('max'), series('min'), series('p95'), series('median'), series('total')]).toEqual([
    ...['level', 'maximum', 'minimum', 'percentile', 'percentile', 'level'],
  ]);
  expect(metricsOf({ name: 'worst second', series: 'tps', take: 'min' })).toMatchObject([
    { unit: 'tps', better: 'higher' },
  ]);
});

it('omits unreadable measures', () => {
  expect(metricsOf({ name: 'broken', is: 'a +' }, { name: 'nothing' }, { name: 'fine', is: 'tps' })).toHaveLength(1);
});

it('has a throughput of reads and writes for tools that report both', () => {
  expect(builtInFor(new Set(['read_mib_s', 'write_mib_s', 'iops']))).toEqual(['read_write_mib_s']);
  expect(builtInFor(new Set(['read_mib_s']))).toEqual([]);
  expect(builtInOf(['write_mib_s', 'read_mib_s'])).toBe('read_write_mib_s');
  expect(builtInOf(['write_mib_s', 'iops'])).toBeUndefined();
});

it.each(['measure:', 'measure:a', 'measure:a:b:best:level:2', 'measure:a:b:higher:level:9', 'measured'])(
  'does not accept %s as the id of a measure',
  (id) => {
    expect(metricOf(id).better).toBe('neither');
  },
);

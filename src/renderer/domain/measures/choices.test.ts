import { expect, it } from 'vitest';
import { readFormula } from '../../../shared/measures/index.ts';
import type { MonitoredSource } from '../../../shared/model/monitored.ts';
import {
  formulaProblem,
  inFormula,
  measureOfFigure,
  measureOfSeries,
  seriesChoices,
  sourceText,
  withValue,
} from './choices.ts';

const source = (
  kind: MonitoredSource['kind'],
  name: string,
  roles: MonitoredSource['roles'] = [],
): MonitoredSource => ({
  ...{ id: 1, kind, name, roles, samples: 1, gaps: [] },
  series: [
    { id: 'cpu.busy', rule: 'cpu.busy', label: 'CPU busy', unit: '%', lane: 'cpu' },
    {
      id: 'disk.nvme0n1.read_iops',
      rule: 'disk.*.read_iops',
      instance: 'nvme0n1',
      label: 'Reads',
      unit: '',
      lane: 'disk',
    },
  ],
});

it('names sources by role if it is unique, so that a measure fits other sessions', () => {
  const monitors = { commands: [{ name: 'dice', command: 'true', pattern: '(?<eyes>1)' }] };
  const all = [
    source('host', 'gen', ['generator']),
    source('host', 'db1', ['server']),
    source('host', 'spare', ['other']),
    source('server', 'shop'),
    source('own', 'dice'),
    source('own', 'rows'),
  ];
  expect(all.map((each) => sourceText(each, all, monitors))).toEqual([
    ...['generator', 'host', 'host spare', 'server', 'command dice', 'statement rows'],
  ]);
  const two = [
    source('server', 'old'),
    source('server', 'new'),
    source('host', 'a', ['server']),
    source('host', 'b', ['server']),
  ];
  expect(two.map((each) => sourceText(each, two, undefined))).toEqual(['server old', 'server new', 'host a', 'host b']);
});

it('writes every choice as a readable formula', () => {
  const sources = [source('host', 'db1', ['server']), source('own', 'my "rows"')];
  const metrics = ['tps', 'measure:rows changed:rows:higher:level:2', 'fact:sizes:data bytes:a~.1'];
  const choices = seriesChoices({ metrics, sources, nameOf: ({ name }) => name }, undefined);
  expect(choices.map(({ name }) => name)).toEqual(['Tool', 'db1', 'my "rows"']);
  const written = choices.flatMap(({ series }) => series.map(inFormula));
  expect(written).toEqual([
    ...['tps', 'rows_changed', 'fact(sizes, "data bytes", "a:1")'],
    ...['host.cpu.busy', 'host.disk.nvme0n1.read_iops'],
    ...['series("statement my \\"rows\\"", cpu.busy)', 'series("statement my \\"rows\\"", disk.nvme0n1.read_iops)'],
  ]);
  for (const text of written) expect(readFormula(text).references, text).toHaveLength(1);
  expect(choices[1]?.series.map(({ label }) => label)).toEqual(['CPU busy (%)', 'Reads, nvme0n1']);
});

it('writes figures of operations, queries, jobs, folders and tables so that a formula refers to them', () => {
  const is = (id: string): string => String(measureOfFigure(id)?.is);
  const read = (id: string) => readFormula(is(id)).references[0];
  for (const id of [
    'read_latency_p99_ms',
    'job_2_iops',
    'query:Q 1:_took_s',
    'place:/mnt/a b:_iops',
    'stored_data_mib',
  ])
    expect(read(id), id).toEqual({ kind: 'metric', name: id });
  expect(is('read_latency_p99_ms')).toBe('read_latency_p99_ms');
  expect(is('query:Q1:_took_s')).toBe('figure("query:Q1:_took_s")');
  expect(is('fact:sizes:bytes:pages')).toBe('fact(sizes, bytes, pages)');
  expect(measureOfFigure('place:/mnt/a:_iops')?.name).toBe('/mnt/a: I/O operations');
  // A measure is one already.
  for (const id of ['measure:rows:rows:higher:level:2', 'read_write_mib_s'])
    expect(measureOfFigure(id)).toBeUndefined();
});

it('adds a value to a formula by default', () => {
  expect(withValue('', 'tps')).toBe('tps');
  expect(withValue(' tps ', 'qps')).toBe('tps + qps');
  expect(withValue('tps /', 'qps')).toBe('tps / qps');
  expect(withValue('max(tps,', 'qps')).toBe('max(tps, qps');
});

it('reports the position of an error in a formula', () => {
  expect(formulaProblem('tps +')).toBe('The formula ends where a value is expected. Character 6.');
  expect(formulaProblem('tps + 1')).toBeUndefined();
  expect(formulaProblem(' ')).toBeUndefined();
});

it('takes unit and name from a lane', () => {
  expect(measureOfSeries({ of: 'host', series: 'cpu.busy', label: 'CPU busy', unit: '%' })).toEqual({
    ...{ name: 'CPU busy', of: 'host', series: 'cpu.busy', unit: '%' },
  });
  expect(measureOfSeries({ series: 'tps', label: 'Transactions (tps)', unit: 'tps' })).toEqual({
    name: 'Transactions',
    series: 'tps',
  });
});

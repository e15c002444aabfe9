import { describe, expect, test } from 'vitest';
import type { SeriesRule } from '../model/monitored.ts';
import { derive, seriesOf } from './index.ts';

const t = Float64Array.of(0, 1, 2, 3);
const columns = (readings: Record<string, number[]>) =>
  new Map(Object.entries(readings).map(([name, values]) => [name, Float64Array.from(values)]));

describe('readings of servers', () => {
  test('compute a part of a whole from current values', () => {
    const readings = columns({ dirty: [5, 10, 0, Number.NaN], all: [20, 20, 20, 20] });
    expect([...derive({ kind: 'part', of: ['dirty'], whole: ['all'] }, t, readings)]).toEqual([25, 50, 0, Number.NaN]);
    const ofHalf = derive({ kind: 'part', of: ['dirty'], whole: ['all'], scale: 2 }, t, readings);
    expect([...ofHalf]).toEqual([50, 100, 0, Number.NaN]);
    const none = columns({ dirty: [5, 5, 5, 5], all: [0, 0, 0, 0] });
    expect([...derive({ kind: 'part', of: ['dirty'], whole: ['all'] }, t, none)]).toEqual(Array(4).fill(Number.NaN));
  });

  test('compute a share minus its excluded part', () => {
    const readings = columns({ asked: [0, 100, 300, 300], missed: [0, 1, 101, 101] });
    const hits = derive({ kind: 'share', of: ['asked'], less: ['missed'], whole: ['asked'] }, t, readings);
    expect([...hits]).toEqual([Number.NaN, 99, 50, Number.NaN]);
  });
});

describe('rules with the same id', () => {
  const rule = (id: string, of: string, label = id): SeriesRule => ({
    ...{ id, label, unit: '', lane: 'own' },
    reading: { kind: 'gauge', of: [of] },
  });

  test('apply in order, as far as their counters exist', () => {
    const rules = [
      rule('age', 'new_age'),
      rule('age', 'old_age'),
      rule('Threads', 'Threads'),
      rule('*', '*', 'any: *'),
    ];
    const found = seriesOf(rules, ['old_age', 'Threads', 'Other'], () => undefined);
    expect(found.map(({ series: { id, label }, reading }) => [id, label, reading])).toEqual([
      ['age', 'age', { kind: 'gauge', of: ['old_age'] }],
      ['Threads', 'Threads', { kind: 'gauge', of: ['Threads'] }],
      ['old_age', 'any: old_age', { kind: 'gauge', of: ['old_age'] }],
      ['Other', 'any: Other', { kind: 'gauge', of: ['Other'] }],
    ]);
  });

  test('need both sides for a part', () => {
    const part = (of: string, whole: string): SeriesRule => ({
      ...{ id: 'dirty', label: 'Dirty', unit: '%', lane: 'cache' },
      reading: { kind: 'part', of: [of], whole: [whole] },
    });
    const [found, ...more] = seriesOf(
      [part('pages', 'missing'), part('bytes', 'size')],
      ['pages', 'bytes', 'size'],
      () => 0,
    );
    expect(found?.reading).toEqual({ kind: 'part', of: ['bytes'], whole: ['size'] });
    expect(more).toEqual([]);
  });
});

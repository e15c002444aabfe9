import { describe, expect, it } from 'vitest';
import type { ChartChoice } from '../../../shared/model/chart.ts';
import type { SessionResult } from '../../../shared/model/result.ts';
import { choiceOf, draftOf, firstChart, isComplete, metricsOfResult } from './draft.ts';

const WHOLE: ChartChoice = {
  ...{
    kind: 'dots',
    title: 'Every second',
    metric: 'latency_p95_ms',
    x: 'threads',
    panels: 'cache',
    log: true,
    clip: 250,
  },
  markers: [
    { name: 'CPUs', level: 32 },
    { name: 'limit', value: 20 },
  ],
};

describe('the draft of a chart', () => {
  it.each<ChartChoice>([
    WHOLE,
    { kind: 'curve' },
    { kind: 'stairs', groups: ['cache'], clip: 9 },
    { kind: 'timeline', x: 'rows_inserted', log: true },
    { kind: 'curve', over: 12, log: true },
    { kind: 'histogram', clip: 5, only: { threads: [1, 2] } },
    { kind: 'histogram', counts: 'hits_*', log: true, axes: { x: 'rank', y: 'lookups' } },
    { kind: 'curve', axes: { y: 'orders per second' }, whiskers: 'extremes' },
    { kind: 'bars', whiskers: 'seconds' },
    { kind: 'table', x: 'threads', groups: ['cache'], against: { cache: 'on' } },
    { kind: 'bars', groups: ['cache'], against: { threads: 1 } },
  ])('converts back to the same chart: %j', (choice) => expect(choiceOf(draftOf(choice))).toEqual(choice));

  it('drops fields that its kind does not use, and restores them in another kind', () => {
    const dots = draftOf(WHOLE);
    const { x: _x, ...density } = WHOLE;
    expect(choiceOf({ ...dots, kind: 'density' })).toEqual({
      ...density,
      ...{ kind: 'density', markers: [{ name: 'limit', value: 20 }] },
    });
    expect(choiceOf({ ...dots, kind: 'table' })).toEqual({
      ...{ kind: 'table', title: 'Every second', metric: 'latency_p95_ms', x: 'threads' },
    });
    const { clip: _clip, ...curve } = WHOLE;
    expect(choiceOf({ ...dots, kind: 'curve' })).toEqual({ ...curve, kind: 'curve' });
    expect(choiceOf({ ...dots, kind: 'dots' })).toEqual(WHOLE);
  });

  it('is complete if each visible marker has a name and a place', () => {
    const draft = draftOf({ kind: 'dots' });
    const line = { name: 'limit', on: 'value', at: 0 } as const;
    expect(isComplete(draft)).toBe(true);
    expect(isComplete({ ...draft, markers: [line] })).toBe(true);
    expect(isComplete({ ...draft, markers: [{ ...line, name: ' ' }] })).toBe(false);
    expect(isComplete({ ...draft, markers: [line, { ...line, at: '' }] })).toBe(false);
    expect(choiceOf({ ...draft, markers: [line, { ...line, at: '' }] }).markers).toEqual([{ name: 'limit', value: 0 }]);
    const level = { name: '', on: 'level', at: '' } as const;
    expect(isComplete({ ...draft, kind: 'density', markers: [level] })).toBe(true);
  });
});

const resultOf = (cells: number, hasSeconds: boolean): SessionResult => ({
  ...{ sessionId: 1, metric: 'tps', metrics: ['tps'], warmup: 0 },
  factors: [
    { name: 'cache', levels: ['on', 'off'] },
    { name: 'threads', levels: [1, 2, 4] },
  ],
  cells: Array.from({ length: cells }, (_, cell) => ({
    ...{ cell, levels: {}, runs: [], errors: 0, partial: false, means: [9], value: 9 },
    ...(hasSeconds && { spread: { n: 1, mean: 9, median: 9, p5: 9, p25: 9, p75: 9, p95: 9, min: 9, max: 9, cv: 0 } }),
  })),
});

describe('the first proposed chart', () => {
  it('shows the seconds of all cells in a way that is not used yet', () => {
    const several = resultOf(6, true);
    expect(firstChart(several, [])).toEqual({ kind: 'dots' });
    expect(firstChart(several, [{ kind: 'dots' }])).toEqual({ kind: 'density' });
    expect(firstChart(several, [{ kind: 'dots' }, { kind: 'density' }, { kind: 'histogram' }])).toEqual({
      kind: 'curve',
    });
    expect(firstChart(resultOf(1, true), [])).toEqual({ kind: 'histogram' });
  });

  it('is a curve along the other factor without seconds', () => {
    expect(firstChart(resultOf(6, false), [])).toEqual({ kind: 'curve', x: 'cache' });
  });
});

it('offers metrics by their names in documents, with those of whole runs separate', () => {
  const measure = 'measure:rows changed::neither:level:2';
  expect(metricsOfResult({ metrics: ['tps', measure], runFigures: ['took_s'] })).toMatchObject([
    { seconds: true, items: [{ value: 'tps', label: 'Transactions (tps)' }, { value: 'rows changed' }] },
    { seconds: false, items: [{ value: 'took_s', label: 'Time taken (s)' }] },
  ]);
});

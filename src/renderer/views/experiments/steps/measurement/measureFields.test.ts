import { describe, expect, it } from 'vitest';
import { Experiment } from '../../../../../shared/model/experiment.ts';
import { costlyChanges, MEASURE_FIELDS, measureValues, withMeasure } from './measureFields.ts';

const experiment = (measure: unknown): Experiment =>
  Experiment.parse({ kneepoint: 1, name: 'Form', workload: { tool: 'sysbench' }, where: {}, measure });

describe('the form of a measurement', () => {
  it('has a field with title and group for every setting, nested ones included', () => {
    expect(MEASURE_FIELDS.every(({ title, name, group }) => title !== name && group !== '')).toBe(true);
    expect(MEASURE_FIELDS.every(({ required }) => !required)).toBe(true);
    const names = MEASURE_FIELDS.map(({ name }) => name);
    expect(names).toContain('canary.every');
    expect(names).toContain('before.caches');
    expect(names).toContain('stop.interval');
    expect(MEASURE_FIELDS.find(({ name }) => name === 'canary.every')).toMatchObject({
      title: 'Canary every',
      group: 'Canary',
      unit: 'trials',
      shape: { kind: 'number', integer: true },
    });
  });

  it('converts back to its document', () => {
    for (const measure of [
      {},
      { duration: 30, order: 'interleaved', blocks: 'rounds', pick: 'median' },
      {
        canary: { every: 5, cell: { threads: 8 } },
        before: { caches: 'server', restart: true, rest: 3 },
        stop: { minutes: 60 },
      },
    ]) {
      const before = experiment(measure);
      expect(withMeasure(before, measureValues(before))).toEqual(before);
    }
  });

  it('removes emptied settings, and a group with its last setting', () => {
    const before = experiment({
      canary: { every: 5, cell: { threads: 8 } },
      stop: { minutes: 60 },
      before: { dirty: 8, rest: 1 },
    });
    const { 'stop.minutes': _, 'canary.every': __, ...values } = measureValues(before);
    expect(withMeasure(before, { ...values, 'before.dirty': '' }).measure).toEqual(
      experiment({ before: { rest: 1 } }).measure,
    );
  });

  it('does not store invalid values', () => {
    const before = experiment({ stop: { interval: 2 } });
    const after = withMeasure(before, { ...measureValues(before), 'stop.interval': 'narrow', 'canary.every': 0 });
    expect(after).toEqual(before);
  });
});

const cells = [
  { index: 0, levels: { pool: '1G', threads: 1 } },
  { index: 1, levels: { pool: '1G', threads: 2 } },
  { index: 2, levels: { pool: '2G', threads: 1 } },
];
const trials = (...order: number[]) => order.map((cell, index) => ({ index, cell, repeat: 0 }));
const factors = [{ name: 'pool' }, { name: 'threads' }];

describe('costly changes between trials', () => {
  it('are before the first trial with another level of a factor that needs a reload or more', () => {
    expect(costlyChanges({ cells, trials: trials(0, 1, 2, 2, 0) }, factors, ['restart', 'none'])).toEqual([
      { trial: 2, cost: 'restart' },
      { trial: 4, cost: 'restart' },
    ]);
    expect(costlyChanges({ cells, trials: trials(0, 1, 2) }, factors, ['live', 'none'])).toEqual([]);
  });

  it('have the highest of their costs, including data', () => {
    const ofData = cells.map((cell, data) => ({ ...cell, data: data > 1 ? 1 : 0 }));
    expect(costlyChanges({ cells: ofData, trials: trials(0, 1, 2) }, factors, ['reload', 'none'])).toEqual([
      { trial: 2, cost: 'load' },
    ]);
  });
});

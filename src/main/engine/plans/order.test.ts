import { describe, expect, it } from 'vitest';
import { Experiment, type Measure } from '../../../shared/model/experiment.ts';
import type { ChangeCost, Factor } from '../../../shared/model/factor.ts';
import type { Cell, Trial } from '../../../shared/model/plan.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { blocksOf, changesOf, costsFor } from './blocks.ts';
import { checkDocument, expandCells } from './index.ts';
import { canaryCell, countTrials, orderTrials, shuffle } from './order.ts';
import { checkContext, probe } from './testing/probe.ts';

const document = (factors: readonly Partial<Factor>[], measure: Partial<Measure>): Experiment =>
  Experiment.parse({ kneepoint: 1, name: 'Order', workload: { tool: 'probe' }, where: {}, factors, measure });
/** The beginning of a factor's name is the cost of its changes here. */
const costOf = ({ name }: Factor): ChangeCost =>
  name.startsWith('restart') ? 'restart' : name.startsWith('reload') ? 'reload' : 'none';
function planned(experiment: Experiment): { cells: Cell[]; trials: Trial[] } {
  const cells = expandCells(experiment);
  const blocks = blocksOf(experiment, cells, costOf);
  return { cells, trials: orderTrials([blocks], experiment.measure, canaryCell(experiment, cells)) };
}
const sequence = (factors: readonly Partial<Factor>[], measure: Partial<Measure>): string => {
  const { cells, trials } = planned(document(factors, measure));
  return trials.map(({ cell }) => Object.values(cells[cell]?.levels ?? {}).join('')).join(' ');
};
const AB = [{ name: 'x', levels: ['A', 'B'] }];
const ABC = [{ name: 'x', levels: ['A', 'B', 'C'] }];

describe('interleaved trials', () => {
  it('run as A B B A, and with more cells in reverse order every second round', () => {
    expect(sequence(AB, { order: 'interleaved', repeats: 4 })).toBe('A B B A A B B A');
    expect(sequence(ABC, { order: 'interleaved', repeats: 2 })).toBe('A B C C B A');
  });

  it('remove a steady drift from the ratio of two cells, unlike rounds', () => {
    const bias = (order: Measure['order'], cells: number): number => {
      const factors = [{ name: 'x', levels: Array.from({ length: cells }, (_, level) => level) }];
      const { trials } = planned(document(factors, { order, repeats: 4 }));
      // Both cells are equal; the machine loses a thousandth of its speed with each trial.
      const mean = (cell: number): number => {
        const own = trials.filter((trial) => trial.cell === cell).map(({ index }) => 1000 - index);
        return own.reduce((sum, value) => sum + value, 0) / own.length;
      };
      return mean(cells - 1) / mean(0) - 1;
    };
    for (const cells of [2, 3, 8]) {
      expect(bias('interleaved', cells)).toBe(0);
      expect(Math.abs(bias('rounds', cells))).toBeGreaterThan(0.0009);
    }
  });
});

describe('costly changes', () => {
  const factors = [
    { name: 'threads', levels: [1, 2] },
    { name: 'restart', levels: ['A', 'B'] },
  ];

  it('vary slowest unless ordered otherwise', () => {
    expect(sequence(factors, { repeats: 2 })).toBe('1A 2A 1A 2A 1B 2B 1B 2B');
    expect(sequence(factors, { repeats: 2, blocks: 'rounds' })).toBe('1A 2A 1B 2B 1A 2A 1B 2B');
    expect(sequence(factors, { repeats: 2, blocks: 'rounds', order: 'interleaved' })).toBe('1A 2A 1B 2B 2B 1B 2A 1A');
    expect(sequence(factors, { repeats: 2, blocks: 'none' })).toBe('1A 1B 2A 2B 1A 1B 2A 2B');
    expect(sequence(factors, { repeats: 2, order: 'listed' })).toBe('1A 1A 2A 2A 1B 1B 2B 2B');
  });

  it('are counted from the first cell to the final restore', () => {
    const count = (measure: Partial<Measure>) => {
      const experiment = document(factors, measure);
      return changesOf(experiment, planned(experiment), costOf);
    };
    expect(count({ repeats: 2 })).toEqual({ reloads: 0, restarts: 3 });
    expect(count({ repeats: 2, blocks: 'rounds' })).toEqual({ reloads: 0, restarts: 5 });
    expect(count({ repeats: 2, blocks: 'none' })).toEqual({ reloads: 0, restarts: 9 });
    expect(count({ repeats: 2, before: { restart: true } })).toEqual({ reloads: 0, restarts: 11 });
  });

  it('are counted for each varied server, and other servers keep their settings', () => {
    const servers = [
      { name: 'restart', levels: ['A', 'B'] },
      { name: 'server', kind: 'target', levels: ['one', 'two'] },
    ];
    const count = (...more: Partial<Factor>[]) => {
      const experiment = document([...servers, ...more], {});
      return changesOf(experiment, planned(experiment), costOf).restarts;
    };
    expect(sequence(servers, {})).toBe('Aone Atwo Bone Btwo');
    expect(count()).toBe(6);
    // Both share one pooler.
    expect(count({ name: 'restart pooler', levels: [1], on: 'pooler' })).toBe(8);
    // A server that has the factor alone is restored before the other one is measured.
    expect(count({ name: 'restart of one', levels: [1], when: { server: 'one' } })).toBeGreaterThan(6);
  });

  it('are zero if two levels differ only in dynamic settings', () => {
    const levels = [
      { name: 'a', set: { innodb_flush_log_at_trx_commit: 0, log_bin: 'off' } },
      { name: 'b', set: { innodb_flush_log_at_trx_commit: 1, log_bin: 'off' } },
      { name: 'c', set: { innodb_flush_log_at_trx_commit: 1, log_bin: 'on' } },
    ];
    const experiment = document([{ name: 'durability', kind: 'server-setting', levels }], {});
    const costs = costsFor(probe);
    const cells = expandCells(experiment);
    const trials = orderTrials([blocksOf(experiment, cells, costs)], experiment.measure);
    expect(changesOf(experiment, { cells, trials }, costs)).toEqual({ reloads: 0, restarts: 3 });
  });

  it('keep a restart in place while cheaper ones change', () => {
    const both = [
      { name: 'reload', levels: ['a', 'b'] },
      { name: 'restart', levels: ['A', 'B'] },
    ];
    expect(sequence(both, {})).toBe('aA bA bB aB');
    expect(changesOf(document(both, {}), planned(document(both, {})), costOf)).toEqual({ reloads: 2, restarts: 3 });
  });
});

describe('a canary', () => {
  it('is measured first, every so many trials and last, and is not a repeat of its cell', () => {
    const { trials } = planned(document(ABC, { repeats: 2, order: 'listed', canary: { every: 4, cell: { x: 'B' } } }));
    expect(trials.map(({ cell, repeat, canary }) => `${cell}.${repeat}${canary ? '!' : ''}`).join(' ')).toBe(
      '1.2! 0.0 0.1 1.0 1.1 1.3! 2.0 2.1 1.4!',
    );
    expect(new Set(trials.map(({ seed }) => seed)).size).toBe(trials.length);
  });

  it('is refused if no cell has its levels', () => {
    const text = `kneepoint: 1
name: Canary
workload: { tool: probe }
where: {}
factors: [{ name: threads, levels: [1, 2] }]
measure: { canary: { every: 5, cell: { threads: 3 } } }
`;
    expect(checkDocument(text, checkContext).problems).toMatchObject([
      { path: 'measure.canary.cell', message: expect.stringContaining('No cell has these levels'), line: 6 },
    ]);
  });
});

describe('any order', () => {
  const seed = 20261123;

  it(`has every repeat of every cell once, blocks in one piece, and one restart per block (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const pick = <T>(...values: readonly T[]): T => values[below(values.length)] as T;
    for (let world = 0; world < 400; world++) {
      const factors = shuffle(
        [
          { name: 'threads', levels: Array.from({ length: 1 + below(4) }, (_, level) => level) },
          { name: 'restart a', levels: Array.from({ length: 1 + below(3) }, (_, level) => level) },
          { name: 'restart b', levels: ['x', 'y'], ...(random() < 0.5 && { when: { 'restart a': 0 } }) },
        ],
        random,
      );
      const experiment = document(factors, {
        repeats: 1 + below(4),
        order: pick('listed', 'rounds', 'shuffled', 'interleaved'),
        seed: below(1000),
        ...(random() < 0.5 && { canary: { every: 1 + below(6) } }),
      });
      const { cells, trials } = planned(experiment);
      expect(trials).toHaveLength(countTrials(cells.length, experiment.measure));
      expect(new Set(trials.map(({ cell, repeat }) => `${cell} ${repeat}`)).size).toBe(trials.length);
      const own = trials.filter(({ canary }) => !canary);
      expect(own).toHaveLength(cells.length * experiment.measure.repeats);
      const keyOf = (cell: number): string =>
        JSON.stringify([cells[cell]?.levels['restart a'], cells[cell]?.levels['restart b']]);
      const passed = own.map(({ cell }) => keyOf(cell)).filter((key, at, all) => key !== all[at - 1]);
      expect(passed).toHaveLength(new Set(passed).size);
      expect(changesOf(experiment, { cells, trials: own }, costOf).restarts).toBe(passed.length + 1);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Experiment, type Levels } from '../../../shared/model/experiment.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { effectsOf, placesOf } from './effects.ts';

const tool: Tool = defineTool(
  {
    id: 'probe',
    title: 'Probe',
    options: z.object({ threads: z.int().min(1).default(1), 'table-size': z.int().default(1000) }),
    metrics: { primary: () => 'ops' },
    parser: () => ({ line: () => {}, end: () => ({ summary: {}, ok: true }) }),
  },
  {
    summary: '',
    drives: [],
    plan: () => ({ run: { argv: ['true'], env: {}, files: [], plannedSeconds: 1 } }),
    needs: () => [],
  },
) as unknown as Tool;

const THREADS = { name: 'threads', levels: [1, 2] };
const SIZE = { name: 'size', kind: 'option', option: 'table_size', levels: [5, 6] };

const experiment = (factors: object[], options = {}, where = {}): Experiment =>
  Experiment.parse({
    kneepoint: 1,
    name: 'x',
    workload: { tool: 'probe', options, data: 'keep' },
    where,
    factors,
    measure: {},
  });

/** A step for which nothing is varied or named. */
const NOTHING = { generators: ['this computer'], warmup: 0, duration: 60, settings: [], launch: {} };
const meaning = (given: Record<string, unknown>, whole: Record<string, unknown>) => ({
  ...NOTHING,
  workload: { tool: 'probe', options: given, data: 'keep' },
  options: whole,
});
const DEFAULTS = { threads: 1, 'table-size': 1000 };

describe('the effects of a cell', () => {
  it.each<[string, Experiment, Levels, object]>([
    ['without factors: the document', experiment([]), {}, meaning({}, DEFAULTS)],
    [
      'a level over an option that is spelt otherwise',
      experiment([SIZE], { 'table-size': 9, threads: '4' }),
      { size: 5 },
      meaning({ 'table-size': 5, threads: 4 }, { threads: 4, 'table-size': 5 }),
    ],
    [
      'several factors, each by its level',
      experiment([THREADS, SIZE]),
      { threads: 2, size: 6 },
      meaning({ threads: 2, 'table-size': 6 }, { threads: 2, 'table-size': 6 }),
    ],
    [
      'a level written as text',
      experiment([THREADS]),
      { threads: '2' },
      meaning({ threads: 2 }, { ...DEFAULTS, threads: 2 }),
    ],
    [
      'a factor without a level in this cell',
      experiment([THREADS], { threads: 8 }),
      {},
      meaning({ threads: 8 }, { ...DEFAULTS, threads: 8 }),
    ],
    [
      'target and generators of the document',
      experiment([], {}, { target: 'db', generators: ['a', 'b'] }),
      {},
      { ...meaning({}, DEFAULTS), target: 'db', generators: ['a', 'b'] },
    ],
  ])('%s', (_name, document, levels, effects) => {
    const before = structuredClone(document);
    expect(effectsOf(document, { levels }, tool)).toEqual(effects);
    expect(document).toEqual(before);
  });

  it('refuses a level that the tool does not accept', () => {
    expect(() => effectsOf(experiment([THREADS]), { levels: { threads: 0 } }, tool)).toThrow(z.ZodError);
  });
});

describe('the places of an experiment', () => {
  it.each([
    ['none but this computer', {}, { targets: [], generators: ['this computer'] }],
    [
      'a target and its generators',
      { target: 'db', generators: ['b', 'a'] },
      { targets: ['db'], generators: ['b', 'a'] },
    ],
  ])('are those of its cells, each once: %s', (_name, where, places) => {
    expect(placesOf(experiment([THREADS, SIZE], {}, where), tool)).toEqual(places);
  });

  it('are empty if every cell is excluded', () => {
    const document = { ...experiment([THREADS], {}, { target: 'db' }), exclude: [{ threads: 1 }, { threads: 2 }] };
    expect(placesOf(document, tool)).toEqual({ targets: [], generators: [] });
  });
});

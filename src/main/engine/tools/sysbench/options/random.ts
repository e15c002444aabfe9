import { z } from 'zod';
import { option } from '../../tool.ts';
import { RANDOM_SCRIPTS } from '../scripts/index.ts';

const group = 'Keys';

/** How row ids are chosen. */
export const randomOptions = {
  'rand-type': option(z.enum(['special', 'uniform', 'gaussian', 'pareto', 'zipfian']).default('special'), {
    title: 'Key distribution',
    main: true,
    description:
      'How rows are picked. special (default of 1.0): 75 % of the accesses hit 0.75 % of the rows, so most work is cached and contended; uniform touches all rows alike; zipfian exists from sysbench 1.1 on, of which later builds have no special.',
    group,
    when: { option: 'script', in: RANDOM_SCRIPTS },
    versions: { values: { special: { before: '1.1' }, zipfian: { from: '1.1' } } },
  }),
  'rand-spec-iter': option(z.int().min(1).default(12), {
    title: 'Special: iterations',
    description: 'Numbers averaged for one key of the special distribution; more makes its hump narrower.',
    group,
    when: { option: 'rand-type', in: ['special'] },
  }),
  'rand-spec-pct': option(z.int().min(0).max(100).default(1), {
    title: 'Special: hot rows',
    description:
      'Share of the rows that the hot ones of the special distribution are taken from. sysbench uses as many percent of it as “hot accesses” says: 0.75 % of the rows by default.',
    unit: '%',
    group,
    when: { option: 'rand-type', in: ['special'] },
  }),
  'rand-spec-res': option(z.int().min(0).max(100).default(75), {
    title: 'Special: hot accesses',
    description: 'Share of the accesses that go to the hot rows in the special distribution.',
    unit: '%',
    group,
    when: { option: 'rand-type', in: ['special'] },
  }),
  'rand-pareto-h': option(z.number().gt(0).lt(1).default(0.2), {
    title: 'Pareto: h',
    description: 'Shape of the Pareto distribution: 0.2 means that about 80 % of accesses hit 20 % of the rows.',
    group,
    when: { option: 'rand-type', in: ['pareto'] },
  }),
  'rand-zipfian-exp': option(z.number().min(0).default(0.8), {
    title: 'Zipfian: exponent',
    description: 'Skew of the Zipfian distribution; larger means hotter keys. sysbench 1.1 and later.',
    group,
    when: { option: 'rand-type', in: ['zipfian'] },
  }),
};

import { z } from 'zod';
import { type Factor, levelName, Scalar } from '../../../../shared/model/factor.ts';
import { defineFactor, levelNamed } from '../factor.ts';
import {
  checkOptionSet,
  type OptionSet,
  optionSetKey,
  optionsVaried,
  plainOptionSet,
  withOptions,
} from '../option-sets.ts';

const level = z.strictObject({
  options: z.record(z.string(), Scalar).meta({
    title: 'Options',
    description: 'Tool options of this workload. Other options keep their values from the document.',
  }),
});

/** A factor whose levels are named workloads: several options of the tool at once. */
export const workloadFactor = defineFactor({
  kind: 'workload',
  title: 'Workload',
  description: 'Named workloads as levels: each sets several tool options at once.',
  changes: 'nothing',
  takes: 'Nothing: it applies at the next launch of the tool.',
  undone: 'The command of each run is stored with it; nothing to undo.',
  fields: z.strictObject({}),
  level,
  example:
    '{name: load, kind: workload, levels: [{name: point, options: {script: oltp_point_select}}, {name: mixed, options: {script: oltp_read_write, rate: 500}}]}',
  plainLevel: (wanted, _factor, plain) => plainOptionSet(wanted, plain),
  rules(factor, _fields, tool) {
    return {
      varies: optionsVaried(factor.levels.map(setOf), tool),
      cost: 'none',
      // One workload under two names is measured twice, to show how much two measurements of the same differ.
      levelKey: (wanted) => `${levelName(wanted)} ${optionSetKey(setOf(wanted), tool)}`,
      check(complain) {
        factor.levels.forEach((wanted, at) => {
          checkOptionSet(setOf(wanted), tool, ['levels', at, 'options'], complain);
        });
      },
      apply(step, name) {
        const wanted = levelNamed(factor, name);
        return wanted === undefined ? step : { ...step, workload: withOptions(step.workload, setOf(wanted), tool) };
      },
    };
  },
});

const setOf = (wanted: Factor['levels'][number]): OptionSet =>
  typeof wanted === 'object' ? level.shape.options.parse(wanted.options) : {};

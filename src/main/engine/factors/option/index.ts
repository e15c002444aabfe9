import { z } from 'zod';
import { levelName, optionOf } from '../../../../shared/model/factor.ts';
import { loadKind, optionName, optionValue } from '../../tools/index.ts';
import { optionProblem, toolOptions, unknownOption } from '../../tools/option-problem.ts';
import { defineFactor } from '../factor.ts';

const fields = z.strictObject({
  option: z
    .string()
    .optional()
    .meta({ title: 'Option', description: 'Tool option. Default: the option with the name of the factor.' }),
});

/** A factor that sets an option of the tool. */
export const optionFactor = defineFactor({
  kind: 'option',
  title: 'Tool option',
  description: 'An option of the tool: threads, table size, read share.',
  changes: 'nothing',
  takes: 'Nothing: it applies at the next launch of the tool.',
  undone: 'The command of each run is stored with it; nothing to undo.',
  fields,
  example: '{name: threads, levels: [1, 2, 4, 8]}',
  plainLevel: (level, { name, option }, plain) => plain.option(option ?? name, level),
  rules(factor, _fields, tool) {
    const varies = optionOf(factor);
    const name = optionName(tool, varies);
    const known = Object.hasOwn(tool.options.shape, name);
    const load = loadKind(tool, varies);
    return {
      varies: [name],
      cost: 'none',
      ...(load && { load }),
      levelKey: (level) => String(known ? optionValue(tool, name, levelName(level)) : levelName(level)),
      check(complain) {
        if (!known) {
          const what = `${tool.title} has no option named “${varies}” for factor “${factor.name}” to vary.`;
          complain([factor.option === undefined ? 'name' : 'option'], what + unknownOption(varies, tool));
          return;
        }
        factor.levels.forEach((level, at) => {
          const problem = optionProblem(tool, varies, levelName(level));
          if (problem !== undefined) complain(['levels', at], problem);
        });
      },
      apply: (step, level) => ({
        ...step,
        workload: {
          ...step.workload,
          options: { ...step.workload.options, ...toolOptions(tool, { [varies]: level }) },
        },
      }),
    };
  },
});

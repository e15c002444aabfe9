import type { Factor } from '../../../shared/model/experiment.ts';
import { optionName, optionValue } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { FactorRules } from './factors.ts';
import { optionProblem, toolOptions, unknownOption } from './options.ts';

/** A factor that sets an option of the tool. */
export function optionFactor(factor: Extract<Factor, { kind: 'option' }>, tool: Tool): FactorRules {
  const varies = factor.option ?? factor.name;
  const name = optionName(tool, varies);
  const known = Object.hasOwn(tool.options.shape, name);
  return {
    varies,
    levelKey: (level) => String(known ? optionValue(tool, name, level) : level),
    check(complain) {
      if (!known) {
        const what = `${tool.title} has no option named “${varies}” that factor “${factor.name}” could vary.`;
        complain([factor.option === undefined ? 'name' : 'option'], what + unknownOption(varies, tool));
        return;
      }
      factor.levels.forEach((level, at) => {
        const problem = optionProblem(tool, varies, level);
        if (problem !== undefined) complain(['levels', at], problem);
      });
    },
    apply: (effects, level) => ({
      ...effects,
      workload: {
        ...effects.workload,
        options: { ...effects.workload.options, ...toolOptions(tool, { [varies]: level }) },
      },
    }),
  };
}

import { z } from 'zod';
import { levelName } from '../../../../shared/model/factor.ts';
import { readCpus } from '../../../../shared/util/virtual-disk.ts';
import { defineFactor } from '../factor.ts';

/** Sorts CPUs, so “1,0” and “0-1” are the same level. */
const sorted = (text: string): string => {
  const cpus = readCpus(text);
  return cpus ? [...cpus].toSorted((a, b) => a - b).join(',') : text;
};

/** A factor that pins the tool's process on every generator. */
export const toolCpusFactor = defineFactor({
  kind: 'tool-cpus',
  title: 'Tool CPU affinity',
  description: 'CPUs of the generators that the tool may run on, such as 0-3,8, set by taskset.',
  changes: 'nothing',
  takes: 'Nothing: it applies at the next launch of the tool.',
  undone: 'Ends with the process of the tool.',
  fields: z.strictObject({}),
  example: '{name: generator-cpus, kind: tool-cpus, levels: ["0", "0-3", "0-7"]}',
  rules(factor) {
    return {
      varies: ['CPUs of the tool'],
      cost: 'none',
      levelKey: (level) => sorted(String(levelName(level))),
      check(complain) {
        factor.levels.forEach((level, at) => {
          if (readCpus(String(levelName(level))) === undefined)
            complain(['levels', at], `“${levelName(level)}” is not a list of CPUs such as 0-3,8.`);
        });
      },
      apply: (step, level) => ({ ...step, launch: { ...step.launch, cpus: String(level) } }),
    };
  },
});

import { z } from 'zod';
import { levelName } from '../../../../shared/model/factor.ts';
import { defineFactor } from '../factor.ts';

/** A factor that varies the number of addresses of the target. */
export const nodesFactor = defineFactor({
  kind: 'nodes',
  title: 'Nodes',
  description:
    'Number of target addresses that the tool connects to, starting with the first: nodes of a cluster, or its proxies. The target lists them.',
  changes: 'nothing',
  takes: 'Nothing: the tool connects to other addresses. The cluster itself does not change.',
  undone: 'The addresses are in the command of each run; nothing to undo.',
  fields: z.strictObject({}),
  example: '{name: nodes, kind: nodes, levels: [1, 2, 3]}',
  rules: (factor) => ({
    varies: ['the addresses'],
    cost: 'none',
    levelKey: (level) => String(Number(levelName(level))),
    check(complain) {
      factor.levels.forEach((level, at) => {
        const count = Number(levelName(level));
        if (!Number.isInteger(count) || count < 1)
          complain(['levels', at], `${levelName(level)} is not a valid number of addresses. Use 1 or more.`);
      });
    },
    apply: (step, level) => ({ ...step, nodes: Number(level) }),
  }),
});

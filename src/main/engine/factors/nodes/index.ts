import { z } from 'zod';
import { levelName } from '../../../../shared/model/factor.ts';
import { defineFactor } from '../factor.ts';

/** A factor that varies the number of addresses of the target. */
export const nodesFactor = defineFactor({
  kind: 'nodes',
  title: 'Nodes',
  description:
    'How many addresses of the target the tool connects to, from the first on: nodes of a cluster, or proxies of one. The target lists them.',
  changes: 'nothing',
  takes: 'Nothing: the tool connects to other addresses. The cluster itself stays as it is.',
  undone: 'The addresses are in the command of each run; nothing has to be undone.',
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
          complain(['levels', at], `${levelName(level)} is not a number of addresses: 1 or more.`);
      });
    },
    apply: (step, level) => ({ ...step, nodes: Number(level) }),
  }),
});

import { z } from 'zod';
import { levelName } from '../../../../shared/model/factor.ts';
import { defineFactor } from '../factor.ts';

/** A factor that chooses the target. */
export const targetFactor = defineFactor({
  kind: 'target',
  title: 'Target',
  description:
    'Versions, forks, engines or ways in as levels: each level is the name of a saved target, and its cells are measured on that one.',
  changes: 'nothing',
  fields: z.strictObject({}),
  example: '{name: server, kind: target, levels: [mysql-8.0, mariadb-10.11]}',
  rules: () => ({
    varies: ['the target'],
    cost: 'none',
    levelKey: (level) => String(levelName(level)),
    check: () => {},
    apply: (effects, level) => ({ ...effects, target: String(level) }),
  }),
});

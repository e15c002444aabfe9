import { z } from 'zod';
import { levelName } from '../../../../shared/model/factor.ts';
import { defineFactor } from '../factor.ts';

/** A factor that chooses the target. */
export const targetFactor = defineFactor({
  kind: 'target',
  title: 'Target',
  description:
    'Versions, forks, engines or connection paths as levels: each level is the name of a saved target, and its cells are measured on it.',
  changes: 'nothing',
  takes: 'Nothing: the next trial runs on another server. Data is prepared on each of them.',
  undone: 'The address and version of the server are stored with the session; nothing to undo.',
  fields: z.strictObject({}),
  example: '{name: server, kind: target, levels: [mysql-8.0, mariadb-10.11]}',
  rules: () => ({
    varies: ['the target'],
    cost: 'none',
    levelKey: (level) => String(levelName(level)),
    check: () => {},
    apply: (step, level) => ({ ...step, target: String(level) }),
  }),
});

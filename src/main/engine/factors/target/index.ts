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
  takes: 'Nothing: the next trial is measured on another server. Data is made on each of them.',
  undone: 'The address and version of the server are stored with the session; nothing has to be undone.',
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

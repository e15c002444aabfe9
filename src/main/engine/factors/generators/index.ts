import { z } from 'zod';
import { type Factor, levelName } from '../../../../shared/model/factor.ts';
import { defineFactor, levelNamed } from '../factor.ts';

const level = z.strictObject({
  hosts: z
    .array(z.string().min(1))
    .min(1, 'at least one host.')
    .meta({ title: 'Hosts', description: 'Names of saved hosts that run the tool in parallel.' }),
});

type Hosts = { readonly count: number } | { readonly names: readonly string[] };

/** A number means the first hosts of the document; a name means that host alone. */
function hostsOf(wanted: Factor['levels'][number]): Hosts {
  if (typeof wanted === 'object') return { names: level.shape.hosts.parse(wanted.hosts) };
  const count = typeof wanted === 'string' && wanted.trim() === '' ? Number.NaN : Number(wanted);
  return Number.isNaN(count) || typeof wanted === 'boolean' ? { names: [String(wanted)] } : { count };
}

/** A factor that chooses the hosts that run the tool. */
export const generatorsFactor = defineFactor({
  kind: 'generators',
  title: 'Generators',
  description:
    'Which hosts run the tool, or how many. A number N takes the first N hosts of `where.generators`; a name takes that host alone; a named level lists its hosts.',
  changes: 'nothing',
  takes: 'Nothing: the tool starts on other hosts.',
  undone: 'The hosts of each run are stored with it; nothing to undo.',
  fields: z.strictObject({}),
  level,
  plainLevels: true,
  example:
    '{name: clients, kind: generators, levels: [{name: one, hosts: [load-1]}, {name: two, hosts: [load-1, load-2]}]}',
  rules: (factor) => ({
    varies: ['the generators'],
    cost: 'none',
    levelKey: (wanted) => JSON.stringify(hostsOf(wanted)),
    check(complain, { generators }) {
      factor.levels.forEach((wanted, at) => {
        const hosts = hostsOf(wanted);
        if ('names' in hosts) {
          const twice = hosts.names.find((name, index) => hosts.names.indexOf(name) !== index);
          if (twice !== undefined) complain(['levels', at, 'hosts'], `“${twice}” is named twice.`);
          return;
        }
        if (!Number.isInteger(hosts.count) || hosts.count < 1)
          complain(['levels', at], `${hosts.count} is not a valid number of hosts. Use 1 or more.`);
        else if (hosts.count > generators.length)
          complain(
            ['levels', at],
            `The level needs ${hosts.count} hosts, but where.generators names ${generators.length}.`,
          );
      });
    },
    apply(step, name) {
      const hosts = hostsOf(levelNamed(factor, name) ?? levelName(name));
      return {
        ...step,
        generators: 'names' in hosts ? hosts.names : step.generators.slice(0, hosts.count),
      };
    },
  }),
});

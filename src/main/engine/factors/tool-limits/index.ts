import { z } from 'zod';
import { levelName } from '../../../../shared/model/factor.ts';
import { defineFactor } from '../factor.ts';

/** Limits by name, with the letter of `ulimit` and their unit. */
const LIMITS = {
  'open-files': { letter: 'n', unit: 'files' },
  processes: { letter: 'u', unit: 'processes and threads of the account' },
  stack: { letter: 's', unit: 'KiB' },
  'virtual-memory': { letter: 'v', unit: 'KiB' },
  'locked-memory': { letter: 'l', unit: 'KiB' },
} as const;
type Limit = keyof typeof LIMITS;
const NAMES = Object.keys(LIMITS) as [Limit, ...Limit[]];

/** The kernel's limits fit a signed 64-bit integer, which shells use for numbers. */
const MOST = Number.MAX_SAFE_INTEGER;

const isLimit = (level: unknown): boolean => /^\d{1,16}$/.test(String(level)) && Number(level) <= MOST;

/** A factor that limits the tool's process on every generator. */
export const toolLimitsFactor = defineFactor({
  kind: 'tool-limits',
  title: 'Tool ulimits',
  description: 'A ulimit of the tool’s process on every generator: open files, processes, stack.',
  changes: 'nothing',
  takes: 'Nothing: it applies at the next launch of the tool.',
  undone: 'Ends with the process of the tool.',
  fields: z.strictObject({
    limit: z.enum(NAMES).meta({
      title: 'Limit',
      description: `Limit: ${NAMES.map((name) => `${name} (${LIMITS[name].unit})`).join(', ')}. Exceeding the hard limit of the account requires root.`,
    }),
  }),
  example: '{name: open-files, kind: tool-limits, limit: open-files, levels: [1024, 100000]}',
  rules(factor, { limit }) {
    return {
      varies: [`limit of ${limit}`],
      cost: 'none',
      levelKey: (level) => String(Number(levelName(level))),
      check(complain) {
        factor.levels.forEach((level, at) => {
          if (!isLimit(levelName(level)))
            complain(
              ['levels', at],
              `“${levelName(level)}” is not a limit: ${limit} takes a whole number of ${LIMITS[limit].unit}.`,
            );
        });
      },
      apply: (step, level) => ({
        ...step,
        launch: {
          ...step.launch,
          limits: { ...step.launch.limits, [LIMITS[limit].letter]: Number(level) },
        },
      }),
    };
  },
});

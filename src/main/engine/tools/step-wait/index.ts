import { z } from 'zod';
import { TOOK, untilWords, WaitUntil } from '../../../../shared/model/step.ts';
import { formatDuration } from '../../../../shared/util/format.ts';
import { defineTool } from '../tool.ts';

/** A condition, and the seconds after which the wait ends. `else`: the trial continues in that case. */
const WaitOptions = z.strictObject({
  until: WaitUntil,
  'at-most': z.number(),
  else: z.literal('measure').optional(),
});

/** The step `do: wait`. The engine itself queries hosts and servers, so nothing is started on a generator. */
export const waitTool = defineTool(
  {
    id: 'step-wait',
    title: 'Wait',
    options: WaitOptions,
    metrics: { primary: () => TOOK },
    parser: () => ({ line: () => {}, end: () => ({ summary: {}, ok: true }) }),
  },
  {
    summary: 'Waits for a condition: a counter, a query, a file, a port, or low writes on a host.',
    drives: ['host', 'mysql', 'postgres', 'mongodb', 'clickhouse', 'sqlite', 'storage'],
    processes: [],
    needs: () => [],
    waits: ({ until, 'at-most': seconds, else: otherwise }) => ({ until, seconds, fails: otherwise === undefined }),
    plan: ({ options }) => ({
      run: {
        argv: [],
        shown: `# wait until ${untilWords(options.until)}, at most ${formatDuration(options['at-most'])}`,
        env: {},
        files: [],
        plannedSeconds: options['at-most'],
      },
    }),
  },
);

import { z } from 'zod';
import { Bytes } from '../model/binary.ts';
import { AssumedWork, CostGoal } from '../model/cost.ts';
import { Levels } from '../model/experiment.ts';
import { MonitoredChoice } from '../model/monitored.ts';
import { call } from '../rpc/define.ts';

export const ExportFormat = z.enum(['csv', 'csv-cells', 'csv-monitors', 'json', 'pdf']);
export type ExportFormat = z.infer<typeof ExportFormat>;

const MadeFile = z.object({ fileName: z.string(), mediaType: z.string(), bytes: Bytes });

export const reports = {
  /**
   * csv: every second of every run; csv-cells: one line per cell; csv-monitors: one line per value of the watched sources, of the series
   * shown by default or those in `monitored`; json: everything except these values; pdf: the report. `warmup`: seconds cut from all figures
   * at the start of each run, if not as planned. `baselines`: levels that ratios refer to, as in `results.session`.
   */
  make: call(
    z.object({
      sessionId: z.number(),
      format: ExportFormat,
      compareWith: z.number().optional(),
      warmup: z.number().min(0).optional(),
      baselines: Levels.optional(),
      monitored: MonitoredChoice.optional(),
    }),
    MadeFile,
  ),
  /**
   * The cheapest configuration that reaches a goal, as a PDF. `sessionIds`: by default, the newest with a price. `assumed`: as in `costs.valueForMoney`. `metric`, `currency`: of
   * the rate and its price; by default, the first that these sessions have. Throws `bad-request` if no measurement has a price.
   */
  costGoal: call(
    z.object({
      goal: CostGoal,
      metric: z.string().optional(),
      currency: z.string().optional(),
      sessionIds: z.array(z.number()).max(100).optional(),
      assumed: z.array(AssumedWork).max(1000).optional(),
    }),
    MadeFile,
  ),
};

import { z } from 'zod';
import { Bytes } from '../model/binary.ts';
import { Levels } from '../model/experiment.ts';
import { call } from '../rpc/define.ts';

export const ExportFormat = z.enum(['csv', 'csv-cells', 'json', 'pdf']);
export type ExportFormat = z.infer<typeof ExportFormat>;

export const reports = {
  /**
   * csv: every second of every run; csv-cells: one line per cell; json: all of it; pdf: the report. `warmup`: seconds left out of every
   * figure at the start of each run, if not as planned. `baselines`: levels that ratios refer to, as in `results.session`.
   */
  make: call(
    z.object({
      sessionId: z.number(),
      format: ExportFormat,
      compareWith: z.number().optional(),
      warmup: z.number().min(0).optional(),
      baselines: Levels.optional(),
    }),
    z.object({ fileName: z.string(), mediaType: z.string(), bytes: Bytes }),
  ),
};

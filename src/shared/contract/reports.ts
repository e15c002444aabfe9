import { z } from 'zod';
import { Bytes } from '../model/binary.ts';
import { call } from '../rpc/define.ts';

export const ExportFormat = z.enum(['csv', 'csv-cells', 'json', 'pdf']);
export type ExportFormat = z.infer<typeof ExportFormat>;

export const reports = {
  /** csv: every second of every run; csv-cells: one line per cell; json: all of it; pdf: the report. */
  make: call(
    z.object({ sessionId: z.number(), format: ExportFormat, compareWith: z.number().optional() }),
    z.object({ fileName: z.string(), mediaType: z.string(), bytes: Bytes }),
  ),
};

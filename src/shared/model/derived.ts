import { z } from 'zod';
import { OneLine } from './factor.ts';
import type { OptionWords } from './tool.ts';

const words = (title: string, description: string, more: Partial<OptionWords> = {}) => ({
  title,
  description,
  ...more,
});

/** How the seconds of a series become one figure of a run. */
export const TAKES = ['mean', 'median', 'min', 'max', 'p5', 'p95', 'p99', 'last', 'change', 'total'] as const;
export const Take = z.enum(TAKES);
export type Take = z.infer<typeof Take>;

/** Maximum number of characters of a formula. */
const LONGEST_FORMULA = 2000;
export const MOST_MEASURES = 50;

/**
 * A user-defined figure of each cell: a formula (`is`), or an aggregate of a series over the measured seconds (`series`). It is then a
 * metric like any other: `docs/measures.md`.
 */
export const DerivedMeasure = z.strictObject({
  name: OneLine.trim().min(1).max(60).meta(words('Name', 'Shown wherever metrics are chosen.')),
  unit: OneLine.max(20).optional().meta(words('Unit', 'Default: the unit of the formula, if it has one.')),
  better: z
    .enum(['higher', 'lower', 'neither'])
    .optional()
    .meta(
      words('Better', 'Better direction. Default: that of the metrics in the formula, if the formula preserves it.'),
    ),
  digits: z
    .number()
    .int()
    .min(0)
    .max(6)
    .optional()
    .meta(words('Decimals', 'Decimals shown.', { unset: '2' })),
  is: z
    .string()
    .min(1)
    .max(LONGEST_FORMULA)
    .optional()
    .meta(words('Formula', 'Uses metrics, series, facts and levels: read_mib_s + write_mib_s.')),
  of: OneLine.min(1)
    .max(200)
    .optional()
    .meta(words('Source', 'server, host NAME, command NAME, statement NAME. Default: the tool.')),
  series: OneLine.min(1).max(200).optional().meta(words('Series', 'Name of the series.')),
  take: Take.optional().meta(words('Take', 'How measured samples are reduced to one figure.', { unset: 'mean' })),
});
export type DerivedMeasure = z.infer<typeof DerivedMeasure>;

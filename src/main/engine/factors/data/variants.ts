import { z } from 'zod';

const Statement = z.string().min(1).max(10_000);

/** What statements make of the data of a level. */
export const VariantFields = z.strictObject({
  statements: z.array(Statement).min(1).max(50).optional().meta({
    title: 'Statements',
    description:
      'Run on the target, one by one, before the first trial of the level that needs them: an index, triggers, partitions.',
  }),
  undo: z.array(Statement).min(1).max(50).optional().meta({
    title: 'Undo',
    description:
      'Takes away what the statements made: run before another level, and at the end. Write it so that it can be run twice: DROP … IF EXISTS.',
  }),
  check: Statement.optional().meta({
    title: 'Check',
    description:
      'A query whose first value is neither empty nor 0 while the variant is there, and that also works while it is not.',
  }),
});

const Variant = z.strictObject({
  name: z.string(),
  statements: z.array(Statement),
  undo: z.array(Statement),
  check: Statement,
});
/** A level that statements make; the data as it was loaded has none. */
export type Variant = z.infer<typeof Variant>;

/** All variants of a factor, as settings and the journal carry them: to make one, the others are taken away. */
export const variantsText = (variants: readonly Variant[]): string => JSON.stringify(variants);

/** Throws for a text that is not of `variantsText`. */
export const readVariants = (text: string | undefined): Variant[] => z.array(Variant).parse(JSON.parse(text ?? '[]'));

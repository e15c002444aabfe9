import { z } from 'zod';
import { Scalar } from './experiment.ts';

/**
 * A piece of a sentence. gain, loss: it names a significant difference, for better or worse. interval: the range of the preceding ratio.
 */
const Piece = z.object({ text: z.string(), tone: z.enum(['gain', 'loss', 'interval']).optional() });
export type AnswerPiece = z.infer<typeof Piece>;

/**
 * The answer of a session: the effect of its factor under test, then how far more load helps. The factor under test is the only one that is
 * no load, or the one that the document or the user names.
 */
export const Answer = z.object({
  /** The factor under test; absent: there is none, or several are possible and none was chosen. */
  factor: z.string().optional(),
  /** The level that the others are compared with; without one among three or more levels, the best, which is 100 %. */
  baseline: Scalar.optional(),
  /** The baseline is the best level as measured, so all pairs of levels are tested together. */
  ranked: z.literal(true).optional(),
  /** Factors to choose from before there is an answer. */
  choices: z.array(z.string()).optional(),
  /** Each ends with a full stop. The first is the headline. */
  sentences: z.array(z.array(Piece)),
  /** settled: every comparison has a verdict. open: more repeats could give one. none: nothing is compared. */
  verdict: z.enum(['settled', 'open', 'none']),
  /** Repeats that would resolve the open comparisons. `cells`: indices of cells, all if absent. `seconds`: estimated for all of them. */
  more: z
    .object({ repeats: z.number(), cells: z.array(z.number()).optional(), seconds: z.number(), words: z.string() })
    .optional(),
  /** The next step for comparisons that repeats may never resolve; a sentence. */
  next: z.string().optional(),
});
export type Answer = z.infer<typeof Answer>;

/** The sentences of an answer as plain text. */
export const answerSentences = ({ answer }: { readonly answer?: Answer | undefined }): string[] =>
  answer?.sentences.map((pieces) => pieces.map(({ text }) => text).join('')) ?? [];

import { z } from 'zod';
import { Scalar } from './experiment.ts';

/** A piece of a sentence. gain, loss: it names a difference that was shown, for better or worse. interval: the range of the ratio before it. */
const Piece = z.object({ text: z.string(), tone: z.enum(['gain', 'loss', 'interval']).optional() });
export type AnswerPiece = z.infer<typeof Piece>;

/**
 * The answer of a session: the effect of its factor under test, then how far more load helps. The factor under test is the only one that is no
 * load, or the one that the document or a person names.
 */
export const Answer = z.object({
  /** The factor under test; absent: there is none, or several could be and nobody has chosen. */
  factor: z.string().optional(),
  /** The level that the others are held against; of three or more levels without one, the best, which is 100 %. */
  baseline: Scalar.optional(),
  /** The baseline is the best level as it was measured, so all pairs of levels are judged with it. */
  ranked: z.literal(true).optional(),
  /** Factors of which one has to be chosen before there is an answer. */
  choices: z.array(z.string()).optional(),
  /** Each ends with a full stop. The first is the headline. */
  sentences: z.array(z.array(Piece)),
  /** settled: every comparison has a verdict. open: more repeats could give one. none: nothing is compared. */
  verdict: z.enum(['settled', 'open', 'none']),
  /** Repeats that would settle what is open. `cells`: indices of cells, all if absent. `seconds`: of load. */
  more: z
    .object({ repeats: z.number(), cells: z.array(z.number()).optional(), seconds: z.number(), words: z.string() })
    .optional(),
  /** The next step for the rest, which no number of repeats is known to settle; a sentence. */
  next: z.string().optional(),
});
export type Answer = z.infer<typeof Answer>;

/** The sentences of an answer as plain text. */
export const answerSentences = ({ answer }: { readonly answer?: Answer | undefined }): string[] =>
  answer?.sentences.map((pieces) => pieces.map(({ text }) => text).join('')) ?? [];

/** Next steps towards a sure answer, a sentence each. */
export const missingSentences = ({ answer }: { readonly answer?: Answer | undefined }): string[] =>
  [answer?.more?.words, answer?.next].filter((sentence) => sentence !== undefined);

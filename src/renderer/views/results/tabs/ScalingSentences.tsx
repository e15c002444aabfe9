import { scalingSentences } from '../../../../shared/chart-models/index.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { errorSentence } from '../../../../shared/model/result-words.ts';
import { type LevelFilter, passes } from '../useResults.ts';

/** Knee and fit of every line that is shown, in words, and which of its cells had errors. */
export function ScalingSentences({ result, filter }: { result: SessionResult; filter: LevelFilter }) {
  const errors = errorSentence(result.cells.filter(({ levels }) => passes(levels, filter)));
  const sentences = [...scalingSentences(result, filter), ...(errors === undefined ? [] : [errors])];
  if (sentences.length === 0) return null;
  return (
    <ul className="kp-small kp-scaling">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

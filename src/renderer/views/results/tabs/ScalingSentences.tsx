import { scalingSentences } from '../../../../shared/chart-models/index.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { LevelFilter } from '../useResults.ts';

/** Knee and fit of every line that is shown, in words; nothing where no factor is a load. */
export function ScalingSentences({ result, filter }: { result: SessionResult; filter: LevelFilter }) {
  const sentences = scalingSentences(result, filter);
  if (sentences.length === 0) return null;
  return (
    <ul className="kp-small kp-scaling">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

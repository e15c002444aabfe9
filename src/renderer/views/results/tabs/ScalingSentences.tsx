import { scalingSentences } from '../../../../shared/chart-models/index.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { errorSentence } from '../../../../shared/model/result-words.ts';
import { crossingSentences } from '../../../../shared/stats/index.ts';
import { WarningNotes } from '../../../domain/index.ts';
import { type LevelFilter, passes, shownOf } from '../useResults.ts';

/** More sentences are folded: the curve comes first. */
const MOST_OPEN = 4;

/** Sentences about knee and fit of every visible line, about crossings of lines, and about cells with errors. */
export function ScalingSentences({ result, filter }: { result: SessionResult; filter: LevelFilter }) {
  const cells = result.cells.filter(({ levels }) => passes(levels, filter));
  const errors = errorSentence(cells);
  const sentences = [
    ...scalingSentences(result, filter),
    ...crossingSentences(shownOf(result, filter)),
    ...(errors === undefined ? [] : [errors]),
  ];
  // Never folded: a knee of the generator looks like one of the server.
  const warning = <WarningNotes cells={cells} />;
  if (sentences.length === 0) return warning;
  const list = (
    <ul className="kp-small kp-scaling">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
  return (
    <>
      {warning}
      {sentences.length > MOST_OPEN ? (
        <details className="kp-small">
          <summary>Knees, fits and crossings, line by line ({sentences.length})</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </>
  );
}

import {
  type BlackBoxEvent,
  boundTitle,
  type RunJudgement as Judgement,
  LOAD_VERDICTS,
} from '../../../../../shared/model/analysis.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { KeyValueList, type Pair, ProblemBanner } from '../../../../ui/index.ts';

interface Properties {
  sessionId: number;
  runId: number;
  warmup: number | undefined;
}

/** What bounds a run, what an operation took in it, and what changed around its stalls and dips; nothing where nothing was watched. */
export function RunJudgement({ sessionId, runId, warmup }: Properties) {
  const { data, error } = useCall('results.judgements', {
    sessionId,
    runIds: [runId],
    ...(warmup === undefined ? {} : { warmup }),
  });
  if (error) return <ProblemBanner problem={error.problem} />;
  const [judgement] = data ?? [];
  if (!judgement) return null;
  return (
    <>
      <Verdict judgement={judgement} />
      {judgement.operations.length > 0 ? (
        <section aria-label="Per operation">
          <h3>Per operation</h3>
          <KeyValueList pairs={judgement.operations.map(operationPair)} />
        </section>
      ) : null}
      {judgement.blackBox && judgement.blackBox.events.length > 0 ? (
        <section aria-label="Stalls and dips">
          <h3>Stalls and dips</h3>
          {judgement.blackBox.sentence ? <p>{judgement.blackBox.sentence}</p> : null}
          <ul>
            {judgement.blackBox.events.map((event) => (
              <li key={`${event.kind} ${event.from}`}>{eventWords(event)}</li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

function Verdict({ judgement: { bound } }: { judgement: Judgement }) {
  const isKnown = bound.verdict !== 'not-known';
  return (
    <ProblemBanner
      tone={LOAD_VERDICTS.includes(bound.verdict) ? 'warn' : 'idle'}
      problem={{
        message: isKnown ? `Bound by ${boundTitle(bound.verdict)}. ${bound.sentence}` : bound.sentence,
        ...(bound.runnersUp.length > 0 && {
          evidence: `Also near a limit: ${bound.runnersUp.map(({ sentence }) => sentence).join(' ')}`,
        }),
        ...(isKnown && bound.notWatched.length > 0 && { next: `Not watched: ${bound.notWatched.join(', ')}.` }),
      }}
    />
  );
}

const eventWords = ({ sentence }: BlackBoxEvent): string => sentence;

const operationPair = ({ label, value, digits, unit, source, formula }: Judgement['operations'][number]): Pair => [
  source === undefined ? label : `${label}, ${source}`,
  <span key={label} title={formula}>
    {formatNumber(value, digits)} {unit}
  </span>,
];

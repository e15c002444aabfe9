import { Link } from 'wouter';
import {
  type BlackBoxEvent,
  boundTitle,
  type RunJudgement as Judgement,
  LOAD_VERDICTS,
} from '../../../../../shared/model/analysis.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { KeyValueList, type Pair, ProblemBanner } from '../../../../ui/index.ts';
import type { ResultsState } from '../../useResults.ts';
import { type LanesPlace, lanesPlace } from '../hosts/lanes-place.ts';

interface Properties {
  state: Pick<ResultsState, 'id' | 'search' | 'warmup'>;
  runId: number;
}

/** Seconds shown before and after a stall or dip. */
const AROUND = 10;
/** Maximum lanes of the largest changes: more cannot be read together. */
const MOST_CHANGES = 3;

/** The bottleneck of a run, its costs per operation, and the changes around its stalls and dips; renders nothing if nothing was watched. */
export function RunJudgement({ state, runId }: Properties) {
  const { id, warmup } = state;
  const { data, error } = useCall('results.judgements', {
    sessionId: id,
    runIds: [runId],
    ...(warmup === undefined ? {} : { warmup }),
  });
  if (error) return <ProblemBanner problem={error.problem} />;
  const [judgement] = data ?? [];
  if (!judgement) return null;
  const { bound, blackBox } = judgement;
  // Without a bottleneck, the lanes of the resource closest to its limit.
  const [nearest] = bound.runnersUp;
  const series = bound.verdict === 'not-known' ? (nearest?.evidence ?? []) : bound.evidence;
  return (
    <>
      <Verdict judgement={judgement} lanes={lanesPlace(state, { runId, series })} />
      {judgement.operations.length > 0 ? (
        <section aria-label="Per operation">
          <h3>Per operation</h3>
          <KeyValueList pairs={judgement.operations.map(operationPair)} />
        </section>
      ) : null}
      {blackBox && blackBox.events.length > 0 ? (
        <section aria-label="Stalls and dips">
          <h3>Stalls and dips</h3>
          {blackBox.sentence ? <p>{blackBox.sentence}</p> : null}
          <ul>
            {blackBox.events.map((event) => (
              <li key={`${event.kind} ${event.from}`}>
                {event.sentence}{' '}
                <Link href={lanesPlace(state, lanesAround(runId, event))}>Show in the run timeline</Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

/** The seconds around a stall or dip, with the lanes of the largest changes. */
const lanesAround = (runId: number, { from, to, changes }: BlackBoxEvent): LanesPlace => ({
  runId,
  series: changes.slice(0, MOST_CHANGES),
  part: { from: from - AROUND, to: to + AROUND },
});

function Verdict({ judgement: { bound }, lanes }: { judgement: Judgement; lanes: string }) {
  const isKnown = bound.verdict !== 'not-known';
  return (
    <ProblemBanner
      tone={LOAD_VERDICTS.includes(bound.verdict) ? 'warn' : 'idle'}
      actions={<Link href={lanes}>Show the run timeline</Link>}
      problem={{
        message: isKnown ? `Bottleneck: ${boundTitle(bound.verdict)}. ${bound.sentence}` : bound.sentence,
        ...(bound.runnersUp.length > 0 && {
          evidence: `Also near a limit: ${bound.runnersUp.map(({ sentence }) => sentence).join(' ')}`,
        }),
        ...(isKnown && bound.notWatched.length > 0 && { next: `Not monitored: ${bound.notWatched.join(', ')}.` }),
      }}
    />
  );
}

const operationPair = ({ label, value, digits, unit, source, formula }: Judgement['operations'][number]): Pair => [
  source === undefined ? label : `${label}, ${source}`,
  <span key={label} title={formula}>
    {formatNumber(value, digits)} {unit}
  </span>,
];

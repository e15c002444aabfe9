import type { CellResult, StallFigures } from '../../../shared/model/result.ts';
import { mergedFacts } from '../../../shared/model/run-facts.ts';
import { type EventCount, mean, spreadOf } from '../../../shared/stats/index.ts';
import type { ComparedSession } from './pair-cells.ts';

/**
 * Several sessions a side as one: each is one figure per cell, that which it shows, and its place in the order in which all
 * of them were measured. What they have in common is told of the first of them.
 */
export function togetherOf(
  baseline: readonly ComparedSession[],
  other: readonly ComparedSession[],
): [ComparedSession, ComparedSession] {
  const startOf = ({ detail: { session } }: ComparedSession): number => session.startedAt ?? session.createdAt;
  const order = [...baseline, ...other].sort((a, b) => startOf(a) - startOf(b));
  return [asOne(baseline, order), asOne(other, order)];
}

function asOne(sessions: readonly ComparedSession[], order: readonly ComparedSession[]): ComparedSession {
  const [first] = sessions as readonly [ComparedSession];
  const cells = first.result.cells.map((cell) => {
    const key = JSON.stringify(cell.levels);
    const same = sessions.flatMap((session) => {
      const own = session.result.cells.find(({ levels }) => JSON.stringify(levels) === key);
      return own && own.means.length > 0 ? [{ own, trial: order.indexOf(session) }] : [];
    });
    return sessionMeans(cell, same);
  });
  return { ...first, result: { ...first.result, cells } };
}

function sessionMeans(cell: CellResult, same: readonly { own: CellResult; trial: number }[]): CellResult {
  const means = same.map(({ own }) => (own.range ? mean(own.means) : (own.value ?? mean(own.means))));
  const spread = spreadOf(Float64Array.from(means));
  const steps = same.flatMap(({ own }) => own.resolution ?? []);
  const stalls = stallsOfSessions(same.map(({ own }) => own.stalls));
  const waits = same.flatMap(({ own }) => own.littleLatency ?? []);
  const { levels, runs, partial, basis } = cell;
  const excluded = same.flatMap(({ own }) => own.excluded ?? []);
  const facts = mergedFacts(same.map(({ own }) => own.facts ?? []));
  return {
    ...{ cell: cell.cell, levels, runs, partial, ...(basis && { basis }) },
    ...(excluded.length > 0 && { excluded }),
    means,
    ...(means.length > 0 && { value: mean(means) }),
    trials: same.map(({ trial }) => trial),
    ...(spread && { spread }),
    ...(steps.length > 0 && { resolution: Math.max(...steps) }),
    ...(stalls && { stalls }),
    ...(waits.length === same.length && waits.length > 0 && { littleLatency: mean(waits) }),
    errors: same.reduce((sum, { own }) => sum + own.errors, 0),
    ...(facts.length > 0 && { facts }),
    ...(same.every(({ own }) => own.failures) && { failures: same.map(({ own }) => inAll(own.failures ?? [])) }),
  };
}

/** The share that each session stalled for is its figure, as any other. */
function stallsOfSessions(each: readonly (StallFigures | undefined)[]): StallFigures | undefined {
  const known = each.filter((stalls) => stalls !== undefined);
  if (known.length === 0 || known.length < each.length) return undefined;
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    longest: Math.max(...known.map(({ longest }) => longest)),
    share: known.reduce((sum, { share }) => sum + share, 0) / known.length,
  };
}

/** A session is one count, as it is one figure. */
const inAll = (counts: readonly EventCount[]): EventCount => ({
  events: counts.reduce((sum, { events }) => sum + events, 0),
  seconds: counts.reduce((sum, { seconds }) => sum + seconds, 0),
});

import type { MonitoredLimits, RunWindow } from '../../model/monitored.ts';
import type { LaneHead, LaneLimit, Span } from './lane.ts';
import type { MonitoredLane } from './lanes-of-sources.ts';

/** Limits of the visible part, each for its span: that of the lane wherever a run has no other. */
export function limitsIn({ limit, runLimits = [] }: Pick<LaneHead, 'limit' | 'runLimits'>, view: Span): LaneLimit[] {
  const own = runLimits.flatMap((each) => within(each, view));
  if (!limit) return own;
  return [...restOf(own, view).map((span) => ({ ...limit, ...span })), ...own];
}

function within(limit: LaneLimit, view: Span): LaneLimit[] {
  const [from, to] = [Math.max(limit.from, view.from), Math.min(limit.to, view.to)];
  return to > from ? [{ ...limit, from, to }] : [];
}

/** Parts of the view outside of the spans. */
function restOf(spans: readonly Span[], view: Span): Span[] {
  const rest: Span[] = [];
  let at = view.from;
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    if (from > at) rest.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  if (view.to > at) rest.push({ from: at, to: view.to });
  return rest;
}

/**
 * A lane with the limits of each run: from the settings of its cell, and as purchased. `zero`: epoch milliseconds of second 0 of the axis.
 */
export function withRunLimits(
  lane: MonitoredLane,
  limits: readonly MonitoredLimits[],
  windows: readonly RunWindow[],
  zero: number,
): MonitoredLane {
  const ids = new Set(lane.series.map(({ id }) => id));
  const runLimits = limits.flatMap(({ runId, limits: own }) => {
    const window = windows.find((each) => each.runId === runId);
    if (!window) return [];
    const span = { from: (window.zero - zero) / 1000, to: (window.to - zero) / 1000 };
    const found = own.filter((each) => each.sourceId === lane.sourceId && each.ids.some((id) => ids.has(id)));
    return distinct(found.map(({ value, words }) => ({ value, words, ...span })));
  });
  return runLimits.length > 0 ? { ...lane, runLimits } : lane;
}

/** Both directions of a link have the same limit. */
const distinct = (limits: readonly LaneLimit[]): LaneLimit[] =>
  limits.filter(
    ({ value, words }, index) => limits.findIndex((other) => other.value === value && other.words === words) === index,
  );

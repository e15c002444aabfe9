import { useMemo } from 'react';
import {
  byLevels,
  eventMarks,
  MARKED_KINDS,
  type Mark,
  steadyMarks,
} from '../../../../../shared/chart-models/index.ts';
import { canariesOf } from '../../../../../shared/model/canary.ts';
import type { SessionResult } from '../../../../../shared/model/result.ts';
import type { Run, TimelineEvent } from '../../../../../shared/model/session.ts';
import { useCall } from '../../../../client/index.ts';
import { passes, type ResultsState } from '../../useResults.ts';
import { nameOf } from './run-lines.ts';

/** Maximum runs of one request. */
const MOST_RUNS = 300;
const MOST_EVENTS = 2000;
const NO_RUNS: readonly Run[] = [];
const NO_EVENTS: readonly TimelineEvent[] = [];

/**
 * Runs of the visible levels that have seconds, without canaries and excluded ones, in the order of levels and repeats, with their events.
 */
export interface ShownRuns {
  all: readonly Run[];
  runs: readonly Run[];
  /** Runs of each cell, in the same order. */
  cells: readonly (readonly Run[])[];
  /** Total number, including those above the maximum. */
  fitting: number;
  events: readonly TimelineEvent[];
}

/** `asked`: whether the runs are known. */
export function useShownRuns(state: ResultsState, { factors }: Pick<SessionResult, 'factors'>) {
  const query = useCall('sessions.runs', { id: state.id });
  const all = query.data ?? NO_RUNS;
  const { filter } = state;
  const plan = state.detail.data?.plan;
  const known = useMemo(() => {
    const compare = byLevels(factors);
    const isCanary = canariesOf(plan ?? { trials: [] });
    const fitting = all
      .filter((run) => run.seconds > 0 && passes(run.levels, filter) && !isCanary(run) && !run.excluded)
      .sort((one, other) => compare(one.levels, other.levels) || one.cell - other.cell || one.repeat - other.repeat);
    const runs = fitting.slice(0, MOST_RUNS);
    const ofCells = new Map<number, Run[]>();
    for (const run of runs) ofCells.set(run.cell, [...(ofCells.get(run.cell) ?? []), run]);
    return { all, runs, cells: [...ofCells.values()], fitting: fitting.length };
  }, [all, filter, factors, plan]);
  const events = useCall(
    'sessions.events',
    { id: state.id, kinds: [...MARKED_KINDS], runIds: known.runs.map((run) => run.id), limit: MOST_EVENTS },
    { enabled: known.runs.length > 0, placeholderData: (before) => before },
  ).data;
  const shown = useMemo((): ShownRuns => ({ ...known, events: events ?? NO_EVENTS }), [known, events]);
  return { shown, asked: query.data !== undefined, problem: query.error?.problem };
}

/** Events of these runs: notes, alerts, ends of warm-ups; with `ofCells` also steps and dips of their cells. */
export function marksOf(
  runs: readonly Run[],
  { events }: Pick<ShownRuns, 'events'>,
  result: SessionResult,
  ofCells = true,
): Mark[] {
  const cells = new Set(runs.map(({ cell }) => cell));
  return [
    ...eventMarks(
      events,
      runs.map((run) => ({ ...run, name: nameOf(run) })),
    ),
    ...(ofCells ? steadyMarks(result, ({ cell }) => cells.has(cell)) : []),
  ];
}

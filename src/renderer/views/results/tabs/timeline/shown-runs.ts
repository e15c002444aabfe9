import { useMemo } from 'react';
import {
  along,
  byLevels,
  eventMarks,
  type FactorLevels,
  MARKED_KINDS,
  type Mark,
  nameOfCell,
  type Painter,
  steadyMarks,
  type TimelineLine,
} from '../../../../../shared/chart-models/index.ts';
import { canariesOf } from '../../../../../shared/model/repeats.ts';
import type { SeriesData, SessionResult } from '../../../../../shared/model/result.ts';
import { EACH_GENERATOR, generatorWords } from '../../../../../shared/model/result-words.ts';
import type { Run, TimelineEvent } from '../../../../../shared/model/session.ts';
import { useCall } from '../../../../client/index.ts';
import { isOfStep, passes, type ResultsState } from '../../useResults.ts';

/** Maximum runs of one request. */
const MOST_RUNS = 300;
const MOST_EVENTS = 2000;
const NO_RUNS: readonly Run[] = [];
const NO_EVENTS: readonly TimelineEvent[] = [];

/**
 * Runs of the shown step and the visible levels that have seconds, without canaries and excluded ones, in the order of levels and repeats,
 * with their events.
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
export function useShownRuns(state: ResultsState, { factors, step = 0 }: Pick<SessionResult, 'factors' | 'step'>) {
  const query = useCall('sessions.runs', { id: state.id });
  const all = query.data ?? NO_RUNS;
  const { filter } = state;
  const plan = state.detail.data?.plan;
  const known = useMemo(() => {
    const compare = byLevels(factors);
    const isCanary = canariesOf(plan ?? { trials: [] });
    const fitting = all
      .filter(
        (run) =>
          run.seconds > 0 && isOfStep(run, step) && passes(run.levels, filter) && !isCanary(run) && !run.excluded,
      )
      .sort((one, other) => compare(one.levels, other.levels) || one.cell - other.cell || one.repeat - other.repeat);
    const runs = fitting.slice(0, MOST_RUNS);
    const ofCells = new Map<number, Run[]>();
    for (const run of runs) ofCells.set(run.cell, [...(ofCells.get(run.cell) ?? []), run]);
    return { all, runs, cells: [...ofCells.values()], fitting: fitting.length };
  }, [all, filter, factors, step, plan]);
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
      runs.map((run) => ({ ...run, name: nameOf(run, result.factors) })),
    ),
    ...(ofCells ? steadyMarks(result, ({ cell }) => cells.has(cell)) : []),
  ];
}

/** Names of cells and runs. With `factors`: by those in which cells differ. */
export const levelsOf = ({ levels }: Pick<Run, 'levels'>, factors: readonly FactorLevels[] = []): string =>
  nameOfCell(factors, levels);
export const nameOf = (run: Pick<Run, 'levels' | 'repeat'>, factors?: readonly FactorLevels[]): string =>
  `${levelsOf(run, factors)}, repeat ${run.repeat + 1}`;

interface Wanted extends Pick<SessionResult, 'factors'> {
  metric: string;
  paint: Painter;
  /** Metric along the axis instead of time. */
  way: string | undefined;
}

/** A line for each run, or for each of its generators, in the order of `runs`; over its own time, or along another of its metrics. */
export function linesOf(
  data: readonly SeriesData[],
  runs: readonly Run[],
  { metric, factors, paint, way }: Wanted,
): TimelineLine[] {
  const totals = new Set(data.filter(({ generator }) => generator === null).map(({ runId }) => runId));
  const progressOf = (runId: number, generator: number | null) => {
    const known = data.filter((entry) => entry.runId === runId && entry.metric === way);
    return known.find((entry) => entry.generator === null) ?? known.find((entry) => entry.generator === generator);
  };
  const lineOf = (run: Run, own: readonly SeriesData[], entry: SeriesData): TimelineLine[] => {
    const progress = way && progressOf(entry.runId, entry.generator);
    if (way && !progress) return [];
    const { t, v } = progress ? along(entry, progress) : entry;
    const several = own.some(({ generator }) => generator !== null && generator > 0);
    const generator = generatorWords(entry.generator, several);
    const isSecondary = entry.generator !== null && totals.has(run.id);
    return [
      {
        key: `run ${run.id}/${entry.generator ?? 'all'}`,
        name: isSecondary ? EACH_GENERATOR : levelsOf(run, factors),
        weight: isSecondary ? 'part' : 'normal',
        label: `${nameOf(run, factors)}${generator}${run.partial ? ', partial' : ''}`,
        ...paint(run.levels),
        t,
        v,
      },
    ];
  };
  return runs.flatMap((run) => {
    const own = data.filter(({ runId }) => runId === run.id);
    return own.filter((entry) => entry.metric === metric).flatMap((entry) => lineOf(run, own, entry));
  });
}

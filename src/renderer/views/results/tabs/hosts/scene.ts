import type { LaneMark, LaneScene, LaneTrial, Painter, Span } from '../../../../../shared/chart-models/index.ts';
import type { RunJudgement } from '../../../../../shared/model/analysis.ts';
import type { MonitoredSource, RunWindow } from '../../../../../shared/model/monitored.ts';
import type { Run, TimelineEvent } from '../../../../../shared/model/session.ts';
import { momentOf } from '../../../../../shared/monitoring/index.ts';
import { formatDuration, formatPercent } from '../../../../../shared/util/format.ts';
import { markOf } from '../../../../domain/lanes/lane-marks.ts';
import { nameOf } from '../timeline/shown-runs.ts';

/** The axis of a session. */
export interface SessionAxis {
  /** Epoch milliseconds of second 0. */
  zero: number;
  bounds: Span;
}

/** From the first sample or trial to the last; undefined if there are none. */
export function axisOf(sources: readonly MonitoredSource[], windows: readonly RunWindow[]): SessionAxis | undefined {
  const known = (moments: readonly (number | undefined)[]): number[] => moments.flatMap((at) => at ?? []);
  const starts = known([...sources.map(({ from }) => from), ...windows.map(({ zero }) => zero)]);
  const ends = known([...sources.map(({ to }) => to), ...windows.map(({ to }) => to)]);
  if (starts.length === 0 || ends.length === 0) return undefined;
  const zero = Math.min(...starts);
  return { zero, bounds: { from: 0, to: Math.max(1, (Math.max(...ends) - zero) / 1000) } };
}

/** Share of a run that is shown before and after it. */
const AROUND = 0.06;

/** A run with a little of the time before and after it. */
export function homeOf(window: RunWindow | undefined, { zero, bounds }: SessionAxis): Span {
  if (!window) return bounds;
  const [from, to] = [(window.zero - zero) / 1000, (window.to - zero) / 1000];
  const around = AROUND * (to - from);
  return { from: Math.max(bounds.from, from - around), to: Math.min(bounds.to, to + around) };
}

/** A part of a run on the axis. */
export function partOf({ from, to }: Span, window: RunWindow, zero: number): Span {
  const onAxis = (second: number): number => (momentOf(window, second) - zero) / 1000;
  return { from: onAxis(from), to: onAxis(to) };
}

type Judged = Pick<RunJudgement, 'blackBox'> & { runId: number };

/** Trials and events on the axis. */
export function sceneOf(
  runs: readonly Run[],
  windows: readonly RunWindow[],
  events: readonly TimelineEvent[],
  paint: Painter,
  zero: number,
  judgements: readonly Judged[] = [],
): LaneScene {
  const byRun = new Map(windows.map((window) => [window.runId, window]));
  const trials = runs.flatMap((run): LaneTrial[] => {
    const window = byRun.get(run.id);
    if (!window) return [];
    const [from, measured, to] = [window.zero, window.from, window.to].map((at) => (at - zero) / 1000);
    if (from === undefined || measured === undefined || to === undefined) return [];
    return [{ runId: run.id, from, measured: Math.min(measured, to), to, label: nameOf(run), ...paint(run.levels) }];
  });
  const marks = [
    ...events.flatMap((event) => markOf(event, byRun, zero)),
    ...judgements.flatMap((judged) => dipMarks(judged, byRun, zero)),
  ];
  return { trials: withoutOverlap(trials.sort((one, other) => one.from - other.from)), marks };
}

/** Seconds by which clock errors may let consecutive trials overlap. */
const CLOCK_DOUBT = 1;

/** Among simultaneous runs of parallel steps, only the first keeps its label. */
function withoutOverlap(trials: readonly LaneTrial[]): LaneTrial[] {
  let labelled = Number.NEGATIVE_INFINITY;
  return trials.map((trial) => {
    if (trial.from < labelled - CLOCK_DOUBT) return { ...trial, label: '' };
    labelled = trial.to;
    return trial;
  });
}

/** Starts of the stalls and dips of a run. */
function dipMarks({ runId, blackBox }: Judged, byRun: ReadonlyMap<number, RunWindow>, zero: number): LaneMark[] {
  const window = byRun.get(runId);
  if (!window || !blackBox) return [];
  return blackBox.events.map(({ kind, from, to, depth }) => ({
    at: (momentOf(window, from) - zero) / 1000,
    kind,
    label: `throughput ${kind === 'stall' ? 'stopped' : `fell by ${formatPercent(depth)}`} for ${formatDuration(to - from)}`,
  }));
}

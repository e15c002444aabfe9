import type { SessionResult } from '../model/result.ts';
import type { EventKind, Run, TimelineEvent } from '../model/session.ts';
import { formatChange, formatDuration, formatLevels, formatPercent } from '../util/format.ts';

/** Kinds of events shown on timelines. */
export const MARKED_KINDS = [
  'note',
  'alert',
  'warm-up-end',
  'checkpoint',
  'scenario',
  'mark',
] as const satisfies readonly EventKind[];
export type MarkKind = (typeof MARKED_KINDS)[number];

/** A moment on the time axis. */
export interface Mark {
  /** Seconds since the start of the run. */
  at: number;
  kind: MarkKind;
  label: string;
}

/** A drawn run; `name` distinguishes it from the others. */
export interface MarkedRun extends Pick<Run, 'id' | 'startedAt' | 'endedAt'> {
  name: string;
}

interface Moment extends Mark {
  run: MarkedRun;
}

/** Events during these runs, in their own seconds. Equal events in the same second of several runs are one mark. */
export function eventMarks(events: readonly TimelineEvent[], runs: readonly MarkedRun[]): Mark[] {
  const together = new Map<string, Moment[]>();
  for (const moment of events.flatMap((event) => runs.flatMap((run) => momentOf(event, run)))) {
    const key = `${moment.kind} ${moment.at} ${moment.label}`;
    together.set(key, [...(together.get(key) ?? []), moment]);
  }
  return [...together.values()].flatMap((moments) => {
    const [first] = moments;
    if (!first) return [];
    const { at, kind, label, run } = first;
    const whose = moments.length > 1 ? `${moments.length} runs` : run.name;
    return [{ at, kind, label: runs.length > 1 ? `${whose}: ${label}` : label }];
  });
}

function momentOf(event: TimelineEvent, run: MarkedRun): Moment[] {
  const kind = MARKED_KINDS.find((each) => each === event.kind);
  const from = run.startedAt;
  if (kind === undefined || from === undefined) return [];
  if (event.runId !== undefined && event.runId !== run.id) return [];
  const within = event.at >= from && event.at <= (run.endedAt ?? event.at);
  if (event.t === undefined && !within) return [];
  const at = Math.round(event.t ?? (event.at - from) / 1000);
  // Its message names the trial, which would separate equal moments of many runs.
  return [{ at, kind, label: kind === 'warm-up-end' ? 'Warm-up ended' : event.message, run }];
}

type Shown = (cell: SessionResult['cells'][number]) => boolean;

/** Steps of a cell's throughput and its regular dips (of the first run), as marks on the timeline. */
export function steadyMarks(result: Pick<SessionResult, 'cells' | 'steadiness'>, shown: Shown): Mark[] {
  return (result.steadiness ?? []).flatMap(({ cell: index, at, change, dips }): Mark[] => {
    const cell = result.cells.find((entry) => entry.cell === index);
    if (!cell || !shown(cell)) return [];
    const name = formatLevels(cell.levels);
    const label = (text: string): string => (name ? `${name}: ${text}` : text);
    const mark = (second: number, text: string): Mark => ({
      at: Math.round(second),
      kind: 'alert',
      label: label(text),
    });
    return [
      ...(at === undefined ? [] : [mark(at, `the level changes by ${formatChange(change)}`)]),
      ...(dips?.at.map((second) =>
        mark(second, `falls by ${formatPercent(dips.depth)} every ${formatDuration(Math.round(dips.period))}`),
      ) ?? []),
    ];
  });
}

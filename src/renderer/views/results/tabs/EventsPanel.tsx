import type { EventKind, Run, TimelineEvent } from '../../../../shared/model/session.ts';
import { formatClock, formatLevels, formatTimeOfDay, NO_VALUE } from '../../../../shared/util/format.ts';
import { AddNote } from '../../../domain/index.ts';
import { type Column, DataTable, Panel } from '../../../ui/index.ts';

const WORDS: Readonly<Partial<Record<EventKind, string>>> = {
  note: 'Note',
  alert: 'Alert',
  checkpoint: 'Checkpoint',
  scenario: 'Scenario',
  mark: 'Log',
};

const MOST_HEIGHT = 320;

interface Row {
  event: TimelineEvent;
  run: Run | undefined;
  /** Seconds since the start of the run. */
  second: number | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'at',
    header: 'Time',
    width: 96,
    value: ({ event }) => event.at,
    cell: ({ event }) => formatTimeOfDay(event.at),
  },
  { id: 'trial', header: 'Trial', align: 'right', width: 72, value: ({ run }) => run && run.trial + 1 },
  {
    id: 'second',
    header: 'In the trial',
    align: 'right',
    width: 104,
    value: ({ second }) => second,
    cell: ({ second }) => (second === undefined ? NO_VALUE : formatClock(second)),
  },
  { id: 'kind', header: 'Kind', width: 104, value: ({ event }) => WORDS[event.kind] },
  { id: 'message', header: 'Event', grow: true, value: ({ event }) => event.message },
  {
    id: 'cell',
    header: 'Levels',
    minor: true,
    value: ({ run }) => run && formatLevels(run.levels),
  },
];

interface EventsProperties {
  sessionId: number;
  events: readonly TimelineEvent[];
  /** Runs of the session; an event without a run belongs to the one in progress at that time, if any. */
  runs: readonly Run[];
}

/** Notes, alerts and checkpoints of the timeline in words. Notes can be added afterwards. */
export function EventsPanel({ sessionId, events, runs }: EventsProperties) {
  const rows = events.filter(({ kind }) => WORDS[kind] !== undefined).map((event) => rowOf(event, runs));
  return (
    <Panel
      title="Events"
      note="circles, triangles and squares on the time axis"
      actions={<AddNote sessionId={sessionId} runs={runs} />}
      flush
    >
      {rows.length === 0 ? (
        <div className="kp-table-empty">No notes, alerts or checkpoints.</div>
      ) : (
        <DataTable
          label="Events"
          columns={COLUMNS}
          rows={rows}
          rowId={({ event }) => String(event.id)}
          sort={{ id: 'at', descending: false }}
          maxHeight={MOST_HEIGHT}
        />
      )}
    </Panel>
  );
}

function rowOf(event: TimelineEvent, runs: readonly Run[]): Row {
  const run = runs.find((each) => (event.runId === undefined ? ranAt(each, event.at) : each.id === event.runId));
  const since = run?.startedAt === undefined ? undefined : Math.max(0, (event.at - run.startedAt) / 1000);
  const second = event.t ?? since;
  return { event, run, second: second === undefined ? undefined : Math.round(second) };
}

const ranAt = ({ startedAt, endedAt }: Run, at: number): boolean =>
  startedAt !== undefined && at >= startedAt && at <= (endedAt ?? at);

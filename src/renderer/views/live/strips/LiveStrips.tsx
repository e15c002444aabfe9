import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import {
  eventMarks,
  gapsOnAxis,
  type LaneGroup,
  type LaneHead,
  type LaneScene,
  linesOf,
} from '../../../../shared/chart-models/index.ts';
import type { MonitoredLimits, RunWindow } from '../../../../shared/model/monitored.ts';
import { shortEvent } from '../../../../shared/model/scenario.ts';
import { ENDED_SESSION, OPEN_RUN, type Run, type Session } from '../../../../shared/model/session.ts';
import { formatLevels } from '../../../../shared/util/format.ts';
import { LaneRow, LaneStack, type LaneWindow, type PlotEdges, useLaneWindow } from '../../../charts/index.ts';
import { useCall, useStream } from '../../../client/index.ts';
import { sourceName, sourceNotes, withLimits } from '../../../domain/lanes/lane-marks.ts';
import { type ChoosableGroup, useChosenLanes } from '../../../domain/lanes/useChosenLanes.tsx';
import { EmptyState, Panel } from '../../../ui/index.ts';
import type { LiveState } from '../stream/live-store.ts';
import { useMoments } from '../stream/useLive.ts';
import { MOST_SECONDS, StripStore, stripGroups, wantedSeries } from './strips.ts';

interface StripsProperties {
  session: Session;
  state: LiveState;
  run: Run | undefined;
  /** Cursor and zoom, shared with the running trial's chart. */
  shared: LaneWindow;
  /** The plot of that chart. */
  plot: PlotEdges | undefined;
  /** Called with whether these lanes are on the axis of the trial. */
  onJoin: (isOnAxis: boolean) => void;
}

/** While the run continues, its second 0 may become known more precisely. */
const WINDOWS_EVERY_MS = 5000;
/** Sources appear, and get more series, in the first seconds. */
const SOURCES_EVERY_MS = 10_000;
/** Most seconds shown without a running trial, and lengths of the axis in a session that is younger. */
const WITHOUT_RUN = 600;
const SINCE_START = [60, 120, 300];
const HEIGHT = 340;

/** Current activity of hosts and servers, on the axis of the running trial. */
export function LiveStrips(properties: StripsProperties) {
  const { session } = properties;
  const isOver = ENDED_SESSION.includes(session.state);
  const sources = useCall(
    'monitors.sources',
    { sessionId: session.id },
    { refetchInterval: isOver ? false : SOURCES_EVERY_MS },
  ).data;
  const groups = useMemo(() => stripGroups(sources ?? []), [sources]);
  // Its space is reserved from the start of the session until the user leaves the page, so that content below does not move.
  const [wasGoing, setWasGoing] = useState(!isOver);
  if (!isOver && !wasGoing) setWasGoing(true);
  if (!wasGoing) return null;
  return (
    <Panel label="Hosts and servers">
      <div className="kp-live-strips">
        {groups.some(({ lanes }) => lanes.length > 0) ? (
          <Strips key={session.id} {...properties} groups={groups} />
        ) : (
          <EmptyState title="Hosts and servers">
            {sources === undefined || !isOver
              ? 'Series appear here a few seconds after the first trial starts.'
              : 'No hosts or servers were monitored.'}
          </EmptyState>
        )}
      </div>
    </Panel>
  );
}

const NO_WINDOWS: readonly RunWindow[] = [];
const NO_LIMITS: readonly MonitoredLimits[] = [];

function Strips({
  session,
  state,
  run,
  groups,
  shared,
  plot,
  onJoin,
}: StripsProperties & { groups: readonly LaneGroup[] }) {
  const all = useMemo(
    () =>
      groups.map(
        ({ id, source, lanes }): ChoosableGroup => ({
          ...{ id, lanes, name: sourceName(source), notes: sourceNotes(source), problem: source.problem },
        }),
      ),
    [groups],
  );
  const { groups: shown, button, stack } = useChosenLanes(`live ${session.experiment ?? session.name}`, all, false);
  const { store, problem } = useStrips(session.id, run, wantedSeries(groups, shown, stack.collapsed));
  const values = useSyncExternalStore(store.onChanged, store.values);
  const moments = useMoments(run, state);
  const isGoing = run !== undefined && OPEN_RUN.includes(run.state);
  const { windows, limits } = useWindows(session.id, run, isGoing);
  const known = windows.find(({ runId }) => runId === run?.id)?.zero ?? run?.startedAt;
  const newest = [...values.values()].reduce((last, { t }) => Math.max(last, t.at(-1) ?? 0), 0);
  const recent = newest - WITHOUT_RUN * 1000;
  const isYoung = session.startedAt !== undefined && session.startedAt > recent;
  const zero = known ?? (isYoung ? session.startedAt : recent) ?? recent;
  const elapsed = (newest - zero) / 1000;
  const length =
    known !== undefined && run
      ? run.warmup + run.duration
      : (SINCE_START.find((seconds) => elapsed <= seconds) ?? WITHOUT_RUN);
  const end = Math.max(length, (newest - zero) / 1000);
  const isOnAxis = known !== undefined;
  useEffect(() => {
    onJoin(isOnAxis);
    return () => onJoin(false);
  }, [onJoin, isOnAxis]);
  // During the trial its chart ends where the trial will end; afterwards there is more to see.
  const most = isOnAxis && isGoing ? length : Math.max(length, Math.min(end, 2 * length));
  useLaneWindow({ from: 0, to: length }, { from: 0, to: most }, shared);
  const scene = useMemo((): LaneScene => {
    // The end of a warm-up is already drawn in the chart.
    const happened = moments.filter(({ kind }) => kind !== 'warm-up-end');
    const marks = eventMarks(happened, run ? [{ ...run, name: '' }] : []).map((mark) =>
      mark.kind === 'scenario' ? { ...mark, short: shortEvent(mark.label) } : mark,
    );
    const label = run ? formatLevels(run.levels) || 'the only cell' : '';
    const trials =
      run && known !== undefined
        ? [{ runId: run.id, from: 0, measured: run.warmup, to: run.warmup + run.duration, label, slot: 0 }]
        : [];
    return { trials, marks };
  }, [moments, run, known]);
  const clock = useMemo(() => ({ zero, from: known === undefined ? undefined : 0 }), [zero, known]);
  const limited = useMemo(() => withLimits(groups, limits, windows, zero), [groups, limits, windows, zero]);
  const renderLane = (lane: LaneHead) => {
    const group = limited.find(({ id }) => id === lane.group);
    const own = group?.lanes.find(({ id }) => id === lane.id);
    if (!group || !own) return null;
    const gaps = gapsOnAxis(group.source, zero);
    const points = own.series.flatMap(({ id }) => store.of(own.sourceId, id) ?? []);
    return <LaneRow lane={own} lines={linesOf(own, points, gaps, zero)} gaps={gaps} scene={scene} problem={problem} />;
  };
  return (
    <LaneStack
      title="Hosts and servers"
      note={
        known !== undefined
          ? 'on the axis of the trial above'
          : isYoung
            ? 'since the start of the session'
            : 'the last ten minutes'
      }
      {...{ shared, scene, clock, renderLane }}
      {...stack}
      below={isOnAxis ? plot : undefined}
      groups={shown}
      height={HEIGHT}
      controls={button}
    />
  );
}

/** Values of the wanted series only, while the session is executed. */
function useStrips(id: number, run: Run | undefined, wanted: ReturnType<typeof wantedSeries>) {
  const [store] = useState(() => new StripStore());
  const [problem, setProblem] = useState<string>();
  // A lane that is selected late is shown from the start of its trial.
  const seconds = Math.min(MOST_SECONDS, Math.max(WITHOUT_RUN, Math.ceil(run ? run.warmup + run.duration : 0)));
  useStream('monitors.watch', wanted.length > 0 ? { id, wanted, seconds } : undefined, {
    onOpen: () => {
      store.renew();
      setProblem(undefined);
    },
    onItem: (updates) => store.apply(updates),
    onError: (error) => setProblem(error.problem.message),
  });
  return { store, problem };
}

/** Windows and limits of trials: known with the start of a trial, and more precise while it continues. */
function useWindows(sessionId: number, run: Run | undefined, isGoing: boolean) {
  const refetchInterval = isGoing ? WINDOWS_EVERY_MS : false;
  const windows = useCall('monitors.windows', { sessionId }, { refetchInterval });
  const limits = useCall('monitors.limits', { sessionId }, { enabled: false });
  const isPlaced = windows.data?.some(({ runId }) => runId === run?.id);
  const [askWindows, askLimits] = [windows.refetch, limits.refetch];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another trial has another second 0
  useEffect(() => {
    void askWindows();
  }, [askWindows, run?.id, run?.startedAt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another trial has other limits
  useEffect(() => {
    if (isPlaced) void askLimits();
  }, [askLimits, run?.id, isPlaced]);
  return { windows: windows.data ?? NO_WINDOWS, limits: limits.data ?? NO_LIMITS };
}

import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import type { LaneHead, LaneLine, LaneMark, LaneScene } from '../../../../shared/chart-models/index.ts';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type {
  MonitoredLimits,
  MonitoredSource,
  MonitoredValues,
  RunWindow,
} from '../../../../shared/model/monitored.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import type { TimelineEvent } from '../../../../shared/model/session.ts';
import { secondOf } from '../../../../shared/monitoring/index.ts';
import { LaneRow, LaneStack, useLaneWindow } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { LANE_EVENTS, markOf } from '../../../domain/lanes/lane-marks.ts';
import { metricOfLane, toolLines } from '../../../domain/lanes/tool-lanes.ts';
import { useChosenLanes } from '../../../domain/lanes/useChosenLanes.tsx';
import { Panel } from '../../../ui/index.ts';
import { overlayOf, type Pair, sourceOf, type WatchedSide } from './overlay-lanes.ts';

interface OverlayProperties {
  comparison: Comparison;
  differences: readonly SeriesDifference[];
  /** One run of each side. */
  one: RunOfSide;
  other: RunOfSide;
}

const HEIGHT = 520;
/** Length of a run until its window is known. */
const SOME_SECONDS = 60;

/** The seconds of two runs overlaid, each from the start of its tool: the throughput, the most different series, and the chosen ones. */
export function WatchedOverlay({ comparison, differences, one, other }: OverlayProperties) {
  const first = useWatchedRun(one, 'baseline', 0);
  const second = useWatchedRun(other, 'compared', 1);
  const length = Math.max(first.seconds, second.seconds);
  const span = { from: 0, to: length || SOME_SECONDS };
  const shared = useLaneWindow(span, span);
  const overlay = useMemo(
    () => overlayOf(comparison, differences, [first, second]),
    [comparison, differences, first, second],
  );
  const wide = useMediaQuery('(min-width: 1600px)') ?? false;
  const name = `compare ${comparison.baseline.name} and ${comparison.other.name}`;
  const { groups, button, stack } = useChosenLanes(name, overlay.groups, wide);
  const scene = useMemo((): LaneScene => ({ trials: [], marks: [...first.marks, ...second.marks] }), [first, second]);
  if (!first.window || !second.window) return null;
  const renderLane = (lane: LaneHead) => {
    const metric = metricOfLane(lane.id);
    if (metric !== undefined) return <ToolPairRow {...{ lane, scene, first, second, metric }} />;
    const pair = overlay.pairs.get(lane.id);
    return pair ? <PairRow {...{ lane, scene, first, second, pair }} /> : null;
  };
  return (
    <Panel label="Timeline of both runs">
      <LaneStack
        title="Timeline of both runs"
        note={`one run of each side, each from the start of its tool: ${comparison.baseline.name} and ${comparison.other.name}`}
        {...{ shared, scene, renderLane }}
        {...stack}
        clock={{ zero: first.window.zero, from: 0 }}
        height={HEIGHT}
        groups={groups.filter(({ lanes }) => lanes.length > 0)}
        controls={button}
      />
    </Panel>
  );
}

const POINTS = 2000;

interface RowProperties {
  lane: LaneHead;
  scene: LaneScene;
  first: WatchedRun;
  second: WatchedRun;
}

/** A series of both runs, from the start of their tools. */
function PairRow({ lane, scene, first, second, pair }: RowProperties & { pair: Pair }) {
  const one = useValues(first, pair.one);
  const other = useValues(second, pair.other);
  const lines = useMemo(() => {
    const isAsked = (pair.one && !one.data) || (pair.other && !other.data);
    return isAsked ? undefined : [...linesOf(one.data, first, pair.one), ...linesOf(other.data, second, pair.other)];
  }, [one.data, other.data, first, second, pair]);
  return <LaneRow {...{ lane, lines, scene }} problem={(one.error ?? other.error)?.problem.message} />;
}

function useValues({ sessionId, window, sources }: WatchedRun, of: Pair['one']) {
  const sourceId = of && sourceOf(sources, of)?.id;
  return useCall(
    'monitors.series',
    {
      sessionId,
      wanted: [{ sourceId: sourceId ?? 0, ids: [of?.id ?? ''] }],
      ...(window && { from: window.zero, to: window.to }),
      points: POINTS,
    },
    { enabled: sourceId !== undefined && window !== undefined },
  );
}

/** Values in seconds since the start of the run. */
function linesOf(
  values: readonly MonitoredValues[] | undefined,
  { window, name, slot }: WatchedRun,
  of: Pair['one'],
): LaneLine[] {
  const [own] = values ?? [];
  if (!own || !window || !of) return [];
  const { t, v, low, high } = own;
  const label = `${of.source}, ${name}`;
  return [{ key: label, label, slot, t: t.map((at) => secondOf(window, at)), v, ...(low && high && { low, high }) }];
}

/** A metric of the tool in both runs. */
function ToolPairRow({ lane, scene, first, second, metric }: RowProperties & { metric: string }) {
  const runs = [first, second];
  const { data, error } = useCall('results.series', {
    ...{ runIds: runs.map(({ runId }) => runId), metrics: [metric], points: POINTS },
  });
  const lines = useMemo(
    () =>
      data &&
      [first, second].flatMap(({ runId, window, name, slot }) =>
        window
          ? toolLines(
              data.filter((each) => each.runId === runId),
              [window],
              window.zero,
            ).map((line) => ({
              ...line,
              key: `${name} ${line.key}`,
              label: line.slot > 0 || line.label !== 'tool' ? `${name}, ${line.label}` : name,
              slot,
            }))
          : [],
      ),
    [data, first, second],
  );
  return <LaneRow {...{ lane, lines, scene }} problem={error?.problem.message} />;
}

interface RunOfSide {
  sessionId: number;
  runId: number;
}

/** A run that is laid over another one: `slot` is the colour of everything of its own. */
interface WatchedRun extends RunOfSide, WatchedSide {
  name: string;
  slot: number;
  window: RunWindow | undefined;
  marks: readonly LaneMark[];
}

const NO_SOURCES: readonly MonitoredSource[] = [];
const NO_LIMITS: MonitoredLimits['limits'] = [];
const NO_EVENTS: readonly TimelineEvent[] = [];
const MOST_EVENTS = 1000;
/** Without states of the session: these are not part of the run. */
const MARKED = LANE_EVENTS.filter((kind) => kind !== 'state');

function useWatchedRun({ sessionId, runId }: RunOfSide, name: string, slot: number): WatchedRun {
  const window = useCall('monitors.windows', { sessionId }).data?.find((each) => each.runId === runId);
  const sources = useCall('monitors.sources', { sessionId }).data ?? NO_SOURCES;
  const known = useCall('monitors.limits', { sessionId }, { enabled: window !== undefined }).data;
  const query = { id: sessionId, kinds: [...MARKED], runIds: [runId], limit: MOST_EVENTS };
  const events = useCall('sessions.events', query).data ?? NO_EVENTS;
  return useMemo(
    () => ({
      ...{ sessionId, runId, name, slot, window, sources },
      seconds: window ? (window.to - window.zero) / 1000 : 0,
      limits: known?.find((each) => each.runId === runId)?.limits ?? NO_LIMITS,
      marks: window ? marksIn(events, window, { name, slot }) : [],
    }),
    [sessionId, runId, name, slot, window, sources, known, events],
  );
}

/** Events of the run, in its own seconds. */
function marksIn(
  events: readonly TimelineEvent[],
  window: RunWindow,
  { name, slot }: Pick<WatchedRun, 'name' | 'slot'>,
): LaneMark[] {
  const windows = new Map([[window.runId, window]]);
  const length = (window.to - window.zero) / 1000;
  return events
    .filter(({ runId }) => runId === undefined || runId === window.runId)
    .flatMap((event) => markOf(event, windows, window.zero))
    .filter(({ at }) => at >= 0 && at <= length)
    .map((mark) => ({ ...mark, label: `${name}: ${mark.label}`, paint: { slot } }));
}

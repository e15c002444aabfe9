import { Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import {
  type ChartLane,
  FoldedAxis,
  gapsOnAxis,
  idleSpans,
  type LaneGroup,
  type LaneHead,
  type LaneScene,
  type LaneTrial,
  linesOf,
  type MonitoredLane,
  type Span,
} from '../../../../../shared/chart-models/index.ts';
import { isDerived } from '../../../../../shared/measures/index.ts';
import { lanePoints, MOST_LANE_RUNS } from '../../../../../shared/metrics/first-look.ts';
import type { DerivedMeasure } from '../../../../../shared/model/derived.ts';
import type { RunWindow } from '../../../../../shared/model/monitored.ts';
import type { StepResult } from '../../../../../shared/model/result.ts';
import type { SessionDetail } from '../../../../../shared/model/session.ts';
import { formatDuration } from '../../../../../shared/util/format.ts';
import {
  LaneRow,
  LaneStack,
  type LaneWindow,
  type ShownGroup,
  useLaneWindow,
  useSettledView,
} from '../../../../charts/index.ts';
import { ask, useCall, useLink } from '../../../../client/index.ts';
import { AddNote } from '../../../../domain/index.ts';
import { sourceName, sourceNotes } from '../../../../domain/lanes/lane-marks.ts';
import { MonitoredRow, seriesQuery } from '../../../../domain/lanes/MonitoredRow.tsx';
import { metricOfLane, TOOL_GROUP, toolLanes, toolLines } from '../../../../domain/lanes/tool-lanes.ts';
import { type ChoosableGroup, useChosenLanes } from '../../../../domain/lanes/useChosenLanes.tsx';
import { measureOfSeries, sourceText } from '../../../../domain/measures/choices.ts';
import { seriesKey, useLanesPlace } from './lanes-place.ts';
import { homeOf, partOf, type SessionAxis } from './scene.ts';
import type { HostsData } from './useHostsData.ts';

interface LanesProperties {
  detail: SessionDetail;
  result: StepResult;
  data: HostsData;
  axis: SessionAxis;
  /** Called to make a series a figure of each cell. */
  onMeasure(measure: Partial<DerivedMeasure>): void;
}

const WHOLE = 'whole';
/** The whole session, including the time without a running trial. */
const IDLE = 'idle';

/** Lanes of the tool, of hosts and servers, for a session or one run of it, on one axis. */
export function SessionLanes({ detail, result, data, axis, onMeasure }: LanesProperties) {
  const { session } = detail;
  const { windows } = data;
  const { zero, bounds } = axis;
  const place = useLanesPlace();
  const window = windows.find(({ runId }) => String(runId) === place.run);
  const skips = useMemo(() => idleSpans(data.scene.trials, bounds), [data.scene, bounds]);
  const isFolded = skips.length > 0 && window === undefined && place.run !== IDLE;
  const folded = useMemo(() => (isFolded ? new FoldedAxis(skips) : undefined), [isFolded, skips]);
  const { scene, groups } = useMemo(() => foldedData(data, folded), [data, folded]);
  const whole = folded ? folded.span(bounds) : bounds;
  const shared = useLaneWindow(folded ? whole : homeOf(window, axis), whole);
  usePart(shared, place.part, window, zero);
  const wide = useMediaQuery('(min-width: 1600px)') ?? false;
  const evidence = useMemo(() => lanesWith(groups, place.series), [groups, place.series]);
  const marked = useMemo(() => new Set(evidence.map(({ id }) => id)), [evidence]);
  const all = useMemo((): ChoosableGroup[] => {
    const tool = toolLanes(result.metric, result.metrics);
    return [
      ...(tool.length > 0 ? [{ id: TOOL_GROUP, name: session.tool, lanes: tool }] : []),
      ...groups.map(({ id, source, lanes }) => ({
        ...{ id, lanes, name: sourceName(source), notes: sourceNotes(source), problem: source.problem },
      })),
    ];
  }, [result.metric, result.metrics, session.tool, groups]);
  const {
    groups: shown,
    button,
    stack,
  } = useChosenLanes(session.experiment ?? session.name, all, wide, {
    lanes: evidence,
    forget: place.forgetSeries,
  });
  const realView = (): Span => folded?.realSpan(shared.view) ?? shared.view;
  const loadAll = useLoadAll(session.id, shown, data, zero, realView);
  // The cursor moves with the pointer, so the last position inside a trial is used.
  const momentAt = useLastMoment(shared, scene.trials);
  const renderLane = (lane: LaneHead) => {
    const metric = metricOfLane(lane.id);
    if (metric !== undefined) return <ToolRow {...{ lane, metric, shared, scene, windows, zero, folded }} />;
    const group = groups.find(({ id }) => id === lane.group);
    const own = group?.lanes.find(({ id }) => id === lane.id);
    return group && own ? (
      <MonitoredRow sessionId={session.id} lane={own} source={group.source} {...{ shared, scene, zero, folded }} />
    ) : null;
  };
  const measureOf = (lane: LaneHead): (() => void) | undefined => {
    const { title: label, unit } = lane;
    const metric = metricOfLane(lane.id);
    if (metric !== undefined && isDerived(metric)) return undefined;
    if (metric !== undefined) return () => onMeasure(measureOfSeries({ series: metric, label, unit }));
    const group = groups.find(({ id }) => id === lane.group);
    const lines = group?.lanes.find(({ id }) => id === lane.id)?.series ?? [];
    const line = lines.find(({ over }) => over === 'whole') ?? lines[0];
    if (!group || !line) return undefined;
    const of = sourceText(
      group.source,
      groups.map(({ source }) => source),
      detail.experiment.monitors,
    );
    return () =>
      onMeasure(measureOfSeries({ of, series: line.id, label: lines.length > 1 ? line.label : label, unit }));
  };
  const clock = useMemo(
    () => ({ zero, from: window ? (window.zero - zero) / 1000 : undefined, folded }),
    [zero, window, folded],
  );
  return (
    <LaneStack
      title={window ? 'Run timeline' : 'Session timeline'}
      note={window ? windowWords(window) : wholeWords(bounds, folded)}
      {...{ shared, groups: shown, scene, clock, renderLane, loadAll }}
      file={folded && { scene: data.scene, clock: { zero }, view: realView }}
      height="max(420px, calc(100vh - 354px))"
      evidence={marked}
      {...stack}
      measureOf={measureOf}
      controls={
        <>
          <Select
            aria-label="Shown on the axis"
            w={200}
            allowDeselect={false}
            searchable
            data={[
              { value: WHOLE, label: 'the whole session' },
              ...(skips.length > 0 ? [{ value: IDLE, label: 'with all idle time' }] : []),
              ...scene.trials.map(({ runId, label }) => ({ value: String(runId), label })),
            ]}
            value={window ? String(window.runId) : place.run === IDLE ? IDLE : WHOLE}
            onChange={(value) => {
              // A zoom belongs to this run, not to the same time of day of another.
              shared.reset();
              place.setRun(value === WHOLE ? undefined : (value ?? undefined));
            }}
          />
          <AddNote sessionId={session.id} runs={data.runs} momentAt={momentAt} />
          {button}
        </>
      }
    />
  );
}

/** The last second of a run that the cursor was on. */
function useLastMoment(shared: LaneWindow, trials: readonly LaneTrial[]) {
  const last = useRef<{ runId: number; second: number }>(undefined);
  useEffect(
    () =>
      shared.onFrame(() => {
        const { cursor } = shared;
        const trial = cursor === undefined ? undefined : trials.find(({ from, to }) => from <= cursor && cursor <= to);
        if (cursor !== undefined && trial)
          last.current = { runId: trial.runId, second: Math.round(cursor - trial.from) };
      }),
    [shared, trials],
  );
  return () => last.current;
}

/** Length of the axis in words. */
function wholeWords({ from, to }: Span, folded: FoldedAxis | undefined): string {
  const seconds = to - from - (folded?.skipped ?? 0);
  const skipped = folded ? `, ${formatDuration(Math.round(folded.skipped))} without a trial skipped` : '';
  return `${formatDuration(Math.round(seconds))}, local time${skipped}`;
}

/** Trials, marks and limits on an axis without idle time. */
function foldedData({ scene, groups }: HostsData, folded: FoldedAxis | undefined): Pick<HostsData, 'scene' | 'groups'> {
  if (!folded) return { scene, groups };
  const lanes = (all: readonly MonitoredLane[]) =>
    all.map((lane) => ({
      ...lane,
      ...(lane.runLimits && { runLimits: lane.runLimits.map((limit) => folded.span(limit)) }),
    }));
  return { scene: folded.scene(scene), groups: groups.map((group) => ({ ...group, lanes: lanes(group.lanes) })) };
}

/** Lanes that contain one of these series. */
const lanesWith = (groups: readonly LaneGroup[], keys: ReadonlySet<string>): MonitoredLane[] =>
  groups.flatMap(({ source, lanes }) =>
    lanes.filter(({ series }) => series.some(({ id }) => keys.has(seriesKey({ source: source.name, id })))),
  );

/** Shows the part of the run in the address. */
function usePart(shared: LaneWindow, part: Span | undefined, window: RunWindow | undefined, zero: number): void {
  useEffect(() => {
    if (part && window) shared.show(partOf(part, window, zero));
  }, [shared, part, window, zero]);
}

/** Uncertainty of the start of a run on the axis. */
const windowWords = ({ errorMs }: HostsData['windows'][number]): string =>
  errorMs === undefined
    ? 'seconds of the tool; second 0 is known to ±1 to 2 s'
    : `seconds of the tool; its second 0 is known to ±${formatDuration(errorMs / 1000)}`;

/** Every visible lane with all values of the visible part, for a file. */
function useLoadAll(
  sessionId: number,
  shown: readonly ShownGroup[],
  { groups, windows, scene }: HostsData,
  zero: number,
  view: () => { from: number; to: number },
): () => Promise<readonly ChartLane[]> {
  const link = useLink();
  return async () => {
    const range = view();
    const lanes = shown.flatMap((group) => group.lanes);
    return Promise.all(
      lanes.map(async (lane): Promise<ChartLane> => {
        const metric = metricOfLane(lane.id);
        if (metric !== undefined) {
          const { runIds, metrics } = toolQuery(metric, scene.trials, range);
          return { ...lane, lines: toolLines(await ask(link, 'results.series', { runIds, metrics }), windows, zero) };
        }
        const group = groups.find(({ id }) => id === lane.group);
        const own = group?.lanes.find(({ id }) => id === lane.id);
        if (!group || !own) return { ...lane, lines: [] };
        const gaps = gapsOnAxis(group.source, zero);
        const values = await ask(link, 'monitors.series', seriesQuery(sessionId, own, range, zero));
        return { ...lane, lines: linesOf(own, values, gaps, zero), gaps };
      }),
    );
  };
}

interface ToolRowProperties {
  lane: LaneHead;
  metric: string;
  shared: LaneWindow;
  scene: LaneScene;
  windows: readonly RunWindow[];
  /** Epoch milliseconds of second 0 of the axis. */
  zero: number;
  folded: FoldedAxis | undefined;
}

/** Query for a metric of the visible runs, and their neighbours. */
export function toolQuery(metric: string, trials: readonly LaneTrial[], { from, to }: Span) {
  const around = (to - from) / 2;
  const seen = trials
    .filter((trial) => trial.to >= from - around && trial.from <= to + around)
    .slice(0, MOST_LANE_RUNS);
  const seconds = seen.reduce((sum, trial) => sum + trial.to - trial.from, 0);
  const points = lanePoints(seen.length, seconds);
  return { runIds: seen.map(({ runId }) => runId), metrics: [metric], ...(points !== undefined && { points }) };
}

/** A lane of the tool, with its values of the visible part. */
function ToolRow({ lane, metric, shared, scene, windows, zero, folded }: ToolRowProperties) {
  const view = useSettledView(shared);
  const query = toolQuery(metric, scene.trials, view);
  const { data, error } = useCall('results.series', query, {
    enabled: query.runIds.length > 0,
    placeholderData: (before) => before,
  });
  const lines = useMemo(() => {
    const all = data && toolLines(data, windows, zero);
    return folded ? all?.map((line) => folded.line(line)) : all;
  }, [data, windows, zero, folded]);
  return <LaneRow {...{ lane, lines, scene }} problem={error?.problem.message} />;
}

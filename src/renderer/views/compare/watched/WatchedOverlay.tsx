import { useMemo } from 'react';
import type { LaneHead, LaneLine, LaneScene } from '../../../../shared/chart-models/index.ts';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { MonitoredSource, MonitoredValues, RunWindow } from '../../../../shared/model/monitored.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import { secondOf } from '../../../../shared/monitoring/index.ts';
import { LaneRow, LaneStack, useLaneWindow } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { Panel } from '../../../ui/index.ts';
import { differenceName } from './difference-name.ts';

interface RunOfSide {
  sessionId: number;
  runId: number;
}

interface OverlayProperties {
  comparison: Comparison;
  differences: readonly SeriesDifference[];
  /** A run of each side. */
  one: RunOfSide;
  other: RunOfSide;
}

/** Lanes of the series that differ most. */
const MOST_LANES = 12;
const POINTS = 2000;
const HEIGHT = 520;
/** Of a run that is shown before there is a window. */
const SOME_SECONDS = 60;
const GROUP = 'differences';

/** The seconds of two runs over one another, in the series that differ most; both count from the start of their tool. */
export function WatchedOverlay({ comparison, differences, one, other }: OverlayProperties) {
  const [first, second] = [useSide(one), useSide(other)];
  const length = Math.max(first.seconds, second.seconds);
  const span = { from: 0, to: length || SOME_SECONDS };
  const shared = useLaneWindow(span, span);
  const shown = useMemo(() => differences.slice(0, MOST_LANES), [differences]);
  const lanes = useMemo(() => shown.map(headOf), [shown]);
  const scene = useMemo((): LaneScene => ({ trials: [], marks: [] }), []);
  if (!first.window || !second.window) return null;
  return (
    <Panel label="Both runs on one clock">
      <LaneStack
        title="Both runs on one clock"
        note="a run of each side, both from the start of its tool; the series that differ most"
        {...{ shared, scene }}
        clock={{ zero: first.window.zero, from: 0 }}
        height={HEIGHT}
        groups={[{ id: GROUP, name: `${comparison.baseline.name} and ${comparison.other.name}`, notes: [], lanes }]}
        renderLane={(lane) => {
          const difference = shown.find((each) => idOf(each) === lane.id);
          return difference ? <PairRow {...{ lane, difference, first, second, scene }} /> : null;
        }}
      />
    </Panel>
  );
}

interface Side {
  sessionId: number;
  window: RunWindow | undefined;
  sources: readonly MonitoredSource[];
  seconds: number;
}

const NO_SOURCES: readonly MonitoredSource[] = [];

function useSide({ sessionId, runId }: RunOfSide): Side {
  const window = useCall('monitors.windows', { sessionId }).data?.find((each) => each.runId === runId);
  const sources = useCall('monitors.sources', { sessionId }).data ?? NO_SOURCES;
  return { sessionId, window, sources, seconds: window ? (window.to - window.zero) / 1000 : 0 };
}

const idOf = ({ one, other }: SeriesDifference): string => `${one.source} ${one.id} ${other.source} ${other.id}`;

const headOf = (difference: SeriesDifference): LaneHead => ({
  ...{ id: idOf(difference), group: GROUP, title: differenceName(difference), unit: difference.unit, digits: 1 },
  ...{ shape: 'lines', rows: 2 },
});

interface PairProperties {
  lane: LaneHead;
  difference: SeriesDifference;
  first: Side;
  second: Side;
  scene: LaneScene;
}

function PairRow({ lane, difference, first, second, scene }: PairProperties) {
  const one = useValues(first, difference.one);
  const other = useValues(second, difference.other);
  const lines = useMemo(
    () =>
      one.data &&
      other.data && [
        lineOf(one.data, first, `${difference.one.source}, baseline`, 0),
        lineOf(other.data, second, `${difference.other.source}, compared`, 1),
      ],
    [one.data, other.data, first, second, difference],
  );
  return <LaneRow {...{ lane, lines, scene }} problem={(one.error ?? other.error)?.problem.message} />;
}

function useValues({ sessionId, window, sources }: Side, { source, id }: SeriesDifference['one']) {
  const sourceId = sources.find(({ name, series }) => name === source && series.some((each) => each.id === id))?.id;
  return useCall(
    'monitors.series',
    {
      sessionId,
      wanted: [{ sourceId: sourceId ?? 0, ids: [id] }],
      ...(window && { from: window.zero, to: window.to }),
      points: POINTS,
    },
    { enabled: sourceId !== undefined && window !== undefined },
  );
}

const NO_WINDOW = { zero: 0 };

/** Values as seconds since the start of the run. */
function lineOf(
  values: readonly MonitoredValues[],
  { window }: Pick<Side, 'window'>,
  label: string,
  slot: number,
): LaneLine {
  const [own] = values;
  const { t = new Float64Array(), v = new Float64Array(), low, high } = own ?? {};
  return {
    key: label,
    label,
    slot,
    t: t.map((at) => secondOf(window ?? NO_WINDOW, at)),
    v,
    ...(low && high && { low, high }),
  };
}

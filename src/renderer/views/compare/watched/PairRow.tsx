import { useMemo } from 'react';
import type { LaneHead, LaneLine, LaneScene } from '../../../../shared/chart-models/index.ts';
import type { MonitoredValues } from '../../../../shared/model/monitored.ts';
import { secondOf } from '../../../../shared/monitoring/index.ts';
import { LaneRow } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { toolLines } from '../../../domain/lanes/index.ts';
import { type Pair, sourceOf } from './overlay-lanes.ts';
import type { WatchedRun } from './useWatchedRun.ts';

const POINTS = 2000;

interface RowProperties {
  lane: LaneHead;
  scene: LaneScene;
  first: WatchedRun;
  second: WatchedRun;
}

/** A series of both runs, from the start of their tools. */
export function PairRow({ lane, scene, first, second, pair }: RowProperties & { pair: Pair }) {
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
export function ToolPairRow({ lane, scene, first, second, metric }: RowProperties & { metric: string }) {
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

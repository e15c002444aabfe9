import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import type { LaneHead, LaneScene } from '../../../../shared/chart-models/index.ts';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import { LaneStack, useLaneWindow } from '../../../charts/index.ts';
import { metricOfLane, useChosenLanes } from '../../../domain/lanes/index.ts';
import { Panel } from '../../../ui/index.ts';
import { overlayOf } from './overlay-lanes.ts';
import { PairRow, ToolPairRow } from './PairRow.tsx';
import { type RunOfSide, useWatchedRun } from './useWatchedRun.ts';

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

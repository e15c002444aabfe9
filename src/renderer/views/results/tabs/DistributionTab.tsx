import { useMemo } from 'react';
import {
  byLevels,
  painterOf,
  percentileCurves,
  type Seconds,
  sessionBoxes,
  spansDecades,
} from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { SeriesData, SessionResult } from '../../../../shared/model/result.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { formatLevels } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, Panel, ProblemBanner } from '../../../ui/index.ts';
import { passes, type TabProperties } from '../useResults.ts';
import { useLogChoice } from './log-switch.tsx';

/** Runs whose seconds are asked for at once. */
const MOST_RUNS = 120;

/** How the seconds of each cell are spread: a mean can hide stalls that a tail shows. */
export function DistributionTab({ detail, result, state }: TabProperties) {
  const theme = useChartTheme();
  const shown = useMemo(
    () => ({ ...result, cells: result.cells.filter((cell) => passes(cell.levels, state.filter)) }),
    [result, state.filter],
  );
  const { asked, isLog, control } = useLogChoice('axis', spansDecades(tailsOf(shown)));
  const boxes = useMemo(() => sessionBoxes(shown, theme, asked), [shown, theme, asked]);
  return (
    <>
      <Panel label="Distribution of the seconds">
        <Chart
          model={boxes}
          height={300}
          zoomable
          title="Distribution of the seconds"
          note="smallest and largest second: point at a box"
          controls={control}
        />
      </Panel>
      {/* Seconds of several generators are put together by the engine, which tells their spread only. */}
      {detail.session.generators.length === 1 ? (
        <Percentiles result={shown} sessionId={state.id} isLog={isLog} />
      ) : null}
    </>
  );
}

/** Ends of the whiskers. */
const tailsOf = ({ cells }: SessionResult): number[] =>
  cells.flatMap(({ spread }) => (spread ? [spread.p5, spread.p95] : []));

function Percentiles({ result, sessionId, isLog }: { result: SessionResult; sessionId: number; isLog: boolean }) {
  const theme = useChartTheme();
  const runs = useCall('sessions.runs', { id: sessionId });
  // As in every figure: complete runs, and partial ones where a cell has no other.
  const counted = result.cells.flatMap((cell) =>
    cell.runs.filter((run) => run.spread !== undefined && run.partial === cell.partial).map((run) => run.runId),
  );
  const wanted = counted.slice(0, MOST_RUNS);
  const series = useCall(
    'results.series',
    { runIds: wanted, metrics: [result.metric] },
    { enabled: wanted.length > 0, placeholderData: (before) => before },
  );
  const model = useMemo(() => {
    const cells = secondsOf(result, runs.data ?? [], series.data ?? []);
    return percentileCurves(cells, metricOf(result.metric), theme, isLog);
  }, [result, runs.data, series.data, theme, isLog]);
  const problem = (runs.error ?? series.error)?.problem;
  if (problem) return <ProblemBanner problem={problem} />;
  if (wanted.length === 0) return null;
  if (!series.data || !runs.data) return <BlockSkeleton height={400} />;
  return (
    <Panel label="Percentiles">
      <Chart
        model={model}
        height={360}
        zoomable
        title="Percentiles"
        note={
          counted.length > wanted.length
            ? `of the first ${MOST_RUNS} runs; choose levels above for others`
            : 'the steeper, the steadier; tails are seconds that were much slower or faster'
        }
      />
    </Panel>
  );
}

/** The measured seconds of each cell, of all its runs together. */
export function secondsOf(
  result: Pick<SessionResult, 'cells' | 'factors' | 'metric' | 'warmup'>,
  runs: readonly Run[],
  series: readonly SeriesData[],
): Seconds[] {
  const paint = painterOf(result.factors);
  const ends = new Map(runs.map((run) => [run.id, run.warmup + run.duration]));
  const compare = byLevels(result.factors);
  return [...result.cells]
    .sort((one, other) => compare(one.levels, other.levels))
    .map((cell) => {
      const own = series.filter(
        (entry) => entry.metric === result.metric && cell.runs.some((run) => run.runId === entry.runId),
      );
      const values = own.flatMap(({ runId, t, v }) => {
        const end = ends.get(runId) ?? Number.POSITIVE_INFINITY;
        return [...v].filter((_, index) => (t[index] ?? 0) > result.warmup && Math.floor(t[index] ?? 0) <= end);
      });
      return {
        name: formatLevels(cell.levels) || 'the only cell',
        ...paint(cell.levels),
        ascending: Float64Array.from(values).sort(),
      };
    });
}

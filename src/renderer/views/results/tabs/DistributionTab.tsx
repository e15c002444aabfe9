import { useMemo } from 'react';
import {
  byLevels,
  nameOfCell,
  painterOf,
  partsOf,
  percentileCurves,
  type Seconds,
  sessionBoxes,
  spansDecades,
} from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { CellResult, SessionResult } from '../../../../shared/model/result.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, Panel, ProblemBanner } from '../../../ui/index.ts';
import { passes, type TabProperties } from '../useResults.ts';
import { useLogChoice } from './curve-choices.tsx';

/** Distribution of the seconds of each cell: a mean can hide stalls that a tail shows. */
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
      <Panel label="Distribution of per-second values">
        <Chart
          model={boxes}
          height={300}
          zoomable
          title="Distribution of per-second values"
          note="point at a box for minimum and maximum"
          controls={control}
        />
      </Panel>
      {/* The engine combines seconds of several generators, and returns only their spread. */}
      {detail.session.generators.length === 1 ? <Percentiles result={shown} isLog={isLog} /> : null}
    </>
  );
}

/** Ends of the whiskers. */
const tailsOf = ({ cells }: SessionResult): number[] =>
  cells.flatMap((cell) => cell.spread ?? partsOf(cell).map(({ spread }) => spread)).flatMap(({ p5, p95 }) => [p5, p95]);

function Percentiles({ result, isLog }: { result: SessionResult; isLog: boolean }) {
  const theme = useChartTheme();
  const cells = useMemo(() => {
    const compare = byLevels(result.factors);
    return [...result.cells].sort((one, other) => compare(one.levels, other.levels));
  }, [result]);
  const { metric, warmup } = result;
  const groups = useMemo(() => cells.map(countedOf), [cells]);
  const quantiles = useCall(
    'results.quantiles',
    { groups, metric, warmup },
    {
      enabled: groups.length > 0,
      placeholderData: (before) => (before?.length === groups.length ? before : undefined),
    },
  );
  const model = useMemo(() => {
    const paint = painterOf(result.factors);
    const seconds = cells.map(
      ({ levels }, index): Seconds => ({
        name: nameOfCell(result.factors, levels),
        ...paint(levels),
        ascending: quantiles.data?.[index] ?? NONE,
      }),
    );
    return percentileCurves(seconds, metricOf(metric), theme, isLog);
  }, [cells, result.factors, metric, quantiles.data, theme, isLog]);
  if (quantiles.error) return <ProblemBanner problem={quantiles.error.problem} />;
  if (groups.length === 0) return null;
  if (!quantiles.data) return <BlockSkeleton height={400} />;
  return (
    <Panel label="Percentiles">
      <Chart
        model={model}
        height={360}
        zoomable
        title="Percentiles"
        note="steeper is steadier; tails are much slower or faster seconds"
      />
    </Panel>
  );
}

const NONE = new Float64Array(0);

/** As in every figure: complete runs, or partial ones if a cell has no others. */
export const countedOf = ({ runs, partial }: Pick<CellResult, 'runs' | 'partial'>): number[] =>
  runs.filter((run) => run.spread !== undefined && run.partial === partial).map((run) => run.runId);

import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  alongProgress,
  cellsDrawn,
  chosenChart,
  chosenHeight,
  chosenTitle,
  countsOf,
  curveOver,
  type FinalRun,
  metricDrawn,
  progressAsked,
  secondsAsked,
} from '../../../../shared/chart-models/index.ts';
import { definedIn, metricNamed } from '../../../../shared/measures/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { CellSeconds, ChartChoice } from '../../../../shared/model/chart.ts';
import type { Levels } from '../../../../shared/model/factor.ts';
import type { CellResult, SessionResult } from '../../../../shared/model/result.ts';
import { hasFigure } from '../../../../shared/model/result-words.ts';
import { withinSentence } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, Panel, ProblemBanner } from '../../../ui/index.ts';
import { type ResultsState, runsOfCell, shownOf, type TabProperties } from '../useResults.ts';

/** Pixels that the title adds to the placeholder of a chart. */
const AROUND_PICTURE = 60;

interface Look {
  choice: ChartChoice;
  /** Height of the picture, pixels. */
  height?: number;
  /** Left of the chart’s own buttons. */
  controls?: ReactNode;
  /** A click on a cell does not leave the page. */
  stays?: boolean;
}

/** A chart of its own metric, or of the selected one. */
export function ChosenChart({ detail, result, state, ...look }: Look & TabProperties) {
  const { choice, height = 340, controls } = look;
  const named = choice.metric === undefined ? undefined : metricNamed(choice.metric, definedIn(detail));
  const isGone = choice.metric !== undefined && named === undefined;
  const metric = metricDrawn(choice, named, result);
  const baselines = ratioBaseline(choice);
  const isShown = metric === result.metric && (baselines === undefined || hasRatios(result, baselines));
  const { step, warmup } = result;
  const other = useCall(
    'results.session',
    { sessionId: state.id, metric, warmup, ...(step !== undefined && { step }), ...(baselines && { baselines }) },
    { enabled: !isShown && !isGone },
  );
  const own = isShown ? result : other.data;
  if (isGone)
    return (
      <Nothing title={choice.title ?? choice.metric ?? ''} controls={controls}>
        This session has no measure or metric named “{choice.metric}”.
      </Nothing>
    );
  if (other.error && !isShown) return <ProblemBanner problem={other.error.problem} />;
  if (!own) return <BlockSkeleton height={height + AROUND_PICTURE} />;
  return own.metric === null ? null : <Drawn {...{ state, ...look, height }} result={own} />;
}

/** Level that the ratios of a chart refer to. */
const ratioBaseline = ({ kind, against }: ChartChoice) => (kind === 'bars' || kind === 'table' ? against : undefined);

const hasRatios = ({ ratios = [] }: SessionResult, baselines: Levels): boolean =>
  ratios.some(({ factor, level }) => String(baselines[factor]) === String(level));

const hasCounts = (cell: CellResult, runs: readonly FinalRun[], { counts = '' }: ChartChoice): boolean =>
  countsOf(cell, runs, counts).length > 0;

interface DrawnProperties extends Look {
  height: number;
  result: SessionResult;
  state: ResultsState;
}

const NONE: readonly CellSeconds[] = [];

function Drawn({ choice, result, state, height, controls, stays = false }: DrawnProperties) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const shown = useMemo(() => cellsDrawn(choice, shownOf(result, state.filter)), [choice, result, state.filter]);
  const query = useMemo(() => secondsAsked(choice, shown), [choice, shown]);
  const seconds = useCall('results.seconds', query ?? NOTHING, { enabled: query !== undefined });
  const way = useMemo(() => progressAsked(choice, query), [choice, query]);
  const progress = useCall('results.seconds', way ?? NOTHING, { enabled: way !== undefined });
  const drawn = useMemo(() => {
    if (!way) return seconds.data;
    return seconds.data && progress.data && alongProgress(seconds.data, progress.data);
  }, [way, seconds.data, progress.data]);
  const runs = useCall('sessions.runs', { id: state.id }, { enabled: choice.counts !== undefined });
  const { over } = choice;
  const { step, warmup } = result;
  const overlaid = useCall(
    'results.compare',
    {
      ...{ baselineId: over ?? 0, otherId: state.id, metric: result.metric },
      ...(state.warmup !== undefined && { warmup }),
      ...(step !== undefined && { baselineStep: step, otherStep: step }),
    },
    { enabled: over !== undefined },
  );
  const model = useMemo(
    () =>
      overlaid.data
        ? curveOver(choice, overlaid.data, theme)
        : chosenChart(choice, shown, drawn ?? NONE, theme, runs.data),
    [choice, shown, drawn, theme, runs.data, overlaid.data],
  );
  const title = chosenTitle(choice, shown);
  const panels = chosenHeight(choice, shown);
  if (seconds.error) return <ProblemBanner problem={seconds.error.problem} />;
  if (progress.error) return <ProblemBanner problem={progress.error.problem} />;
  if (runs.error) return <ProblemBanner problem={runs.error.problem} />;
  if (over !== undefined && overlaid.isPending) return <BlockSkeleton height={height + AROUND_PICTURE} />;
  if ((query && !drawn) || (choice.counts !== undefined && !runs.data))
    return <BlockSkeleton height={height + AROUND_PICTURE} />;
  if (!shown.cells.some(hasFigure))
    return (
      <Nothing title={title} controls={controls}>
        No cell has a figure of this metric.
      </Nothing>
    );
  if (choice.counts !== undefined && runs.data && !shown.cells.some((cell) => hasCounts(cell, runs.data, choice)))
    return (
      <Nothing title={title} controls={controls}>
        No run has final figures named “{choice.counts}”, with a number instead of the star.
      </Nothing>
    );
  if (query && seconds.data?.every(({ count }) => count === 0))
    return (
      <Nothing title={title} controls={controls}>
        This metric has no samples: it is a figure of whole runs. Use a curve or bars.
      </Nothing>
    );
  if (way && drawn?.every(({ inTime }) => inTime === undefined))
    return (
      <Nothing title={title} controls={controls}>
        No run has per-second samples of {withinSentence(metricOf(way.metric).label)}.
      </Nothing>
    );
  return (
    <Panel label={title}>
      <Chart
        // Axes would keep properties of another chart.
        key={JSON.stringify([
          choice.kind,
          choice.x,
          choice.panels,
          choice.only,
          choice.groups,
          choice.against,
          choice.counts,
          choice.log,
          choice.over,
          choice.clip,
          result.metric,
        ])}
        model={model}
        height={stays ? height : (panels ?? height)}
        {...(panels !== undefined && { pictureHeight: panels })}
        zoomable={panels === undefined}
        {...(!stays && { onCell: (cell: number) => go(runsOfCell(state, cell)) })}
        title={title}
        note={
          overlaid.error
            ? `${model.description}; session ${over} is not drawn: ${overlaid.error.problem.message}`
            : model.description
        }
        controls={controls}
      />
    </Panel>
  );
}

/** Replaces a chart that cannot be drawn. */
const Nothing = ({ title, controls, children }: { title: string; controls: ReactNode; children: ReactNode }) => (
  <Panel title={title} actions={controls}>
    <span className="kp-dim">{children}</span>
  </Panel>
);

const NOTHING = { groups: [], metric: '', warmup: 0, points: 10 };

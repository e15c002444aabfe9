import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { chosenChart, chosenTitle, secondsAsked } from '../../../../shared/chart-models/index.ts';
import { definedIn, metricNamed } from '../../../../shared/measures/index.ts';
import type { CellSeconds, ChartChoice } from '../../../../shared/model/chart.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { hasFigure } from '../../../../shared/model/result-words.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, Panel, ProblemBanner } from '../../../ui/index.ts';
import { type ResultsState, runsOfCell, shownOf, type TabProperties } from '../useResults.ts';

/** The charts that the document asks for. */
export function ChosenCharts({ detail, result, state }: TabProperties) {
  const { charts = [] } = detail.experiment;
  return charts.map((choice) => <OfMetric key={JSON.stringify(choice)} {...{ choice, detail, result, state }} />);
}

interface ChoiceProperties {
  choice: ChartChoice;
  result: SessionResult;
  state: ResultsState;
}

/** A chart of its own metric, or of the one that is shown. */
function OfMetric({ choice, detail, result, state }: ChoiceProperties & { detail: SessionDetail }) {
  const metric = choice.metric === undefined ? undefined : metricNamed(choice.metric, definedIn(detail));
  const isShown = metric === undefined || metric === result.metric;
  const { step, warmup } = result;
  const other = useCall(
    'results.session',
    { sessionId: state.id, metric, warmup, ...(step !== undefined && { step }) },
    { enabled: !isShown },
  );
  const own = isShown ? result : other.data;
  if (other.error && !isShown) return <ProblemBanner problem={other.error.problem} />;
  if (!own) return <BlockSkeleton height={360} />;
  return own.metric === null ? null : <Chosen {...{ choice, state }} result={own} />;
}

const NONE: readonly CellSeconds[] = [];

function Chosen({ choice, result, state }: ChoiceProperties) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const shown = useMemo(() => shownOf(result, state.filter), [result, state.filter]);
  const query = useMemo(() => secondsAsked(choice, shown), [choice, shown]);
  const seconds = useCall('results.seconds', query ?? NOTHING, { enabled: query !== undefined });
  const model = useMemo(
    () => chosenChart(choice, shown, seconds.data ?? NONE, theme),
    [choice, shown, seconds.data, theme],
  );
  const title = chosenTitle(choice, result);
  if (seconds.error) return <ProblemBanner problem={seconds.error.problem} />;
  if (query && !seconds.data) return <BlockSkeleton height={360} />;
  if (!shown.cells.some(hasFigure))
    return (
      <Panel title={title}>
        <span className="kp-dim">No cell has a figure of this metric.</span>
      </Panel>
    );
  return (
    <Panel label={title}>
      <Chart
        model={model}
        height={340}
        zoomable
        onCell={(cell) => go(runsOfCell(state, cell))}
        title={title}
        note={model.description}
      />
    </Panel>
  );
}

const NOTHING = { groups: [], metric: '', warmup: 0, points: 10 };

import { type PropsWithChildren, useMemo } from 'react';
import { curveTitle, sessionCurve, whiskerWords } from '../../../shared/chart-models/index.ts';
import { extremeWord, metricOf } from '../../../shared/metrics/index.ts';
import { FAILED_RUN, type Run } from '../../../shared/model/session.ts';
import { formatLevels, formatNumber, formatValue } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { Warnings } from '../../domain/index.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../ui/index.ts';

interface CurveProperties {
  sessionId: number;
  /** Planned repeats of each cell. */
  repeats: number;
  runs: ReadonlyMap<number, Run>;
}

/** The load curve as it fills in, point by point, with its spread. */
export function CurvePanel({ sessionId, repeats, runs }: CurveProperties) {
  const query = useCall('results.session', { sessionId }, { placeholderData: (before) => before });
  const theme = useChartTheme();
  // By the plan, not by the results so far, so that whiskers mean the same from the first trial to the last.
  const spread = repeats > 1 ? 'repeats' : 'seconds';
  // Not shown if the tool only watches.
  const result = query.data && query.data.metric !== null ? query.data : undefined;
  const model = useMemo(() => result && sessionCurve(result, theme, { spread }), [result, theme, spread]);
  const best = result?.best;
  const bestCell = result?.cells.find((cell) => cell.cell === best?.cell);
  const errors = result?.cells.reduce((sum, cell) => sum + cell.errors, 0) ?? 0;
  const failed = [...runs.values()].filter((run) => FAILED_RUN.includes(run.state)).length;
  const title = result ? curveTitle(result) : 'Load curve';
  if (query.error) {
    return (
      <Panel title={title}>
        <ProblemBanner problem={query.error.problem} />
      </Panel>
    );
  }
  if (!result || !model) return <BlockSkeleton height={360} />;
  if (!best) {
    return (
      <Panel label={title}>
        <EmptyState title="No trial measured yet">The first point appears after the first trial.</EmptyState>
      </Panel>
    );
  }
  const extreme = extremeWord(metricOf(result.metric));
  return (
    <Panel label={title}>
      <Chart
        model={model}
        height="fill"
        zoomable
        title={title}
        note={bestCell ? `${extreme.toLowerCase()}: ${formatLevels(bestCell.levels)}` : ''}
      >
        <div className="kp-tiles kp-figures-row">
          <Figure label={extreme} value={formatValue(best.value, metricOf(result.metric))}>
            <Warnings of={bestCell} />
          </Figure>
          <Figure label="Errors" value={formatNumber(errors)} bad={errors > 0} />
          <Figure label="Runs failed" value={formatNumber(failed)} bad={failed > 0} />
        </div>
      </Chart>
      <div className="kp-small">Whiskers: {whiskerWords(result.metric, spread)}.</div>
    </Panel>
  );
}

type FigureProperties = PropsWithChildren<{ label: string; value: string; bad?: boolean }>;

const Figure = ({ label, value, bad = false, children }: FigureProperties) => (
  <div className="kp-tile" data-bad={bad || undefined}>
    <span className="kp-small">{label}</span>
    <span className="kp-tile-value kp-figures">
      {value}
      {children}
    </span>
  </div>
);

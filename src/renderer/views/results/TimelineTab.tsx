import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { painterOf, type TimelineLine, timeline } from '../../../shared/charts/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import { ALL_GENERATORS } from '../../../shared/model/result.ts';
import { EACH_GENERATOR, generatorWords } from '../../../shared/model/result-words.ts';
import type { Run } from '../../../shared/model/session.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../ui/index.ts';
import { passes, type TabProperties } from './useResults.ts';

/** Runs drawn at once: beyond this a picture tells nothing. */
const MOST_RUNS = 40;
const POINTS = 1200;
const NO_RUNS: readonly Run[] = [];

/** Every run over its own time, all starting at 0. */
export function TimelineTab({ detail, result, state }: TabProperties) {
  const theme = useChartTheme();
  const tall = useMediaQuery('(min-height: 960px)');
  const { warmup: planned, duration } = detail.experiment.measure;
  const query = useCall('sessions.runs', { id: state.id });
  const all = query.data ?? NO_RUNS;
  const fitting = all.filter((run) => run.seconds > 0 && passes(run.levels, state.filter));
  const runs = fitting.slice(0, MOST_RUNS);
  const series = useCall(
    'results.series',
    { runIds: runs.map((run) => run.id), metrics: [result.metric], points: POINTS },
    { enabled: runs.length > 0, placeholderData: (before) => before },
  );
  const model = useMemo(() => {
    const byId = new Map(all.map((run) => [run.id, run]));
    const paint = painterOf(result.factors);
    const wholes = new Set(
      series.data?.filter(({ generator }) => generator === ALL_GENERATORS).map(({ runId }) => runId),
    );
    const lines = (series.data ?? []).flatMap((entry): TimelineLine[] => {
      const run = byId.get(entry.runId);
      if (!run || entry.metric !== result.metric) return [];
      const name = formatLevels(run.levels) || 'the only cell';
      const several = series.data?.some(({ runId, generator }) => runId === run.id && generator > 0) ?? false;
      const generator = generatorWords(entry.generator, several);
      const beside = entry.generator !== ALL_GENERATORS && wholes.has(run.id);
      return [
        {
          key: `run ${run.id}/${entry.generator}`,
          name: beside ? EACH_GENERATOR : name,
          weight: beside ? 'part' : 'normal',
          label: `${name}, repeat ${run.repeat + 1}${generator}`,
          ...paint(run.levels),
          t: entry.t,
          v: entry.v,
        },
      ];
    });
    return timeline({ measure: metricOf(result.metric), lines, warmup: result.warmup }, theme);
  }, [series.data, all, result.factors, result.metric, result.warmup, theme]);

  const problem = (query.error ?? series.error)?.problem;
  if (problem) return <ProblemBanner problem={problem} />;
  if (query.data && runs.length === 0) {
    return (
      <Panel>
        <EmptyState title="No seconds to draw">No run of these levels has stored a sample.</EmptyState>
      </Panel>
    );
  }
  if (!series.data) return <BlockSkeleton height={tall ? 700 : 500} />;
  const note =
    fitting.length > runs.length
      ? `the first ${MOST_RUNS} of ${formatCount(fitting.length, 'run')}; choose levels above for others`
      : `${formatCount(runs.length, 'run')}; hues as in the load curve, deeper along it; repeats of a cell look the same`;
  return (
    <Panel label="Timeline">
      <Chart
        model={model}
        height={tall ? 640 : 440}
        zoomable
        title="Timeline"
        note={note}
        cut={{
          label: 'Warm-up cut',
          at: state.warmup ?? planned,
          most: planned + duration - 1,
          onChange: (at) => state.setWarmup(at === planned ? undefined : at),
        }}
      />
    </Panel>
  );
}

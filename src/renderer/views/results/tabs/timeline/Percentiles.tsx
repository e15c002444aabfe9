import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { spansDecades, type TimelineLine, timeline } from '../../../../../shared/chart-models/index.ts';
import { latencyFamily, latencyLadders, metricOf } from '../../../../../shared/metrics/index.ts';
import type { SeriesData } from '../../../../../shared/model/result.ts';
import { generatorWords } from '../../../../../shared/model/result-words.ts';
import type { Run } from '../../../../../shared/model/session.ts';
import { bucketSeconds, percentile, timeBuckets } from '../../../../../shared/stats/index.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { useChartTheme } from '../../../../charts/index.ts';
import { useCall } from '../../../../client/index.ts';
import { BlockSkeleton, ProblemBanner } from '../../../../ui/index.ts';
import { useChoice } from '../../useResults.ts';
import { levelsOf, marksOf } from './shown-runs.ts';
import { Drawn, endsOf, NO_SERIES, POINTS, type ViewProperties } from './views.tsx';

/** Percentiles and maximum of one latency of a cell on one time axis, each as the median of its repeats. */
export function Percentiles({ result, shown, cut, height, controls }: ViewProperties) {
  const theme = useChartTheme();
  const ladders = latencyLadders(result.metrics);
  const [chosenFamily, setFamily] = useChoice('latency');
  const [chosenCell, setCell] = useChoice('of');
  const own = latencyFamily(result.metric);
  const family = [chosenFamily, own, ...ladders.keys()].find((each) => each !== undefined && ladders.has(each)) ?? '';
  const metrics = useMemo(() => latencyLadders(result.metrics).get(family) ?? [], [result.metrics, family]);
  const runs = shown.cells.find(([run]) => String(run?.cell) === chosenCell) ?? shown.cells[0] ?? NO_RUNS;
  const query = { runIds: runs.map(({ id }) => id), metrics: [...metrics], points: POINTS };
  const { data, error } = useCall('results.series', query, {
    enabled: runs.length > 0,
    placeholderData: (before) => before,
  });
  const model = useMemo(() => {
    const lines = percentileLines(data ?? NO_SERIES, metrics, runs);
    const [metric = result.metric] = metrics;
    const highest = lines.map(({ v }) => percentile(v.filter(Number.isFinite).sort(), 50)).filter((value) => value > 0);
    return timeline(
      {
        measure: { ...metricOf(metric), label: familyWords(metric) },
        lines,
        isLog: lines.every(({ v }) => v.every((value) => value > 0)) && spansDecades(highest),
        warmup: result.warmup,
        marks: marksOf(runs, shown, result),
      },
      theme,
    );
  }, [data, metrics, runs, shown, result, theme]);
  if (error) return <ProblemBanner problem={error.problem} />;
  if (!data) return <BlockSkeleton height={height} words="Reading per-second data of all runs" />;
  const note = runs.length > 1 ? `each the median of ${formatCount(runs.length, 'repeat')}` : '';
  return (
    <Drawn
      {...{ model, note, cut, height }}
      controls={
        <>
          {ladders.size > 1 ? (
            <Select
              aria-label="Latency"
              w={200}
              allowDeselect={false}
              data={[...ladders].map(([value, [id = value]]) => ({ value, label: familyWords(id) }))}
              value={family}
              onChange={(value) => setFamily(value ?? undefined)}
            />
          ) : null}
          {shown.cells.length > 1 ? (
            <Select
              aria-label="Cell"
              w={320}
              allowDeselect={false}
              searchable
              data={shown.cells.flatMap(([run]) =>
                run ? [{ value: String(run.cell), label: levelsOf(run, result.factors) }] : [],
              )}
              value={String(runs[0]?.cell)}
              onChange={(value) => setCell(value ?? undefined)}
            />
          ) : null}
          {controls}
        </>
      }
    />
  );
}

const NO_RUNS: readonly Run[] = [];

/** `Latency, 99th percentile` → `Latency`. */
const familyWords = (metric: string): string => metricOf(metric).label.replace(/,[^,]*$/, '');

/** A line for each percentile: the median over the repeats; separately for several generators, as they cannot be combined. */
function percentileLines(
  data: readonly SeriesData[],
  metrics: readonly string[],
  runs: readonly Run[],
): TimelineLine[] {
  const generators = [...new Set(data.map(({ generator }) => generator))];
  return metrics.flatMap((metric, slot) => {
    const all = data.filter((entry) => entry.metric === metric);
    const whole = all.some(({ generator }) => generator === null);
    const parts = whole ? [null] : generators.filter((generator) => generator !== null);
    return parts.flatMap((generator): TimelineLine[] => {
      const own = all.filter((entry) => entry.generator === generator && runs.some(({ id }) => id === entry.runId));
      const [first] = own;
      if (!first) return [];
      const seconds = bucketSeconds(own, POINTS);
      const { t, median } =
        own.length === 1 ? { t: first.t, median: first.v } : endsOf(timeBuckets(own, seconds), seconds);
      const name = metricOf(metric).label.replace(/^.*, /, '');
      const label = `${name}${generatorWords(generator, parts.length > 1)}`;
      return [{ key: `${metric}/${generator ?? 'all'}`, name: label, label, slot, t, v: median, weight: 'normal' }];
    });
  });
}

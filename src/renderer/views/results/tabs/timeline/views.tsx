import { Select } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import {
  type ChartModel,
  type HeatFigure,
  heatMap,
  painterOf,
  panels,
  panelsHeight,
  spansDecades,
  type TimelineLine,
  timeline,
} from '../../../../../shared/chart-models/index.ts';
import { heatColumns, MOST_HEAT_ROWS } from '../../../../../shared/metrics/first-look.ts';
import { latencyFamily, latencyLadders, metricOf } from '../../../../../shared/metrics/index.ts';
import type { SeriesData, SessionResult, StretchData } from '../../../../../shared/model/result.ts';
import { generatorWords } from '../../../../../shared/model/result-words.ts';
import type { Run } from '../../../../../shared/model/session.ts';
import { bucketSeconds, percentile, timeBuckets } from '../../../../../shared/stats/index.ts';
import { formatCount, formatDuration, formatLevel } from '../../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../../charts/index.ts';
import { useCall } from '../../../../client/index.ts';
import { BlockSkeleton, ProblemBanner } from '../../../../ui/index.ts';
import { useChoice } from '../../useResults.ts';
import { levelsOf, linesOf, marksOf, nameOf, type ShownRuns } from './shown-runs.ts';

export interface ViewProperties {
  result: SessionResult;
  shown: ShownRuns;
  /** Height of the picture, pixels. */
  height: number;
  /** The metric along the axis instead of time. */
  way: string | undefined;
  /** The handle of the warm-up cut. */
  cut: { label: string; at: number; most: number; onChange: (at: number) => void };
  controls: ReactNode;
}

const NO_SERIES: readonly SeriesData[] = [];
/** Points of a line: about one for two pixels of a wide screen. */
const POINTS = 1200;
const BUCKETS = 600;

interface DrawnProperties extends Pick<ViewProperties, 'height' | 'controls'> {
  model: ChartModel;
  note: string;
  cut: ViewProperties['cut'] | undefined;
  zoomable?: boolean;
  pictureHeight?: number;
}

const Drawn = ({ cut, zoomable = true, pictureHeight, ...properties }: DrawnProperties) => (
  <Chart
    {...properties}
    title="Timeline"
    zoomable={zoomable}
    {...(cut && { cut })}
    {...(pictureHeight !== undefined && { pictureHeight })}
  />
);

/** A line for each run. */
export function RunLines({ result, shown, way, cut, ...place }: ViewProperties) {
  const theme = useChartTheme();
  const { runs } = shown;
  const series = useCall(
    'results.series',
    {
      runIds: runs.map((run) => run.id),
      metrics: way ? [result.metric, way] : [result.metric],
      points: POINTS,
    },
    { enabled: runs.length > 0, placeholderData: (before) => before },
  );
  const data = series.data ?? NO_SERIES;
  const model = useMemo(() => {
    const paint = painterOf(result.factors);
    return timeline(
      {
        measure: metricOf(result.metric),
        lines: linesOf(data, runs, { metric: result.metric, paint, way }),
        along: way === undefined ? undefined : metricOf(way),
        warmup: result.warmup,
        marks: marksOf(runs, shown, result),
      },
      theme,
    );
  }, [data, runs, shown, result, way, theme]);
  if (series.error) return <ProblemBanner problem={series.error.problem} />;
  if (!series.data) return <BlockSkeleton height={place.height} />;
  const hues = shown.fitting > 1 ? '; hues as in the load curve, deeper along it; repeats of a cell look the same' : '';
  const note = `${countWords(shown)}${hues}`;
  return <Drawn {...place} model={model} note={note} cut={way === undefined ? cut : undefined} />;
}

/** Runs over segments of time, combined by group. */
function useBuckets(groups: readonly (readonly Run[])[], metric: string, points: number) {
  return useCall(
    'results.stretches',
    { groups: groups.map((group) => group.map(({ id }) => id)), metric, points },
    {
      enabled: groups.length > 0,
      placeholderData: (before) => (before?.groups.length === groups.length ? before : undefined),
    },
  );
}

/** A line for a cell: the median of its runs with their range. */
const lineOfCell = (
  runs: readonly Run[],
  data: StretchData | undefined,
  seconds: number,
  result: SessionResult,
): TimelineLine[] => {
  const [first] = runs;
  if (!first || !data) return [];
  const name = levelsOf(first);
  const label = `${name}, median of ${formatCount(runs.length, 'run')}`;
  const { t, median, low, high } = endsOf(data, seconds);
  return [
    {
      key: `cell ${first.cell}`,
      name,
      label,
      ...painterOf(result.factors)(first.levels),
      t,
      v: median,
      band: { low, high },
    },
  ];
};

/** A line for each cell with the range of its runs. */
export function CellLines({ result, shown, cut, height, controls }: ViewProperties) {
  const theme = useChartTheme();
  const { cells } = shown;
  const { data, error } = useBuckets(cells, result.metric, BUCKETS);
  const model = useMemo(
    () =>
      timeline(
        {
          measure: metricOf(result.metric),
          lines: cells.flatMap((runs, index) => lineOfCell(runs, data?.groups[index], data?.seconds ?? 1, result)),
          warmup: result.warmup,
          marks: marksOf(shown.runs, shown, result),
        },
        theme,
      ),
    [data, cells, shown, result, theme],
  );
  if (error) return <ProblemBanner problem={error.problem} />;
  if (!data) return <BlockSkeleton height={height} />;
  const note = `${countWords(shown)}; line: median of a cell${each(data.seconds)}; band: smallest to largest second of its runs`;
  return <Drawn model={model} note={note} cut={cut} height={height} controls={controls} />;
}

/** Minimum width of a panel, pixels. */
const PANEL_WIDTH = 300;

/** A picture for each cell, all with the same axes. */
export function SmallMultiples({ result, shown, cut, height, controls }: ViewProperties) {
  const theme = useChartTheme();
  const { cells } = shown;
  const { ref, width } = useElementSize();
  const most = Math.max(1, Math.min(cells.length, Math.floor(width / PANEL_WIDTH)));
  // Evenly filled rows: four are two by two, and no row is half empty.
  const columns = Math.ceil(cells.length / Math.ceil(cells.length / most));
  const { data, error } = useBuckets(cells, result.metric, BUCKETS / 2);
  const model = useMemo(
    () =>
      panels(
        {
          measure: metricOf(result.metric),
          panels: cells.flatMap((runs, index) =>
            lineOfCell(runs, data?.groups[index], data?.seconds ?? 1, result).map((line) => ({
              name: line.name,
              line,
              marks: marksOf(runs, shown, result),
            })),
          ),
          warmup: result.warmup,
          columns,
          height,
        },
        theme,
      ),
    [data, cells, shown, result, columns, height, theme],
  );
  if (error) return <ProblemBanner problem={error.problem} />;
  const { label, unit } = metricOf(result.metric);
  const note = `${label} (${unit}) over the time since the start of the run (s), a panel for each cell with the same axes; line: median${each(data?.seconds)}; band: smallest to largest second of its runs`;
  return (
    <div ref={ref}>
      {data ? (
        <Drawn
          {...{ model, note, cut, height, controls }}
          zoomable={false}
          pictureHeight={panelsHeight(cells.length, columns, height)}
        />
      ) : (
        <BlockSkeleton height={height} />
      )}
    </div>
  );
}

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
  if (!data) return <BlockSkeleton height={height} />;
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
              w={220}
              allowDeselect={false}
              searchable
              data={shown.cells.flatMap(([run]) => (run ? [{ value: String(run.cell), label: levelsOf(run) }] : []))}
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

/** A second of a tool ends at its number, so each segment is drawn at its end, as the lines of runs are. */
const endsOf = (data: StretchData, seconds: number): StretchData => ({
  ...data,
  t: data.t.map((start) => start + seconds),
});

const LEAST_ROW = 4;
const TALLEST = 900;

const FIGURES: readonly { value: HeatFigure; label: string }[] = [
  { value: 'median', label: 'Colour: median' },
  { value: 'low', label: 'Colour: smallest second' },
  { value: 'high', label: 'Colour: largest second' },
  { value: 'change', label: 'Colour: change in each row' },
];

/** Each run is a row, time to the right, the metric as colour. */
export function Heat({ result, shown, cut, height, controls }: ViewProperties) {
  const theme = useChartTheme();
  const { runs, cells } = shown;
  const [chosen, setChosen] = useChoice('colour');
  const figure = FIGURES.find(({ value }) => value === chosen)?.value ?? 'median';
  const byCell = runs.length > MOST_HEAT_ROWS && cells.length < runs.length;
  const groups = useMemo(() => (byCell ? cells : runs.map((run) => [run])), [byCell, cells, runs]);
  const columns = heatColumns(groups.length);
  const { data, error } = useBuckets(groups, result.metric, columns);
  const model = useMemo(
    () =>
      heatMap(
        {
          measure: metricOf(result.metric),
          rows: groups.flatMap((group, index) => {
            const [first] = group;
            const buckets = data?.groups[index];
            if (!first || !buckets) return [];
            return [
              {
                name: byCell ? `${levelsOf(first)}, ${formatCount(group.length, 'run')}` : nameOf(first),
                group:
                  result.factors.map(({ name }) => formatLevel(first.levels[name])).join(' / ') ||
                  `repeat ${first.repeat + 1}`,
                buckets,
                // Marks of a cell are on its first row.
                marks: marksOf(group, shown, result, groups[index - 1]?.[0]?.cell !== first.cell),
              },
            ];
          }),
          of: result.factors.map(({ name }) => name).join(' / '),
          figure,
          seconds: data?.seconds ?? 1,
          warmup: result.warmup,
        },
        theme,
      ),
    [data, groups, byCell, shown, result, figure, theme],
  );
  if (error) return <ProblemBanner problem={error.problem} />;
  if (!data) return <BlockSkeleton height={height} />;
  const note = `${countWords(shown)}, a row for each ${byCell ? 'cell' : 'run'}; a tile is ${formatDuration(data.seconds)}`;
  return (
    <Drawn
      {...{ model, note, cut }}
      height={Math.max(height, Math.min(TALLEST, LEAST_ROW * groups.length))}
      controls={
        <>
          <Select
            aria-label="Colour"
            w={216}
            allowDeselect={false}
            data={[...FIGURES]}
            value={figure}
            onChange={(value) => setChosen(value === 'median' ? undefined : (value ?? undefined))}
          />
          {controls}
        </>
      }
    />
  );
}

const each = (seconds: number | undefined): string =>
  seconds === undefined || seconds === 1 ? '' : ` every ${formatDuration(seconds)}`;

const countWords = ({ fitting, runs }: ShownRuns): string =>
  fitting > runs.length
    ? `the first ${runs.length} of ${formatCount(fitting, 'run')}; choose levels above for others`
    : formatCount(runs.length, 'run');

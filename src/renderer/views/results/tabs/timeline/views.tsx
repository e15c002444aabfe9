import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import {
  areMediansFarApart,
  type ChartModel,
  painterOf,
  panels,
  panelsHeight,
  type TimelineLine,
  timeline,
} from '../../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../../shared/metrics/index.ts';
import type { SeriesData, SessionResult, StretchData } from '../../../../../shared/model/result.ts';
import type { Run } from '../../../../../shared/model/session.ts';
import { formatCount, formatDuration } from '../../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../../charts/index.ts';
import { useCall } from '../../../../client/index.ts';
import { BlockSkeleton, ProblemBanner } from '../../../../ui/index.ts';
import { useLogChoice } from '../curve-choices.tsx';
import { levelsOf, linesOf, marksOf, type ShownRuns } from './shown-runs.ts';

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

export const NO_SERIES: readonly SeriesData[] = [];
/** Points of a line: about one for two pixels of a wide screen. */
export const POINTS = 1200;
const BUCKETS = 600;

interface DrawnProperties extends Pick<ViewProperties, 'height' | 'controls'> {
  model: ChartModel;
  note: string;
  cut: ViewProperties['cut'] | undefined;
  zoomable?: boolean;
  pictureHeight?: number;
}

export const Drawn = ({ cut, zoomable = true, pictureHeight, ...properties }: DrawnProperties) => (
  <Chart
    {...properties}
    title="Timeline"
    zoomable={zoomable}
    {...(cut && { cut })}
    {...(pictureHeight !== undefined && { pictureHeight })}
  />
);

/** A line for each run. */
export function RunLines({ result, shown, way, cut, height, controls }: ViewProperties) {
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
  const lines = useMemo(
    () =>
      linesOf(data, runs, { metric: result.metric, factors: result.factors, paint: painterOf(result.factors), way }),
    [data, runs, result, way],
  );
  const { isLog, control } = useLogChoice('scale', areMediansFarApart(lines));
  const model = useMemo(() => {
    return timeline(
      {
        measure: metricOf(result.metric),
        ...{ lines, isLog },
        along: way === undefined ? undefined : metricOf(way),
        warmup: result.warmup,
        marks: marksOf(runs, shown, result),
      },
      theme,
    );
  }, [lines, isLog, runs, shown, result, way, theme]);
  if (series.error) return <ProblemBanner problem={series.error.problem} />;
  if (!series.data) return <BlockSkeleton height={height} words="Reading per-second data of all runs" />;
  const hues =
    shown.fitting > 1 ? '; colours of the load curve, stronger at higher levels; repeats of a cell look the same' : '';
  const note = `${countWords(shown)}${hues}`;
  return (
    <Drawn
      {...{ model, note, height }}
      cut={way === undefined ? cut : undefined}
      controls={
        <>
          {control}
          {controls}
        </>
      }
    />
  );
}

/** Runs over segments of time, combined by group. */
export function useBuckets(groups: readonly (readonly Run[])[], metric: string, points: number) {
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
  const name = levelsOf(first, result.factors);
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
  const lines = useMemo(
    () => cells.flatMap((runs, index) => lineOfCell(runs, data?.groups[index], data?.seconds ?? 1, result)),
    [data, cells, result],
  );
  const { isLog, control } = useLogChoice('scale', areMediansFarApart(lines));
  const model = useMemo(
    () =>
      timeline(
        {
          measure: metricOf(result.metric),
          ...{ lines, isLog },
          warmup: result.warmup,
          marks: marksOf(shown.runs, shown, result),
        },
        theme,
      ),
    [lines, isLog, shown, result, theme],
  );
  if (error) return <ProblemBanner problem={error.problem} />;
  if (!data) return <BlockSkeleton height={height} words="Reading per-second data of all runs" />;
  const note = `${countWords(shown)}; line: median of a cell${each(data.seconds)}; band: smallest to largest per-second value of its runs`;
  return (
    <Drawn
      {...{ model, note, cut, height }}
      controls={
        <>
          {control}
          {controls}
        </>
      }
    />
  );
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
  const note = `${label} (${unit}) over the time since the start of the run (s), a panel for each cell with the same axes; line: median${each(data?.seconds)}; band: smallest to largest per-second value of its runs`;
  return (
    <div ref={ref}>
      {data ? (
        <Drawn
          {...{ model, note, cut, height, controls }}
          zoomable={false}
          pictureHeight={panelsHeight(cells.length, columns, height)}
        />
      ) : (
        <BlockSkeleton height={height} words="Reading per-second data of all runs" />
      )}
    </div>
  );
}

/** A second of a tool ends at its number, so each segment is drawn at its end, as the lines of runs are. */
export const endsOf = (data: StretchData, seconds: number): StretchData => ({
  ...data,
  t: data.t.map((start) => start + seconds),
});

const each = (seconds: number | undefined): string =>
  seconds === undefined || seconds === 1 ? '' : ` every ${formatDuration(seconds)}`;

export const countWords = ({ fitting, runs }: ShownRuns): string =>
  fitting > runs.length
    ? `the first ${runs.length} of ${formatCount(fitting, 'run')}; choose levels above for others`
    : formatCount(runs.length, 'run');

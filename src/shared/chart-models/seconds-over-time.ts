import type { EChartsOption } from 'echarts';
import type { CellSeconds, ChartMarker } from '../model/chart.ts';
import { formatNumber, withinSentence } from '../util/format.ts';
import { markerLines } from './chart-markers.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import type { ChartTheme, Paint } from './theme.ts';
import { timeline } from './timeline.ts';

interface SecondsOverTime {
  measure: Measure;
  /** Seconds of one run of each cell, `t` from the warm-up cut on or in the unit of `along`. */
  cells: readonly (CellSeconds & Paint & { cell: number; name: string })[];
  /** Quantity along the axis instead of time. */
  along?: Measure | undefined;
  isLog?: boolean | undefined;
  clip?: number | undefined;
  markers?: readonly ChartMarker[] | undefined;
}

const NO_LEVELS = { levels: [], places: { levels: [0], between: () => 0 } };

/** A line for each cell: the seconds of one run over its time, or along its progress. */
export function secondsOverTime(chart: SecondsOverTime, theme: ChartTheme): ChartModel {
  const { measure, cells, along, isLog = false, clip, markers = [] } = chart;
  const lines = cells.flatMap(({ inTime, cell, name, slot, shade }) =>
    inTime && inTime.t.length > 0
      ? [{ key: String(cell), name, slot, shade, ...inTime, weight: 'normal' as const }]
      : [],
  );
  const model = timeline({ measure, lines, along, isLog }, theme);
  const limited = ({ yAxis, ...option }: EChartsOption): EChartsOption => ({
    ...option,
    ...(yAxis && { yAxis: clip === undefined ? yAxis : endingAt(yAxis, clip, measure) }),
    series: [...[option.series ?? []].flat(), ...markerLines(markers, theme, NO_LEVELS)],
  });
  const { at } = model;
  return {
    ...model,
    description: `${titleOf(measure)} ${along ? `along ${withinSentence(along.label)}` : 'over time'}, one run of each cell`,
    option: limited(model.option),
    ...(at && { at: (width: number) => limited(at(width)) }),
  };
}

type Upright = NonNullable<EChartsOption['yAxis']>;

const endingAt = (axis: Upright, clip: number, { digits }: Measure): Upright =>
  [axis].flat().map((each) => ({
    ...each,
    max: clip,
    name: `${each.name ?? ''}, axis ends at ${formatNumber(clip, digits)}`,
  }));

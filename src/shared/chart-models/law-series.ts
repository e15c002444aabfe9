import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import type { Scalar } from '../model/experiment.ts';
import type { ChartTheme } from './theme.ts';
import { whiskers } from './whiskers.ts';

/** Additions to a line other than its points. */
export interface LineLaw {
  /** The levels that identify the line. */
  levels: Readonly<Record<string, Scalar>>;
  /** Level of the knee, ringed. */
  knee?: number | undefined;
  /** It is known to be beyond the measured range. */
  isBeyond?: boolean | undefined;
  /** The fitted curve with its interval, along the measured range. */
  curve?: readonly { load: number; value: number; low: number; high: number }[] | undefined;
  /** Its highest point, if within the measured range. */
  peak?: { load: number; rate: number; low: number; high: number } | undefined;
}

type LawSeries = LineSeriesOption | CustomSeriesOption | ScatterSeriesOption;

/**
 * A fitted law as a thin dashed line within its interval, and its peak as a diamond with the interval of its load; under the name of its
 * line, so that the legend toggles all of it. `place`: position of a load along the axis.
 */
export function lawSeries(
  name: string,
  { curve, peak }: LineLaw,
  place: (load: number) => number,
  colour: string,
  theme: ChartTheme,
): LawSeries[] {
  if (!curve || curve.length < 2) return [];
  const line: LineSeriesOption = {
    id: `law ${name}`,
    name,
    type: 'line',
    silent: true,
    symbol: 'none',
    color: colour,
    z: 1,
    lineStyle: { width: 1.25, type: [4, 4], color: colour, opacity: 0.9 },
    data: curve.map(({ load, value }) => [place(load), value]),
    tooltip: { show: false },
  };
  return [line, band(name, curve, place, colour), ...(peak ? peakSeries(name, peak, place, colour, theme) : [])];
}

/** The interval of the curve, as an area. */
function band(
  name: string,
  curve: NonNullable<LineLaw['curve']>,
  place: (load: number) => number,
  colour: string,
): CustomSeriesOption {
  const first = curve[0];
  return {
    id: `band ${name}`,
    name,
    type: 'custom',
    silent: true,
    color: colour,
    clip: true,
    z: 0,
    data: first ? [[place(first.load), first.value]] : [],
    renderItem: (_parameters, api) => {
      const upper = curve.map(({ load, high }) => api.coord([place(load), high]));
      const lower = curve.map(({ load, low }) => api.coord([place(load), low])).reverse();
      return { type: 'polygon', shape: { points: [...upper, ...lower] }, style: { fill: colour, opacity: 0.13 } };
    },
  };
}

const peakSeries = (
  name: string,
  { load, rate, low, high }: NonNullable<LineLaw['peak']>,
  place: (load: number) => number,
  colour: string,
  theme: ChartTheme,
): LawSeries[] => [
  {
    id: `peak ${name}`,
    name,
    type: 'scatter',
    silent: true,
    symbol: 'diamond',
    symbolSize: 12,
    color: colour,
    z: 4,
    itemStyle: { color: theme.ground, borderColor: colour, borderWidth: 2 },
    data: [[place(load), rate]],
    tooltip: { show: false },
  },
  { ...whiskers(`${name} peak`, [[rate, place(low), place(high)]], colour, { lying: true }), name },
];

import {
  colourOf,
  expectedPicture,
  expectedWords,
  type Paint,
  type SessionTrend,
  sparklines,
  trendPicture,
} from '../../shared/chart-models/index.ts';
import type { ExpectedChart } from '../../shared/model/plan.ts';
import { useChartTheme } from './useChartTheme.ts';

interface SparklineProperties {
  /** One line each, on one scale. */
  curves: readonly (readonly (number | null)[])[];
  /** The figure whose line is highlighted. */
  best?: number | undefined;
  label: string;
  width?: number;
  height?: number;
}

/** Load curves at the size of a word. */
export function Sparkline({ curves, best, label, width = 80, height = 24 }: SparklineProperties) {
  const lines = sparklines(curves, { width, height }, best);
  if (lines.length === 0) return <span className="kp-dim">–</span>;
  return (
    <svg
      className="kp-sparkline"
      width={width + 4}
      height={height + 4}
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      role="img"
      aria-label={label}
    >
      <path d={pathOf(lines, false)} />
      <path d={pathOf(lines, true)} data-best />
    </svg>
  );
}

const pathOf = (lines: ReturnType<typeof sparklines>, best: boolean): string =>
  lines
    .filter((line) => line.best === best)
    .map(({ path }) => path)
    .join('');

const TREND_WIDTH = 120;
const TREND_HEIGHT = 22;
/** With at least this many, large dots would overlap. */
const MANY_DOTS = 16;

/**
 * The best figure of each session over dates, with the intervals of its repeats; hollow if it was measured elsewhere, in the warning colour
 * if the load was its bottleneck.
 */
export function TrendDots({ trend }: { trend: SessionTrend }) {
  const { dots, intervals, line } = trendPicture(trend.points, TREND_WIDTH, TREND_HEIGHT);
  return (
    <svg
      className="kp-trend-dots"
      width={TREND_WIDTH + 8}
      height={TREND_HEIGHT + 8}
      viewBox={`-4 -4 ${TREND_WIDTH + 8} ${TREND_HEIGHT + 8}`}
      role="img"
      aria-label={trend.words}
    >
      <path d={line} data-line />
      <path d={intervals} />
      {dots.map(({ id, x, y, alike, warns }) => (
        <circle
          key={id}
          cx={x}
          cy={y}
          r={dots.length > MANY_DOTS ? 1.2 : 2.2}
          data-hollow={!alike || undefined}
          data-warn={warns || undefined}
        />
      ))}
    </svg>
  );
}

const EXPECTED_WIDTH = 96;
const EXPECTED_HEIGHT = 52;

/** The kind of chart that a document leads to, drawn schematically: without figures, as nothing was measured. */
export function ExpectedPicture({ chart }: { chart: ExpectedChart }) {
  const { lines, bars } = expectedPicture(chart, EXPECTED_WIDTH, EXPECTED_HEIGHT);
  return (
    <svg
      className="kp-expected"
      width={EXPECTED_WIDTH + 8}
      height={EXPECTED_HEIGHT + 6}
      viewBox={`-6 -2 ${EXPECTED_WIDTH + 8} ${EXPECTED_HEIGHT + 6}`}
      role="img"
      aria-label={expectedWords(chart)}
    >
      <title>{expectedWords(chart)}</title>
      <path className="kp-expected-axis" d={`M-2 0V${EXPECTED_HEIGHT + 2}H${EXPECTED_WIDTH}`} />
      <path d={lines.slice(1).join('')} data-rest />
      <path d={lines[0] ?? ''} />
      <path d={bars.slice(1).join('')} data-bars data-rest />
      <path d={bars[0] ?? ''} data-bars />
    </svg>
  );
}

/** The colour of a run, next to its name in tables. */
export const Swatch = ({ paint }: { paint: Paint }) => (
  <span className="kp-swatch" style={{ background: colourOf(paint, useChartTheme().scheme) }} aria-hidden="true" />
);

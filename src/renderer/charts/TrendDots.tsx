import { type SessionTrend, trendPicture } from '../../shared/chart-models/index.ts';

const WIDTH = 120;
const HEIGHT = 22;
/** From there on large dots would run into each other. */
const MANY = 16;

/** The best figure of each session over dates, with the intervals of its repeats; hollow where it was measured elsewhere, in the colour of a warning where the load bound it. */
export function TrendDots({ trend }: { trend: SessionTrend }) {
  const { dots, intervals, line } = trendPicture(trend.points, WIDTH, HEIGHT);
  return (
    <svg
      className="kp-trend-dots"
      width={WIDTH + 8}
      height={HEIGHT + 8}
      viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
      role="img"
      aria-label={trend.words}
    >
      <path d={line} data-line />
      <path d={intervals} />
      {dots.map(({ id, x, y, alike, loadBound }) => (
        <circle
          key={id}
          cx={x}
          cy={y}
          r={dots.length > MANY ? 1.2 : 2.2}
          data-hollow={!alike || undefined}
          data-warn={loadBound || undefined}
        />
      ))}
    </svg>
  );
}

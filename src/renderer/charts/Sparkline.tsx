import { sparklinePath } from '../../shared/chart-models/index.ts';

interface SparklineProperties {
  values: readonly (number | null)[];
  label: string;
  width?: number;
  height?: number;
}

/** A load curve at the size of a word. */
export function Sparkline({ values, label, width = 72, height = 18 }: SparklineProperties) {
  const path = sparklinePath(values, width, height);
  if (!path) return <span className="kp-dim">–</span>;
  return (
    <svg
      className="kp-sparkline"
      width={width + 4}
      height={height + 4}
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      role="img"
      aria-label={label}
    >
      <path
        d={path}
        fill="none"
        stroke="var(--kp-accent)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

import { sparklines } from '../../shared/chart-models/index.ts';

interface SparklineProperties {
  /** A line each, on one scale. */
  curves: readonly (readonly (number | null)[])[];
  /** The figure whose line stands out. */
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

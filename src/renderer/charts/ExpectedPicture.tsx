import { expectedPicture, expectedWords } from '../../shared/chart-models/index.ts';
import type { ExpectedChart } from '../../shared/model/outline.ts';

const WIDTH = 96;
const HEIGHT = 52;

/** The kind of chart that a document leads to, drawn schematically: without figures, as nothing was measured. */
export function ExpectedPicture({ chart }: { chart: ExpectedChart }) {
  const { lines, bars } = expectedPicture(chart, WIDTH, HEIGHT);
  return (
    <svg
      className="kp-expected"
      width={WIDTH + 8}
      height={HEIGHT + 6}
      viewBox={`-6 -2 ${WIDTH + 8} ${HEIGHT + 6}`}
      role="img"
      aria-label={expectedWords(chart)}
    >
      <title>{expectedWords(chart)}</title>
      <path className="kp-expected-axis" d={`M-2 0V${HEIGHT + 2}H${WIDTH}`} />
      <path d={lines.slice(1).join('')} data-rest />
      <path d={lines[0] ?? ''} />
      <path d={bars.slice(1).join('')} data-bars data-rest />
      <path d={bars[0] ?? ''} data-bars />
    </svg>
  );
}

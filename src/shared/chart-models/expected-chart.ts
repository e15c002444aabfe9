import { metricOf } from '../metrics/index.ts';
import type { Scalar } from '../model/experiment.ts';
import type { ExpectedChart } from '../model/plan.ts';
import type { LoadKind } from '../model/tool.ts';
import { formatCount, withinSentence } from '../util/format.ts';
import { ladderFactor } from './of-session.ts';

interface Planned {
  readonly factors: readonly {
    readonly name: string;
    readonly levels: readonly Scalar[];
    readonly load: LoadKind | undefined;
  }[];
  /** Id of the metric that is drawn first; null if there is none. */
  readonly metric: string | null;
  /** Duration of a trial. */
  readonly seconds: number;
}

/** From this length on, the seconds of a trial are more informative than its mean. */
const LONG_TRIAL_SECONDS = 600;

/** The chart that the results of a document will show first. */
export function expectedChart({ factors, metric, seconds }: Planned): ExpectedChart {
  const x = ladderFactor(factors);
  const combinations = factors.reduce((product, { levels }) => product * levels.length, 1);
  if (!x || seconds >= LONG_TRIAL_SECONDS || metric === null)
    return { kind: 'time', over: 'time', metric, lines: combinations, points: seconds };
  const isNumeric = x.levels.length > 1 && x.levels.every((level) => typeof level === 'number');
  return {
    kind: x.load && isNumeric ? 'knee' : isNumeric ? 'fall' : 'bars',
    over: x.name,
    metric,
    lines: combinations / x.levels.length,
    points: x.levels.length,
  };
}

/** Description of the picture for screen readers. */
export function expectedWords({ kind, over, metric, lines }: ExpectedChart): string {
  const label = metric === null ? 'what is watched' : withinSentence(metricOf(metric).label);
  const what = kind === 'bars' ? formatCount(lines, 'group') : formatCount(lines, 'line');
  return `Example chart: ${label} over ${over}, ${what}. Example only, not measured.`;
}

/** Lines and bars of a picture, as SVG paths in a box of `width` × `height`; each in the colour of its slot. */
export interface Picture {
  readonly lines: readonly string[];
  readonly bars: readonly string[];
}

/** More would merge into a grey area. */
const MOST_LINES = 4;
const MOST_BARS = 6;

/** A schematic chart of the kind: the same for every document, as nothing was measured. `points` and `lines` are those of the document. */
export function expectedPicture(chart: ExpectedChart, width: number, height: number): Picture {
  const lines = Math.min(MOST_LINES, Math.max(1, chart.lines));
  if (chart.kind === 'bars') return { lines: [], bars: barsOf(chart.points, lines, width, height) };
  const isLatency = chart.metric !== null && metricOf(chart.metric).better === 'lower';
  const steps = chart.kind === 'time' ? 40 : Math.max(1, Math.min(chart.points, 12) - 1);
  const curve = (line: number): string =>
    Array.from({ length: steps + 1 }, (_, step) => {
      const x = step / steps;
      const share = shareAt(chart.kind, x, line, step, isLatency);
      return `${step === 0 ? 'M' : 'L'}${(x * width).toFixed(1)} ${((1 - share) * height).toFixed(1)}`;
    }).join('');
  return { lines: Array.from({ length: lines }, (_, line) => curve(line)), bars: [] };
}

/** Height between 0 and 1 at a place between 0 and 1; each additional line is lower. */
function shareAt(kind: ExpectedChart['kind'], x: number, line: number, step: number, isLatency: boolean): number {
  const lower = 1 - 0.22 * line;
  switch (kind) {
    case 'knee':
      return isLatency ? (0.12 + 0.06 * line + 0.7 * x ** 3) * lower + 0.05 : 0.92 * lower * (1 - Math.exp(-3.4 * x));
    case 'fall':
      return isLatency ? (0.15 + 0.7 * x) * lower : (0.9 - 0.62 * x ** 1.4) * lower;
    default:
      // Regular waves of two lengths: they cannot be mistaken for seconds of a run.
      return (0.72 + 0.07 * Math.sin(step * 0.9 + line) + 0.05 * Math.sin(step * 2.3)) * lower;
  }
}

function barsOf(points: number, groups: number, width: number, height: number): string[] {
  const places = Math.max(1, Math.min(points, MOST_BARS));
  const room = width / places;
  const bar = (room * 0.7) / groups;
  return Array.from({ length: groups }, (_, group) =>
    Array.from({ length: places }, (_place, place) => {
      const top = height * (0.14 + 0.12 * ((place * 2 + group) % 5));
      const left = place * room + room * 0.15 + group * bar;
      return `M${left.toFixed(1)} ${height.toFixed(1)}V${top.toFixed(1)}h${(bar * 0.9).toFixed(1)}V${height.toFixed(1)}z`;
    }).join(''),
  );
}

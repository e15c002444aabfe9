import { ladderFactor, titleOf } from '../../../shared/chart-models/index.ts';
import { metricName, metricOf, PROGRESS } from '../../../shared/metrics/index.ts';
import { type ChartChoice, type ChartMarker, type CurveSpread, isOfSeconds } from '../../../shared/model/chart.ts';
import type { Levels, Scalar } from '../../../shared/model/factor.ts';
import type { SessionResult } from '../../../shared/model/result.ts';
import { hasFigure } from '../../../shared/model/result-words.ts';

type Kind = ChartChoice['kind'];

/** Kinds of charts, with a description of each. */
export const KINDS: readonly { value: Kind; label: string; words: string }[] = [
  {
    value: 'curve',
    label: 'Curve',
    words: 'The figure of each cell along a factor, one line per combination of the other factors.',
  },
  {
    value: 'bars',
    label: 'Bars',
    words: 'The figure of each cell as a bar from zero, or its ratio to a level; in groups by factors along the axis.',
  },
  {
    value: 'table',
    label: 'Table',
    words: 'The figure of each cell in rows by several factors and columns by one, also with its ratio to a level.',
  },
  {
    value: 'stairs',
    label: 'Stairs',
    words: 'Per-second values of one run per level, joined end to end.',
  },
  {
    value: 'timeline',
    label: 'Timeline',
    words: 'Per-second values of one run of each cell as a line, over time or over a metric that grows during the run.',
  },
  { value: 'dots', label: 'Dots', words: 'Every measured second as a translucent dot above its level.' },
  { value: 'density', label: 'Density', words: 'Density of the per-second values of each cell around a value.' },
  {
    value: 'histogram',
    label: 'Histogram',
    words:
      'Share of the per-second values of each cell in 40 columns of equal width, or final figures by the number in their names (written as *).',
  },
];

/** Whether a kind has the levels of a factor along its axis. */
export const hasLevels = (kind: Kind): boolean => kind !== 'density' && kind !== 'histogram' && kind !== 'timeline';

/** Whether the bars or stairs of a kind can be grouped by factors, or its rows be chosen. */
export const hasGroups = (kind: Kind): boolean => kind === 'bars' || kind === 'table' || kind === 'stairs';

/** Whether a kind can show ratios to a level. */
export const hasRatios = (kind: Kind): boolean => kind === 'bars' || kind === 'table';

/** Whether groups take the place of panels. */
export const hasPanels = (kind: Kind): boolean => kind !== 'stairs' && kind !== 'table';

/** Whether a kind has an axis of figures, which can be logarithmic. */
export const hasLog = (kind: Kind): boolean => kind !== 'bars' && kind !== 'table';

/** Whether whiskers can be chosen: ratios have their own interval. */
export const hasWhiskers = ({ kind, against }: Pick<ChartDraft, 'kind' | 'against'>): boolean =>
  kind === 'curve' || (kind === 'bars' && against === null);

/** A line across a chart being edited: at a level, or at a value of the metric. */
export interface MarkerDraft {
  name: string;
  on: 'level' | 'value';
  at: number | '';
}

/** A chart being edited. Fields that its kind does not use are kept, and return when another kind is selected. */
export interface ChartDraft {
  kind: Kind;
  title: string;
  /** null: the selected metric. */
  metric: string | null;
  /** Names of final figures for a histogram; empty: it draws seconds. */
  counts: string;
  /** null: the factor of the load curve; for a timeline: time. */
  x: string | null;
  /** null: one panel for all cells. */
  panels: string | null;
  /** Levels of each factor to draw; for a missing factor: all of its levels. */
  only: Readonly<Record<string, readonly Scalar[]>>;
  /** Factors that group bars, the outermost first. */
  groups: readonly string[];
  /** Factor and level that bars are ratios to; null: bars are figures. */
  against: Levels | null;
  /** Session laid over a curve; null: none. */
  over: number | null;
  isLog: boolean;
  clip: number | '';
  markers: readonly MarkerDraft[];
  /** Spread around figures; null: of the repeats, if there are several. */
  whiskers: CurveSpread | null;
  /** Titles of the axes; empty: the names of what they show. */
  xTitle: string;
  yTitle: string;
}

export const draftOf = ({ kind, title = '', markers = [], ...choice }: ChartChoice): ChartDraft => ({
  ...{
    kind,
    title,
    metric: choice.metric ?? null,
    counts: choice.counts ?? '',
    x: choice.x ?? null,
    panels: choice.panels ?? null,
    only: choice.only ?? {},
    groups: choice.groups ?? [],
    against: choice.against ?? null,
    over: choice.over ?? null,
    isLog: choice.log === true,
    clip: choice.clip ?? '',
    whiskers: choice.whiskers ?? null,
    xTitle: choice.axes?.x ?? '',
    yTitle: choice.axes?.y ?? '',
  },
  markers: markers.map(({ name, level, value }) =>
    level === undefined ? { name, on: 'value', at: value ?? '' } : { name, on: 'level', at: level },
  ),
});

/** Whether a kind can draw a line there: only a factor's axis has levels. */
export const takesMarker = (kind: Kind, { on }: Pick<MarkerDraft, 'on'>): boolean =>
  kind !== 'table' && (on === 'value' || kind === 'curve' || kind === 'dots');

function markerOf({ name, on, at }: MarkerDraft): ChartMarker | undefined {
  const words = name.trim();
  if (words === '' || at === '') return undefined;
  return on === 'level' ? { name: words, level: at } : { name: words, value: at };
}

/** Whether no started part is incomplete. */
export const isComplete = ({ kind, markers, counts }: ChartDraft): boolean =>
  (kind === 'histogram' && counts.trim() !== '') ||
  markers.filter((marker) => takesMarker(kind, marker)).every((marker) => markerOf(marker) !== undefined);

/** The chart so far: without incomplete lines, and without fields that its kind does not use. */
export function choiceOf({ kind, title, metric, x, panels, isLog, clip, markers, ...more }: ChartDraft): ChartChoice {
  const over = kind === 'curve' ? more.over : null;
  const counts = kind === 'histogram' && more.counts.trim() !== '' ? more.counts.trim() : undefined;
  const lines = markers.filter((marker) => takesMarker(kind, marker)).flatMap((marker) => markerOf(marker) ?? []);
  const [xTitle, yTitle] = [more.xTitle.trim(), more.yTitle.trim()];
  return {
    kind,
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(metric !== null && counts === undefined && { metric }),
    ...(counts !== undefined && { counts }),
    ...(x !== null && (kind === 'timeline' ? PROGRESS.includes(x) : hasLevels(kind) && !PROGRESS.includes(x)) && { x }),
    ...(panels !== null && hasPanels(kind) && over === null && { panels }),
    ...(Object.keys(more.only).length > 0 && {
      only: Object.fromEntries(Object.entries(more.only).map(([name, levels]) => [name, [...levels]])),
    }),
    ...(hasGroups(kind) && more.groups.length > 0 && { groups: [...more.groups] }),
    ...(hasRatios(kind) && more.against !== null && { against: more.against }),
    ...(over !== null && { over }),
    ...(isLog && hasLog(kind) && { log: true as const }),
    ...(clip !== '' && clip > 0 && isOfSeconds({ kind, counts }) && { clip }),
    ...(lines.length > 0 && counts === undefined && { markers: lines }),
    ...(more.whiskers !== null && hasWhiskers({ kind, against: more.against }) && { whiskers: more.whiskers }),
    ...((xTitle !== '' || yTitle !== '') && {
      axes: { ...(xTitle !== '' && { x: xTitle }), ...(yTitle !== '' && { y: yTitle }) },
    }),
  };
}

/** Kinds in the order in which they complement the load curve: for several cells, and for one. */
const OF_CELLS: readonly Kind[] = ['dots', 'density', 'histogram'];
const OF_ONE: readonly Kind[] = ['histogram', 'density', 'dots'];

/** The default chart: of a kind that is not drawn yet. Without seconds it is a curve along a factor other than the load curve’s. */
export function firstChart(
  { cells, factors }: Pick<SessionResult, 'cells' | 'factors'>,
  drawn: readonly Pick<ChartChoice, 'kind'>[],
): ChartChoice {
  const measured = cells.filter(hasFigure);
  if (!measured.some(({ spread }) => spread !== undefined)) {
    const ladder = ladderFactor(factors);
    const other = factors.find((factor) => factor !== ladder && factor.levels.length > 1);
    return { kind: 'curve', ...(other && { x: other.name }) };
  }
  const kinds = measured.length > 1 ? OF_CELLS : OF_ONE;
  return { kind: kinds.find((kind) => !drawn.some((chart) => chart.kind === kind)) ?? 'curve' };
}

/** Metrics of a chart. `seconds` false: figures of whole runs, which only a curve can draw. */
export interface MetricGroup {
  readonly group: string;
  readonly items: readonly { value: string; label: string }[];
  readonly seconds: boolean;
}

const itemOf = (id: string) => ({ value: metricName(id), label: titleOf(metricOf(id)) });

/** Metrics of a session, each by its name in a document. */
export const metricsOfResult = ({
  metrics,
  runFigures = [],
}: Pick<SessionResult, 'metrics' | 'runFigures'>): MetricGroup[] => [
  { group: 'Per second', items: metrics.map(itemOf), seconds: true },
  ...(runFigures.length > 0 ? [{ group: 'Whole runs', items: runFigures.map(itemOf), seconds: false }] : []),
];

import type { LaneLimit } from '../../../../shared/chart-models/index.ts';
import { eventRate } from '../../../../shared/metrics/index.ts';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { MonitoredLimits, MonitoredSeries, MonitoredSource } from '../../../../shared/model/monitored.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import { sourceName } from '../../../domain/lanes/lane-marks.ts';
import { TOOL_GROUP, toolLanes } from '../../../domain/lanes/tool-lanes.ts';
import type { ChoosableGroup } from '../../../domain/lanes/useChosenLanes.tsx';

/** Lanes of the most different series, shown by default. */
const MOST_LANES = 12;
const DIFFERENCES = 'differences';

type SeriesOf = SeriesDifference['one'];

/** A series of one run of each side; a series that only one of them has lacks the other. */
export interface Pair {
  one?: SeriesOf;
  other?: SeriesOf;
}

/** The watched sources in the run of a side. */
export interface WatchedSide {
  sources: readonly MonitoredSource[];
  limits: MonitoredLimits['limits'];
  seconds: number;
}

interface Overlay {
  groups: readonly ChoosableGroup[];
  /** By lane. */
  pairs: ReadonlyMap<string, Pair>;
}

type Sides = readonly [WatchedSide, WatchedSide];

/** Lanes to choose from: the tool's, the most different series, and all others by owner. */
export function overlayOf(comparison: Comparison, differences: readonly SeriesDifference[], sides: Sides): Overlay {
  const pairs = new Map<string, Pair>();
  const laneOf = (group: string, isMain: boolean, pair: Pair): ChoosableGroup['lanes'] => {
    const [one, other] = [seriesOf(sides[0], pair.one), seriesOf(sides[1], pair.other)];
    const series = one ?? other;
    if (!series) return [];
    const { label, unit, digits = 1, lane } = series;
    const id = idOf(pair);
    pairs.set(id, pair);
    const limits = limitsOf(pair, sides);
    return [
      {
        ...{ id, group, title: differenceName(series), unit, digits, lane, isMain },
        ...{ shape: 'lines', rows: Number(one !== undefined) + Number(other !== undefined) },
        series: [{ id: series.id, label, slot: 0 }],
        ...(limits.length > 0 && { runLimits: limits }),
      },
    ];
  };
  const most = differences.slice(0, MOST_LANES).flatMap((each) => laneOf(DIFFERENCES, true, each));
  return {
    groups: [
      { id: TOOL_GROUP, name: 'Tool', lanes: toolLanesOf(comparison) },
      { id: DIFFERENCES, name: 'Series that differ most', lanes: most },
      ...otherPairs(differences, sides).map(({ source, all }) => ({
        ...{ id: `${source.kind}/${source.name}`, name: sourceName(source) },
        lanes: all.flatMap((pair) => laneOf(`${source.kind}/${source.name}`, false, pair)),
      })),
    ].filter(({ lanes }) => lanes.length > 0),
    pairs,
  };
}

/** The throughput first: everything else explains it. */
function toolLanesOf({ metric, metrics }: Comparison): ChoosableGroup['lanes'] {
  const rate = eventRate(metrics) ?? metric;
  return toolLanes(rate, metrics).map((lane) => ({
    ...lane,
    rows: 2,
    isMain: [rate, metric].some((each) => lane.id === `${TOOL_GROUP}/${each}`),
  }));
}

const idOf = ({ one, other }: Pair): string =>
  [one, other].map((each) => (each ? `${each.source} ${each.id}` : '-')).join(' ');

const seriesOf = ({ sources }: Pick<WatchedSide, 'sources'>, of: SeriesOf | undefined) =>
  of && sourceOf(sources, of)?.series.find(({ id }) => id === of.id);

export const sourceOf = (sources: readonly MonitoredSource[], { source, id }: SeriesOf): MonitoredSource | undefined =>
  sources.find(({ name, series }) => name === source && series.some((each) => each.id === id));

interface OfSource {
  source: MonitoredSource;
  all: Pair[];
}

/** Every series that is not among the most different ones, paired with the one it is compared with, or with the same name. */
function otherPairs(differences: readonly SeriesDifference[], [first, second]: Sides): OfSource[] {
  const key = ({ source, id }: SeriesOf): string => `${source}\n${id}`;
  const compared = new Map(differences.map((each) => [key(each.one), each.other]));
  const shown = new Set(differences.slice(0, MOST_LANES).map(({ one }) => key(one)));
  const taken = new Set(differences.map(({ other }) => key(other)));
  // Hosts that were compared by role may have other names.
  const names = new Map(differences.map(({ one, other }) => [one.source, other.source]));
  const likeIn = ({ source, id }: SeriesOf): SeriesOf | undefined => {
    const like = { source: names.get(source) ?? source, id };
    return taken.has(key(like)) ? undefined : seriesOf(second, like) && like;
  };
  const remaining = first.sources.map(({ series, ...source }): OfSource => {
    const all = partsOf(source.name, series).flatMap((one): Pair[] => {
      if (shown.has(key(one))) return [];
      const other = compared.get(key(one)) ?? likeIn(one);
      if (other) taken.add(key(other));
      return [{ one, ...(other && { other }) }];
    });
    return { source: { ...source, series }, all };
  });
  const right = second.sources.map((source): OfSource => {
    const all = partsOf(source.name, source.series).flatMap((other) => (taken.has(key(other)) ? [] : [{ other }]));
    return { source, all };
  });
  const isNew = ({ source }: OfSource): boolean =>
    !remaining.some((each) => each.source.kind === source.kind && each.source.name === source.name);
  return [
    ...remaining.map(({ source, all }) => ({
      source,
      all: [
        ...all,
        ...right
          .filter((each) => !isNew(each) && each.source.name === source.name && each.source.kind === source.kind)
          .flatMap((each) => each.all),
      ],
    })),
    ...right.filter(isNew),
  ];
}

const partsOf = (source: string, series: readonly MonitoredSeries[]): SeriesOf[] =>
  series.map(({ id }) => ({ source, id }));

/** Limits of both runs, each in the colour of its run; a common one is one line. */
function limitsOf({ one, other }: Pair, sides: Sides): LaneLimit[] {
  const [remaining, right] = [ofSide(one, sides[0]), ofSide(other, sides[1])];
  const isSame = (a: LaneLimit, b: LaneLimit): boolean => a.value === b.value && a.words === b.words;
  const both = remaining.flatMap((each) => {
    const same = right.find((limit) => isSame(limit, each));
    return same ? [{ ...each, to: Math.max(each.to, same.to) }] : [];
  });
  const own = (limits: readonly LaneLimit[], slot: number): LaneLimit[] =>
    limits.flatMap((each) => (both.some((limit) => isSame(limit, each)) ? [] : [{ ...each, slot }]));
  return [...both, ...own(remaining, 0), ...own(right, 1)];
}

function ofSide(of: SeriesOf | undefined, side: WatchedSide): LaneLimit[] {
  const source = of && sourceOf(side.sources, of);
  if (!source) return [];
  const inRun = side.limits.filter(({ sourceId, ids }) => sourceId === source.id && ids.includes(of.id));
  const limit = seriesOf(side, of)?.limit;
  const limits = inRun.length > 0 ? inRun : limit ? [limit] : [];
  return limits.map(({ value, words }) => ({ value, words, from: 0, to: side.seconds }));
}

/** Includes the device or process if the label does not have it. */
export const differenceName = ({ label, instance }: Pick<SeriesDifference, 'label' | 'instance'>): string =>
  instance === undefined || label.includes(instance) ? label : `${instance}: ${label}`;

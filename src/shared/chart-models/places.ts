import { metricOf, partMetric, placeIn, placePart } from '../metrics/index.ts';
import type { Levels } from '../model/experiment.ts';
import type { PlaceFigures } from '../model/result.ts';
import { columnDigits, formatFigure, formatLevel } from '../util/format.ts';
import { titleOf } from './model.ts';

/** Metrics by which places are compared, in column order, with titles for narrow columns. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['iops', 'IOPS'],
  ['read_mib_s', 'Read (MiB/s)'],
  ['write_mib_s', 'Write (MiB/s)'],
  ['latency_p50_ms', 'p50 (ms)'],
  ['latency_p99_ms', 'p99 (ms)'],
  ['latency_max_ms', 'Max (ms)'],
]);

/** The places that metrics are about, in the order of these. */
export const placesAmong = (metrics: readonly string[]): string[] => [
  ...new Set(metrics.flatMap((id) => placeIn(id)?.place ?? [])),
];

/** A row for each place of each cell, and one for all together. Undefined if a load has no places. */
export function placeFigures(
  cells: readonly { cell: number; levels: Levels }[],
  known: readonly string[],
  figureOf: (cell: number, metric: string) => number | undefined,
): PlaceFigures | undefined {
  const places = placesAmong(known);
  if (places.length === 0) return undefined;
  const ofPlace = (place: string | undefined, id: string): string =>
    place === undefined ? id : partMetric(placePart(place), id);
  const metrics = [...TITLES.keys()].filter((id) => places.some((place) => known.includes(ofPlace(place, id))));
  return {
    metrics,
    rows: cells.flatMap(({ cell, levels }) =>
      [...places, undefined].map((place) => ({
        ...{ cell, levels },
        ...(place !== undefined && { place }),
        values: metrics.map((id) => figureOf(cell, ofPlace(place, id)) ?? null),
      })),
    ),
  };
}

/** Name of the row of all places. */
export const ALL_PLACES = 'all together';

/** Figures of places as text: the varied levels, the place, and a column for each metric. */
export function placesText({ metrics, rows }: PlaceFigures): {
  head: string[];
  /** Columns from this one on are numbers. */
  numbers: number;
  rows: string[][];
} {
  const factors = [...new Set(rows.flatMap(({ levels }) => Object.keys(levels)))];
  const digits = metrics.map((id, index) =>
    columnDigits(
      metricOf(id),
      rows.map(({ values }) => values[index] ?? undefined),
    ),
  );
  return {
    head: [...factors, 'place', ...metrics.map((id) => TITLES.get(id) ?? titleOf(metricOf(id)))],
    numbers: factors.length + 1,
    rows: rows.map(({ levels, place, values }) => [
      ...factors.map((factor) => formatLevel(levels[factor])),
      place ?? ALL_PLACES,
      ...values.map((value, index) => formatFigure(value ?? undefined, digits[index])),
    ]),
  };
}

import { CHANGE_WORDS, intervalWords, nameOfSeries } from '../../../../shared/analysis/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../../shared/model/before-after.ts';
import { formatCount, formatDateTime, formatFigure, NO_VALUE } from '../../../../shared/util/format.ts';
import { heading, note, type Part, table } from './parts.ts';

/** Only the first ones: a session of several days can have hundreds of notes. */
const MOST = 20;

/** Changes after each note and event. Empty if there is none. */
export const momentsPart = (moments: readonly MomentComparison[]): Part[] => [
  ...moments
    .slice(0, MOST)
    .flatMap(({ at, message, sentences, series }): Part[] => [
      heading(`Before and after ${formatDateTime(at)}: ${message}`, 3),
      ...sentences.map(note),
      ...(series.length > 0 ? [seriesTable(series)] : []),
    ]),
  ...(moments.length > MOST
    ? [note(`${formatCount(moments.length - MOST, 'more note or event is', 'more notes and events are')} in the JSON.`)]
    : []),
];

const seriesTable = (series: readonly SeriesBeforeAfter[]): Part =>
  table(
    [
      { title: 'Series', width: '*' },
      { title: 'Host or server' },
      { title: 'Before', align: 'right' },
      { title: 'After', align: 'right' },
      { title: 'After ÷ before', align: 'right' },
      { title: 'Verdict' },
    ],
    series.map((row) => [
      nameOfSeries(row),
      row.source,
      figureOf(row, row.before),
      figureOf(row, row.after),
      intervalWords(row) ?? NO_VALUE,
      CHANGE_WORDS[row.verdict],
    ]),
  );

const figureOf = ({ unit, digits = 1 }: SeriesBeforeAfter, value: number): string =>
  `${formatFigure(value, digits)}${unit === '' ? '' : ` ${unit}`}`;

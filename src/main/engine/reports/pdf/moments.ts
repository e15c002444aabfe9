import type { Content } from 'pdfmake/interfaces.js';
import { CHANGE_WORDS, intervalWords, nameOfSeries } from '../../../../shared/analysis/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../../shared/model/before-after.ts';
import { formatCount, formatDateTime, formatFigure, NO_VALUE } from '../../../../shared/util/format.ts';
import { looseHeading } from './pieces.ts';
import { grid } from './tables.ts';
import { printable } from './text.ts';

/** The first ones: a session of days can have hundreds of notes. */
const MOST = 20;

/** What was different after each note and event. Nothing where there is none. */
export const momentsPart = (moments: readonly MomentComparison[]): Content[] => [
  ...moments
    .slice(0, MOST)
    .flatMap(({ at, message, sentences, series }): Content[] => [
      looseHeading(`Before and after ${formatDateTime(at)}: ${message}`, 'h3'),
      ...sentences.map((sentence): Content => ({ text: printable(sentence), style: 'note' })),
      ...(series.length > 0 ? [seriesTable(series)] : []),
    ]),
  ...(moments.length > MOST
    ? [
        {
          text: `${formatCount(moments.length - MOST, 'more note or event is', 'more notes and events are')} in the JSON.`,
          style: 'note',
        },
      ]
    : []),
];

const seriesTable = (series: readonly SeriesBeforeAfter[]): Content =>
  grid(
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

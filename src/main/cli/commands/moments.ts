import { CHANGE_WORDS, intervalWords, nameOfSeries } from '../../../shared/analysis/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../shared/model/before-after.ts';
import { formatDateTime, formatFigure } from '../../../shared/util/format.ts';
import { EXIT } from '../exit.ts';
import { print, printJson, table } from '../output.ts';
import type { EngineClient } from '../with-engine.ts';

/** What was different after each note and event of a session. */
export async function showMoments(engine: EngineClient, sessionId: number, json: boolean | undefined): Promise<number> {
  const moments = await engine.monitors.moments({ sessionId });
  if (json) printJson(moments);
  else if (moments.length === 0) print(`Session ${sessionId} has no note and no event within a trial.`);
  else for (const moment of moments) showMoment(moment);
  return EXIT.done;
}

function showMoment({ at, kind, message, series, sentences }: MomentComparison): void {
  print(`${formatDateTime(at)} ${kind === 'note' ? 'note' : 'event'}: ${message}`);
  for (const sentence of sentences) print(`  ${sentence}`);
  if (series.length > 0) print(`${seriesTable(series)}\n`);
}

const seriesTable = (series: readonly SeriesBeforeAfter[]): string =>
  table<SeriesBeforeAfter>(series, [
    { title: 'watched', value: ({ source }) => source },
    { title: 'series', value: nameOfSeries },
    { title: 'unit', value: ({ unit }) => unit },
    { title: 'before', number: true, value: ({ before, digits = 1 }) => formatFigure(before, digits) },
    { title: 'after', number: true, value: ({ after, digits = 1 }) => formatFigure(after, digits) },
    { title: 'after ÷ before', number: true, value: (row) => intervalWords(row) ?? '–' },
    { title: 'verdict', value: ({ verdict, why }) => [CHANGE_WORDS[verdict], why].filter(Boolean).join(': ') },
  ]);

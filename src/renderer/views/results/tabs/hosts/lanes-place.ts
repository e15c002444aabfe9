import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { Span } from '../../../../../shared/chart-models/index.ts';
import type { SeriesFigure } from '../../../../../shared/model/analysis.ts';
import type { ResultsState } from '../../useResults.ts';

/** Name of a series: the host or server that has it, and its id there. */
export type SeriesName = Pick<SeriesFigure, 'source' | 'id'>;

/** View of the lanes of a session. */
export interface LanesPlace {
  runId: number;
  /** Series whose lanes are shown, regardless of the choice. */
  series: readonly SeriesName[];
  /** The visible part of the run, in its own seconds; absent: all of it. */
  part?: Span;
}

const RUN = 'lanes';
const SERIES = 'series';
const PART = 'part';

/** The address of the lanes behind a sentence, keeping metric, cut and filter. */
export function lanesPlace({ id, search }: Pick<ResultsState, 'id' | 'search'>, place: LanesPlace): string {
  const parameters = new URLSearchParams(search);
  for (const name of ['run', 'cell', SERIES, PART]) parameters.delete(name);
  parameters.set(RUN, String(place.runId));
  for (const key of new Set(place.series.map(seriesKey))) parameters.append(SERIES, key);
  if (place.part) parameters.set(PART, `${place.part.from}..${place.part.to}`);
  return `/sessions/${id}/results/hosts?${parameters}`;
}

/** For an address. Ids contain no blanks. */
export const seriesKey = ({ source, id }: SeriesName): string => `${source} ${id}`;

function spanIn(words: string | null): Span | undefined {
  const [from, to] = (words ?? '').split('..').map((part) => (part === '' ? Number.NaN : Number(part)));
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined;
}

/** The view of the lanes in the address, and functions that change it. */
export function useLanesPlace() {
  const [parameters, setParameters] = useSearchParams();
  const without = (now: URLSearchParams, ...names: readonly string[]): URLSearchParams => {
    const next = new URLSearchParams(now);
    for (const name of names) next.delete(name);
    return next;
  };
  const asked = parameters.getAll(SERIES).join('\n');
  const part = parameters.get(PART);
  return {
    run: parameters.get(RUN),
    /** Keys of the series whose lanes are shown, regardless of the choice. */
    series: useMemo(() => new Set(asked === '' ? [] : asked.split('\n')), [asked]),
    part: useMemo(() => spanIn(part), [part]),
    /** Another run, or all of them: removes the view of the previous one. */
    setRun: (run: string | undefined): void =>
      setParameters(
        (now) => {
          const next = without(now, RUN, SERIES, PART);
          if (run !== undefined) next.set(RUN, run);
          return next;
        },
        { replace: true },
      ),
    /** Resets the lanes to the choice. */
    forgetSeries: (): void => setParameters((now) => without(now, SERIES), { replace: true }),
  };
}

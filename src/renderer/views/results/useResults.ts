import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearch, useSearchParams } from 'wouter';
import type { Scalar } from '../../../shared/model/experiment.ts';
import type { KneepointError } from '../../../shared/model/problem.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { useCall } from '../../client/index.ts';

/** Levels shown per factor; a factor that is absent shows all. */
export type LevelFilter = Readonly<Record<string, readonly Scalar[]>>;

export interface ResultsState {
  id: number;
  detail: UseQueryResult<SessionDetail, KneepointError>;
  result: UseQueryResult<SessionResult, KneepointError>;
  filter: LevelFilter;
  setFilter: (filter: LevelFilter) => void;
  setMetric: (metric: string) => void;
  /** The cut asked for; undefined: as the document says. The figures may still be those of the one before. */
  warmup: number | undefined;
  /** Seconds cut from the start of each run; undefined: as the document says. */
  setWarmup: (seconds: number | undefined) => void;
  /** Search part of the address, with its `?`, to keep when going to another tab. */
  search: string;
}

/** What every tab of a results page needs: metric and warm-up cut stand in the address. */
export function useResults(id: number): ResultsState {
  const [parameters, setParameters] = useSearchParams();
  const search = useSearch();
  const [filter, setFilter] = useState<LevelFilter>({});
  const metric = parameters.get('metric') ?? undefined;
  const cut = parameters.get('warmup');
  const warmup = cut === null || !Number.isFinite(Number(cut)) ? undefined : Math.max(0, Number(cut));
  const detail = useCall('sessions.get', { id });
  const result = useCall(
    'results.session',
    { sessionId: id, ...(metric ? { metric } : {}), ...(warmup === undefined ? {} : { warmup }) },
    { placeholderData: (before) => (before?.sessionId === id ? before : undefined) },
  );
  const put = (name: string, value: string | undefined): void =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    id,
    detail,
    result,
    filter,
    setFilter,
    warmup,
    setMetric: (value) => put('metric', value),
    setWarmup: (seconds) => put('warmup', seconds === undefined ? undefined : String(seconds)),
    search: search ? `?${search}` : '',
  };
}

/** Whether a combination of levels is shown. */
export const passes = (levels: CellResult['levels'], filter: LevelFilter): boolean =>
  Object.entries(filter).every(([name, shown]) => shown.some((level) => level === levels[name]));

export interface TabProperties {
  detail: SessionDetail;
  result: SessionResult;
  state: ResultsState;
}

import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSearch, useSearchParams } from 'wouter';
import type { ChartChoice } from '../../../shared/model/chart.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { Levels, Scalar } from '../../../shared/model/experiment.ts';
import type { KneepointError } from '../../../shared/model/problem.ts';
import type { CellResult, SessionResult, StepResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { useCall } from '../../client/index.ts';

/** A chart being added to the session, or an added one being changed. */
export interface EditedChart {
  /** Absent: the default for the session. */
  choice?: ChartChoice;
  /** Absent: it is new. */
  place?: number;
}

export interface ResultsState {
  id: number;
  detail: UseQueryResult<SessionDetail, KneepointError>;
  result: UseQueryResult<StepResult, KneepointError>;
  filter: LevelFilter;
  setFilter: (filter: LevelFilter) => void;
  setMetric: (metric: string) => void;
  /** The step in the address; undefined: none is selected. Figures are then of the first measured step, and lists of runs have all. */
  step: number | undefined;
  /** Selects another step of the trials, with the primary metric of its tool; undefined: none. */
  setStep: (step: number | undefined) => void;
  /** The requested cut; undefined: that of the document. The figures may still be those of the previous one. */
  warmup: number | undefined;
  /** Seconds cut from the start of each run; undefined: as in the document. */
  setWarmup: (seconds: number | undefined) => void;
  /** Requested levels that ratios refer to; undefined: those of the document. */
  baselines: Levels | undefined;
  /** The level of a factor that ratios refer to; undefined: none. */
  setBaseline: (factor: string, level: Scalar | undefined) => void;
  /** The draft of the measure being defined; undefined: none. */
  measure: Partial<DerivedMeasure> | undefined;
  setMeasure: (measure: Partial<DerivedMeasure> | undefined) => void;
  /** The chart being added or changed; undefined: none. */
  chart: EditedChart | undefined;
  setChart: (chart: EditedChart | undefined) => void;
  /** Search part of the address, with its `?`, to keep when changing tabs. */
  search: string;
}

/** State shared by all tabs of a results page. Metric, warm-up cut and filter are in the address, so they belong to this session only. */
export function useResults(id: number): ResultsState {
  const [parameters, setParameters] = useSearchParams();
  const search = useSearch();
  const metric = parameters.get('metric') ?? undefined;
  const step = parameters.get('step') ?? undefined;
  const [measure, setMeasure] = useState<Partial<DerivedMeasure>>();
  const [chart, setChart] = useState<EditedChart>();
  const cut = parameters.get('warmup');
  const warmup = cut === null || !Number.isFinite(Number(cut)) ? undefined : Math.max(0, Number(cut));
  const baselines = baselinesIn(new URLSearchParams(search));
  const detail = useCall('sessions.get', { id });
  const result = useCall(
    'results.session',
    {
      sessionId: id,
      ...(step === undefined ? {} : { step: Number(step) }),
      ...(metric ? { metric } : {}),
      ...(warmup === undefined ? {} : { warmup }),
      ...(baselines ? { baselines } : {}),
    },
    { placeholderData: (before) => (before?.sessionId === id ? before : undefined) },
  );
  const factors = result.data?.factors;
  const filter = useMemo(() => filterIn(new URLSearchParams(search), factors ?? []), [search, factors]);
  const put = (name: string, value: string | undefined): void =>
    setParameters((now) => withParameter(now, name, value), { replace: true });
  return {
    id,
    detail,
    result,
    filter,
    setFilter: (next) => setParameters((now) => withFilter(now, next), { replace: true }),
    warmup,
    setMetric: (value) => put('metric', value),
    step: step === undefined ? undefined : Number(step),
    setStep: (place) =>
      setParameters(
        (now) => withParameter(withParameter(withParameter(now, 'metric'), 'warmup'), 'step', place?.toString()),
        {
          replace: true,
        },
      ),
    baselines,
    setBaseline: (factor, level) => put(BASE + factor, level === undefined ? '' : String(level)),
    setWarmup: (seconds) => put('warmup', seconds === undefined ? undefined : String(seconds)),
    measure,
    setMeasure,
    chart,
    setChart,
    search: search ? `?${search}` : '',
  };
}

const BASE = 'base.';

/** Baselines in an address, `base.durability=safe`; without a level: none, overriding the document. */
function baselinesIn(parameters: URLSearchParams): Levels | undefined {
  const named = [...parameters].filter(([name]) => name.startsWith(BASE));
  return named.length > 0
    ? Object.fromEntries(named.map(([name, level]) => [name.slice(BASE.length), level]))
    : undefined;
}

/** A choice of one tab, in the address under `name`: it survives a reload and Back, and does not affect other sessions. */
export function useChoice(name: string): [string | undefined, (value: string | undefined) => void] {
  const [parameters, setParameters] = useSearchParams();
  const choose = (value: string | undefined): void =>
    setParameters((now) => withParameter(now, name, value), { replace: true });
  return [parameters.get(name) ?? undefined, choose];
}

/** Whether a run is of the step with this place. */
export const isOfStep = (run: { step?: number | undefined }, step: number): boolean => (run.step ?? 0) === step;

/** The address of a cell's runs, of the shown step alone, keeping metric, cut and filter. */
export const runsOfCell = (
  { id, search, result }: Pick<ResultsState, 'id' | 'search' | 'result'>,
  cell: number,
): string => {
  const parameters = withParameter(new URLSearchParams(search), 'cell', String(cell));
  parameters.delete('run');
  if (result.data?.stepName !== undefined) parameters.set('step', String(result.data.step ?? 0));
  return `/sessions/${id}/results/runs?${parameters}`;
};

function withParameter(now: URLSearchParams, name: string, value?: string): URLSearchParams {
  const next = new URLSearchParams(now);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next;
}

/** For tabs that sessions without a load also have. */
export interface StepProperties {
  detail: SessionDetail;
  result: StepResult;
  state: ResultsState;
}

export interface TabProperties extends StepProperties {
  result: SessionResult;
}

/** Visible levels per factor; a missing factor shows all. */
export type LevelFilter = Readonly<Record<string, readonly Scalar[]>>;

const PREFIX = 'only.';

/** Filter in an address, `only.threads=1&only.threads=4`; factors and levels that the session does not have are ignored. */
function filterIn(parameters: URLSearchParams, factors: SessionResult['factors']): LevelFilter {
  return Object.fromEntries(
    factors.flatMap(({ name, levels }) => {
      const named = parameters.getAll(PREFIX + name);
      const shown = levels.filter((level) => named.includes(String(level)));
      return shown.length > 0 && shown.length < levels.length ? [[name, shown]] : [];
    }),
  );
}

/** The address with its filter replaced by this one. */
function withFilter(parameters: URLSearchParams, filter: LevelFilter): URLSearchParams {
  const next = new URLSearchParams([...parameters].filter(([name]) => !name.startsWith(PREFIX)));
  for (const [name, shown] of Object.entries(filter))
    for (const level of shown) next.append(PREFIX + name, String(level));
  return next;
}

/** Whether a combination of levels is visible. */
export const passes = (levels: CellResult['levels'], filter: LevelFilter): boolean =>
  Object.entries(filter).every(([name, shown]) => shown.some((level) => level === levels[name]));

/** The part of a result within the filter; the result itself if the filter shows everything. */
export function shownOf(result: SessionResult, filter: LevelFilter): SessionResult {
  if (Object.keys(filter).length === 0) return result;
  const isShown = (levels: CellResult['levels']): boolean =>
    Object.entries(filter).every(([name, shown]) => levels[name] === undefined || shown.includes(levels[name]));
  return {
    ...result,
    factors: result.factors.map((factor) => ({ ...factor, levels: filter[factor.name]?.slice() ?? factor.levels })),
    cells: result.cells.filter(({ levels }) => passes(levels, filter)),
    ...(result.crossings && {
      crossings: result.crossings.filter(
        ({ along, factor, one, other, levels }) =>
          !filter[along] && [one, other].every((level) => isShown({ [factor]: level })) && isShown(levels),
      ),
    }),
    // A knee applies to the whole ladder of a line: it is not shown for a part.
    ...(result.scaling && {
      scaling: result.scaling.filter(({ factor, levels }) => !filter[factor] && isShown(levels)),
    }),
  };
}

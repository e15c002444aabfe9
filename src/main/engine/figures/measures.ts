import {
  definedIn,
  evaluate,
  formulaName,
  isDerived,
  type Measure,
  measuresOf,
  OPERATIONS,
  type Reference,
} from '../../../shared/measures/index.ts';
import { eventRate, factMetric } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { DerivedMeasure, Take } from '../../../shared/model/derived.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { type Points, percentile, weightedMean } from '../../../shared/stats/index.ts';
import { isObject } from '../../../shared/util/object.ts';
import { pointsIn, type RulesOf, windowOf as runWindow } from '../monitored/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import { capturedNumber } from './run-captures.ts';
import { type Window, wholeSeries, windowOf } from './run-series.ts';

/** Sources that measures are calculated from. */
export interface Known {
  readonly store: Store;
  /** Without it, hosts and servers are unknown, and measures that need them have no figure. */
  readonly rulesOf?: RulesOf | undefined;
  /** Measures of other sessions. */
  readonly lent?: readonly DerivedMeasure[] | undefined;
  /** Metrics that a run has per second. */
  metrics(runId: number): readonly string[];
}

/** Figure of another metric in the same run, after the same cut. Undefined if it has none. */
type FigureOf = (metric: string) => number | undefined;

/** A calculated series, and the damaged samples missing from it. */
export interface Calculated extends Points {
  readonly damage: readonly SampleDamage[];
}

const NONE: Calculated = { t: new Float64Array(0), v: new Float64Array(0), damage: [] };

/** Measures of runs. Only their inputs are stored, not the measures themselves. */
export class RunMeasures {
  readonly #known: Known;
  readonly #ofSession = new Map<number, ReadonlyMap<string, Measure>>();
  readonly #points = new Map<string, Calculated>();

  constructor(known: Known) {
    this.#known = known;
  }

  /** Clears everything read from samples. */
  forget(): void {
    this.#points.clear();
    this.#ofSession.clear();
  }

  /** Undefined if the metric is stored, or if the run's session does not define its measure. */
  of({ sessionId }: Pick<RunRow, 'sessionId'>, metric: string): Measure | undefined {
    return isDerived(metric) ? this.all(sessionId).get(metric) : undefined;
  }

  /** Measures of a session by metric id. */
  all(sessionId: number): ReadonlyMap<string, Measure> {
    const known = this.#ofSession.get(sessionId) ?? sessionMeasures(this.#known.store, sessionId, this.#known.lent);
    this.#ofSession.set(sessionId, known);
    return known;
  }

  /** Definitions of all measures of these runs' sessions. */
  definitions(runs: readonly Pick<RunRow, 'sessionId'>[]): unknown[] {
    return [...new Set(runs.map(({ sessionId }) => sessionId))].flatMap((sessionId) =>
      [...this.all(sessionId).values()].map(({ id, formula, series }) => [id, formula?.text, series]),
    );
  }

  /** Stored per-second metrics that a measure is calculated from. Undefined if it needs more than these. */
  metricsBehind(run: RunRow, { formula, before, series }: Measure): string[] | undefined {
    if (series) return series.source === undefined ? [series.series] : undefined;
    const all: string[] = [];
    for (const reference of formula?.references ?? []) {
      if (reference.kind === 'series' || reference.kind === 'fact') return undefined;
      if (reference.kind !== 'metric') continue;
      const metric = this.#metricOf(run, reference.name, before);
      const measure = metric === undefined ? undefined : this.of(run, metric);
      const behind = measure ? this.metricsBehind(run, measure) : [metric ?? []].flat();
      if (!behind) return undefined;
      all.push(...behind);
    }
    return [...new Set(all)];
  }

  /**
   * A measure per second: its formula is evaluated for each second that has all inputs. Empty if the inputs have no seconds, such as final
   * figures and facts.
   */
  points(run: RunRow, measure: Measure): Calculated {
    const key = `${run.id} ${measure.id}`;
    const known = this.#points.get(key) ?? this.#pointsOf(run, measure);
    this.#points.set(key, known);
    return known;
  }

  /** A run's figure after a cut. */
  value(run: RunRow, cut: number, measure: Measure, figureOf: FigureOf): number | undefined {
    const { series, formula, before } = measure;
    if (series) return takeOf(this.#window(run, cut, this.points(run, measure)), series.take);
    if (!formula) return undefined;
    return evaluate(formula.node, (reference) => {
      switch (reference.kind) {
        case 'metric': {
          const metric = this.#metricOf(run, reference.name, before);
          return metric === undefined ? undefined : figureOf(metric);
        }
        case 'series':
          return takeOf(this.#window(run, cut, this.#watched(run, reference)), reference.take);
        default:
          return constantOf(this.#known.store, run, reference);
      }
    });
  }

  #window(run: RunRow, cut: number, points: Points): Window {
    return windowOf(points, { run, metric: '', cut, ofEvents: false });
  }

  /** The metric that a name in a formula refers to. Undefined if the run has no rate of events. */
  #metricOf(run: RunRow, name: string, before: Measure['before']): string | undefined {
    return name === OPERATIONS ? eventRate([...this.#known.metrics(run.id)]) : (before?.get(name) ?? name);
  }

  #pointsOf(run: RunRow, { series, formula, before }: Measure): Calculated {
    if (series)
      return series.source === undefined
        ? this.#ofMetric(run, series.series)
        : this.#watched(run, { source: series.source, series: series.series });
    if (!formula) return NONE;
    const found = new Map<Reference, Calculated>();
    const ofTool: Calculated[] = [];
    for (const reference of formula.references) {
      if (reference.kind === 'series') found.set(reference, this.#watched(run, reference));
      if (reference.kind !== 'metric') continue;
      const metric = this.#metricOf(run, reference.name, before);
      const points = metric === undefined ? NONE : this.#ofMetric(run, metric);
      // A final figure covers all seconds together.
      if (points.t.length === 0 && metric !== undefined && run.summary[metric] !== undefined) return NONE;
      found.set(reference, points);
      ofTool.push(points);
    }
    const damage = ofTool.flatMap((each) => each.damage);
    if (damage.length > 0) return { ...NONE, damage };
    const most = (all: Iterable<Calculated>): Calculated =>
      [...all].reduce((longest, each) => (each.t.length > longest.t.length ? each : longest), NONE);
    const own = most(ofTool);
    const axis = (own.t.length > 0 ? own : most(found.values())).t;
    // These are constant over all seconds.
    const constants = new Map(
      formula.references.map((reference) => [reference, constantOf(this.#known.store, run, reference)]),
    );
    const at = new Map([...found].map(([reference, points]) => [reference, meansOn(axis, points)]));
    const [t, v]: [number[], number[]] = [[], []];
    axis.forEach((second, index) => {
      const value = evaluate(formula.node, (reference) => {
        const values = at.get(reference);
        const known = values ? values[index] : constants.get(reference);
        return known === undefined || Number.isNaN(known) ? undefined : known;
      });
      if (value === undefined) return;
      t.push(second);
      v.push(value);
    });
    return { t: Float64Array.from(t), v: Float64Array.from(v), damage };
  }

  #ofMetric(run: RunRow, metric: string): Calculated {
    const measure = this.of(run, metric);
    if (measure) return this.points(run, measure);
    const { whole = NONE, damage } = wholeSeries(this.#known.store, run, metric);
    return { ...whole, damage };
  }

  /** A series of a host, server, command or statement, from second 0 of the run, without gaps. */
  #watched(run: RunRow, { source, series }: { source: string; series: string }): Calculated {
    const { store, rulesOf } = this.#known;
    if (!rulesOf) return NONE;
    const key = `${run.id} ${source}\n${series}`;
    const before = this.#points.get(key);
    if (before) return before;
    const window = runWindow(store, run);
    const found = window && sourceOf(store, run, source);
    const points = found && pointsIn(store, found, window, series, rulesOf);
    const known = points ? inside(points) : NONE;
    this.#points.set(key, known);
    return known;
  }
}

/** Measures of a session. `lent` are measures of sessions it is compared with; the session's own take precedence. */
export function sessionMeasures(
  store: Store,
  sessionId: number,
  lent: readonly DerivedMeasure[] = [],
): ReadonlyMap<string, Measure> {
  const own = definedIn(store.sessions.snapshot(sessionId));
  const names = new Set(own.map(({ name }) => formulaName(name)));
  return measuresOf([...own, ...lent.filter(({ name }) => !names.has(formulaName(name)))]);
}

/** A level of a factor, or a number from a table of facts. */
function constantOf(store: Store, run: RunRow, reference: Reference): number | undefined {
  if (reference.kind === 'fact') {
    const { table, column, row } = reference;
    return run.summary[factMetric(table, column, row)] ?? capturedNumber(store, run, table, column, row);
  }
  if (reference.kind !== 'level') return undefined;
  const level = run.levels[reference.factor];
  const value = typeof level === 'string' && level.trim() !== '' ? Number(level) : level;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function inside({ t, v }: Points): Calculated {
  const isKnown = (index: number): boolean => (t[index] as number) > 0 && !Number.isNaN(v[index]);
  return { t: t.filter((_, index) => isKnown(index)), v: v.filter((_, index) => isKnown(index)), damage: [] };
}

/** Seconds by which a sample may lag behind an interval and still belong to it: sources print at their own moments. */
const BEHIND_S = 1.5;

/** Maps a series to the intervals of an axis: the mean of the values that end in the interval, else the value that covers it, else NaN. */
function meansOn(axis: Float64Array, { t, v }: Points): Float64Array {
  let at = 0;
  return axis.map((end, index) => {
    const from = index === 0 ? Math.min(0, end) : (axis[index - 1] as number);
    while (at < t.length && (t[at] as number) <= from) at += 1;
    let [total, count] = [0, 0];
    for (let each = at; each < t.length && (t[each] as number) <= end; each += 1) {
      total += v[each] as number;
      count += 1;
    }
    if (count > 0) return total / count;
    return at < t.length && (t[at] as number) - end <= BEHIND_S ? (v[at] as number) : Number.NaN;
  });
}

/** Reduces the values of a window to one figure. Undefined if there are none. */
function takeOf({ points: { v }, measured }: Window, take: Take): number | undefined {
  const [first, last] = [v[0], v.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { values, weights, seconds } = measured;
  const mean = weightedMean(values, weights);
  const at = (share: number): number => percentile(v.slice().sort(), share);
  switch (take) {
    case 'mean':
      return mean;
    case 'total':
      return mean * seconds;
    case 'last':
      return last;
    case 'change':
      return last - first;
    case 'min':
      return at(0);
    case 'max':
      return at(100);
    case 'median':
      return at(50);
    default:
      return at(Number(take.slice(1)));
  }
}

/** The source that a measure names, as it is in this run. Undefined if there is none or if several match. */
function sourceOf(store: Store, run: RunRow, text: string): Source | undefined {
  const [kind = '', ...rest] = text.split(' ');
  const name = rest.join(' ').trim();
  const all = store.sources.ofSession(run.sessionId);
  const only = (some: readonly Source[]): Source | undefined => {
    const named = name === '' ? some : some.filter((source) => source.name === name);
    return named.length === 1 ? named[0] : undefined;
  };
  switch (kind) {
    case 'server': {
      const servers = all.filter((source) => source.kind === 'server');
      return only(servers) ?? servers.find((source) => name === '' && source.name === targetOf(store, run));
    }
    case 'host':
      return name === ''
        ? (withRole(all, 'server') ?? hostOfTarget(all, targetOf(store, run)))
        : only(all.filter((source) => source.kind === 'host'));
    case 'generator':
      return name === '' ? withRole(all, 'generator') : only(all.filter((source) => source.kind === 'host'));
    default:
      return only(all.filter((source) => source.kind === 'own'));
  }
}

/** The only host with the role. If no host has it, the session's only host. */
function withRole(all: readonly Source[], role: 'server' | 'generator'): Source | undefined {
  const hosts = all.filter(({ kind }) => kind === 'host');
  const some = hosts.filter(({ about }) => about?.roles?.includes(role));
  const found = some.length > 0 ? some : hosts;
  return found.length === 1 ? found[0] : undefined;
}

/** The host of a target's server, among several with a server. */
function hostOfTarget(all: readonly Source[], target: string | undefined): Source | undefined {
  const place = all.find(({ kind, name }) => kind === 'server' && name === target)?.about?.place;
  return place === undefined ? undefined : all.find(({ kind, name }) => kind === 'host' && name === place);
}

/** Name of the target whose server a run's cell uses. */
function targetOf(store: Store, { sessionId, cell, step }: RunRow): string | undefined {
  const snapshot = store.sessions.snapshot(sessionId);
  const stored: unknown = snapshot.plan.cells[cell]?.steps?.[step];
  const target =
    isObject(stored) && typeof stored.target === 'string' ? stored.target : snapshot.experiment.where.target;
  return targetsOf(snapshot).find(({ name }) => name === target)?.behind ?? target;
}

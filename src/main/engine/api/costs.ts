import type { AppContract } from '../../../shared/contract/index.ts';
import {
  breakEven,
  catalogueEntries,
  evaluateCost,
  hostSizeWords,
  notMeasuredOn,
  type OperationIo,
  priceParts,
  priceTogether,
  scalesOf,
  systemWords,
  type Valued,
  workOnVolumes,
} from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type {
  AssumedWork,
  Configuration,
  CostResult,
  CostSpec,
  ValueForMoney,
  ValueRow,
} from '../../../shared/model/cost.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import { UNNAMED_KIND } from '../../../shared/model/factor.ts';
import { barOf } from '../../../shared/model/figure.ts';
import { headlineStep } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import { type FactsSnapshot, type SessionSnapshot, targetsOf } from '../../../shared/model/session-snapshot.ts';
import type { CallContext, Implementation, Progress } from '../../../shared/rpc/define.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { durabilityWithSettings, stepsByLevels } from '../plans/index.ts';
import type { ConfigurationRow, SessionRow } from '../store/store.ts';
import { toolById } from '../tools/index.ts';
import { type ApiContext, requireSession } from './context.ts';
import { factsFor } from './evidence-facts.ts';
import { resultFor } from './result-of.ts';

export function costsApi(context: ApiContext): Implementation<AppContract['costs']> {
  const { store, prices, events } = context;
  const priced = (row: ConfigurationRow): Configuration => configurationOf(context, row);
  return {
    catalogue() {
      const { compiled, disclaimer } = prices.catalogue();
      return { compiled, disclaimer, entries: catalogueEntries(prices.catalogue()) };
    },
    evaluate: ({ spec }) => priceParts(spec, prices.catalogue(), context.now()),
    configurations: () => pricedConfigurations(context),
    saveConfiguration({ id, spec }) {
      const saved = { ...spec, label: spec.label.trim() };
      if (saved.label === '') throw nameless();
      const at = context.now();
      const row =
        id === undefined ? store.configurations.insert(saved, at) : store.configurations.update(id, saved, at);
      events.changed('costs');
      return priced(row);
    },
    removeConfiguration({ id }) {
      store.configurations.remove(id);
      events.changed('costs');
      return {};
    },
    ofSession({ sessionId }) {
      const { cost } = requireSession(context, sessionId);
      return cost ? { spec: cost, result: evaluateCost(cost, prices.catalogue(), context.now()) } : {};
    },
    setOfSession({ sessionId, spec }) {
      // Evaluated first: a price that cannot be calculated is refused, not stored.
      const result = spec ? evaluateCost(spec, prices.catalogue(), context.now()) : undefined;
      const { id } = requireSession(context, sessionId);
      context.judging.around(id, () => store.sessions.update(id, { cost: spec }));
      events.changed('costs');
      context.sessions.changes.changed(sessionId);
      return result ? { result } : {};
    },
    breakEven: ({ one, other }) => breakEven(one, other, prices.catalogue()),
    valueForMoney: ({ sessionIds, ...asked }, { progress }) => valueForMoney(context, sessionIds, asked, progress),
  };
}

const configurationOf = (context: ApiContext, row: ConfigurationRow): Configuration => ({
  ...row,
  ...priceParts(row.spec, context.prices.catalogue(), context.now()),
});

/** Saved configurations with their prices, by name. */
export const pricedConfigurations = (context: ApiContext): Configuration[] =>
  context.store.configurations.list().map((row) => configurationOf(context, row));

/** The price of a cell of a session, item by item. Undefined if it has none. */
export function priceOfCell(context: ApiContext, sessionId: number, levels: Levels): CostResult | undefined {
  const { cost } = requireSession(context, sessionId);
  const price = priced(context, cellPrices(context.store.sessions.snapshot(sessionId), cost)(levels));
  return typeof price === 'string' ? undefined : price;
}

const nameless = (): KneepointError =>
  new KneepointError({ code: 'bad-request', message: 'The configuration has no name.', next: 'Enter a name.' });

/** Parameters of work per money: metric, cut, every cell or the best one, other prices than the sessions' own. */
interface Asked {
  metric?: string | undefined;
  warmup?: number | undefined;
  perCell: boolean;
  latency?: string | undefined;
  configurationIds?: readonly number[] | undefined;
  assumed?: readonly AssumedWork[] | undefined;
}

/** Ranks separately for each metric and currency. Cells and sessions that cannot be ranked are listed with the reason. */
export async function valueForMoney(
  context: ApiContext,
  sessionIds: readonly number[],
  asked: Asked,
  progress: CallContext['progress'],
): Promise<ValueForMoney> {
  const saved = asked.configurationIds && new Set(asked.configurationIds);
  const specs = saved && context.store.configurations.list().flatMap(({ id, spec }) => (saved.has(id) ? [spec] : []));
  const parts: Values[] = [];
  for (const [place, sessionId] of sessionIds.entries()) {
    const row = requireSession(context, sessionId);
    const what = `Pricing the work of session ${formatNumber(place + 1)} of ${formatNumber(sessionIds.length)}`;
    const ofCells = (at: Progress) => progress({ ...at, what });
    for (const spec of specs ?? [row.cost]) parts.push(await valuesOf(context, row, { spec, asked }, ofCells));
  }
  for (const work of asked.assumed ?? []) {
    const row = requireSession(context, work.sessionId);
    const spec = context.store.configurations.list().find(({ id }) => id === work.configurationId)?.spec;
    // Another window may have removed it.
    if (!spec) continue;
    const ofCells = (at: Progress) => progress({ ...at, what: `Pricing the work of ${row.name} as ${spec.label}` });
    parts.push(await valuesOf(context, row, { spec, asked, work }, ofCells));
  }
  return {
    scales: scalesOf(parts.flatMap(({ valued }) => valued)),
    left: parts.flatMap(({ left }) => left),
  };
}

/** `work`: assumed for the configuration of this price; absent: measured at it. */
interface OfSession {
  spec: CostSpec | null;
  asked: Asked;
  work?: AssumedWork;
}

interface Values {
  valued: Valued[];
  left: ValueForMoney['left'];
}

async function valuesOf(
  context: ApiContext,
  row: SessionRow,
  { spec, asked: { metric, warmup, perCell, latency }, work: assumed }: OfSession,
  progress: CallContext['progress'],
): Promise<Values> {
  const session = { sessionId: row.id, name: row.name, ...(spec?.label && { configuration: spec.label }) };
  const none = (why: string): Values => ({ valued: [], left: [{ ...session, why }] });
  const snapshot = context.store.sessions.snapshot(row.id);
  const { plan } = snapshot;
  const pricesAt = cellPrices(snapshot, spec);
  const priceAt = cachedEvaluation(context, pricesAt);
  const systemAt = (levels: Levels): string => systemWords(pricesAt(levels), context.prices.catalogue());
  // A reason that applies to all cells is listed once, for the session.
  const lacking = priceAt(plan.cells[0]?.levels ?? {});
  if (typeof lacking === 'string' && plan.cells.every(({ levels }) => priceAt(levels) === lacking))
    return none(lacking);
  const result = await resultFor(context, row.id, { metric, warmup }, progress);
  if (result.metric === null) return none('The session generated no load, so there is no work to price.');
  // Only rates have a price per work: a latency has no price per second.
  const { label, better } = metricOf(result.metric);
  if (better !== 'higher') return none(`${label} is not a rate of work.`);
  // The best cell of a session, where it is known; its cells without figures are not of interest then.
  const wanted = result.cells.filter(({ levels }) => hasLevels(levels, assumed?.levels));
  const cells = perCell || assumed ? wanted : wanted.filter((cell) => cell.cell === result.best?.cell);
  if (cells.length === 0) return none(`No cell has figures of ${label}.`);
  const latencies =
    latency === undefined ? [] : (await resultFor(context, row.id, { metric: latency, warmup }, progress)).cells;
  const values: Values = { valued: [], left: [] };
  const durabilityAt = durabilityOfCells(snapshot);
  const headline = assumed && (await resultFor(context, row.id, { warmup }, progress)).metric;
  for (const { cell, levels, value, means, interval, errors, bound, caveats, runs } of cells) {
    const bar = barOf({ caveats });
    const omit = (why: string): void => void values.left.push({ ...session, levels, why });
    const price = priceAt(levels);
    const system = systemAt(levels);
    if (value === undefined) omit(`It has no figures of ${label}.`);
    else if (bar) omit(bar.ranking);
    else if (typeof price === 'string') omit(price);
    else {
      const { currency, perHour, perYear, asOf } = price;
      const cost = { perHour, perYear, ...(asOf !== undefined && { asOf }) };
      const { metric: id } = result;
      const bounded = bound && { bound: { verdict: bound.verdict, sentence: bound.sentence } };
      const waited = latencyOf(latencies.find((each) => each.cell === cell));
      const place = placeOf(context, runs[0]?.runId);
      const durability = durabilityAt(levels);
      const notOn = notMeasuredOn(machinesOf(context, pricesAt(levels)), place?.facts, assumed !== undefined);
      const measured = {
        ...(waited && { latency: waited }),
        ...(place && { measuredOn: hostSizeWords(place.name, place.facts) }),
        ...(notOn !== undefined && { notOn }),
        ...(durability && { durability }),
        ...(assumed && { assumed: true as const }),
      };
      // Costs per operation are those of the headline metric.
      const io = headline === id ? ioOf(context, runs) : {};
      const rate = { rate: value, ...(interval && { interval }) };
      const work = {
        metric: id,
        ...(assumed ? workOnVolumes(id, rate, io, price) : rate),
        repeats: means.length,
        ...measured,
        errors,
        ...bounded,
        ...(caveats && { caveats }),
      };
      values.valued.push({ ...session, system, cell, levels, currency, ...work, ...cost });
    }
  }
  return values;
}

/** Whether a cell has these levels. */
const hasLevels = (levels: Levels, wanted: Levels | undefined): boolean =>
  Object.entries(wanted ?? {}).every(([name, level]) => levels[name] === level);

/** The host of the server of a run, or of its disk, with its facts; undefined if unknown. */
function placeOf(context: ApiContext, runId: number | undefined): FactsSnapshot['hosts'][number] | undefined {
  const run = runId === undefined ? undefined : context.store.runs.get(runId);
  if (!run) return undefined;
  const known = { store: context.store, catalogue: () => context.prices.catalogue() };
  const { met, onItsOwnHost, load, hosts } = factsFor(known, run);
  const [name] = met?.places ?? (onItsOwnHost ? load.map(({ host }) => host) : []);
  return name === undefined ? undefined : (hosts.find((each) => each.name === name) ?? { name });
}

function machinesOf({ prices }: ApiContext, specs: readonly CostSpec[]) {
  const ids = specs.flatMap(({ components }) =>
    components.flatMap((part) => (part.kind === 'instance' ? part.id : [])),
  );
  return prices
    .catalogue()
    .entries.flatMap((entry) => (entry.kind === 'instance' && ids.includes(entry.id) ? entry : []));
}

/** Durability of the tables of each cell, with the settings of its levels. */
function durabilityOfCells(snapshot: SessionSnapshot): (levels: Levels) => ValueRow['durability'] {
  const targets = targetsOf(snapshot);
  if (targets.length === 0) return () => undefined;
  const known = stepsByLevels(snapshot, toolById);
  const place = headlineStep(snapshot.steps);
  return (levels) => {
    const { tool, step } = known(levels, place) ?? {};
    const target = targets.find(({ name }) => name === step?.target);
    const found = tool && step && target && durabilityWithSettings(tool, step, target);
    return found && { level: found.level, why: found.why };
  };
}

/** I/O of one operation of a cell: the mean of its judged runs. */
function ioOf({ store }: ApiContext, runs: CellResult['runs']): OperationIo {
  const costs = runs.flatMap(({ runId, partial }) => (partial ? [] : (store.judgements.get(runId)?.operations ?? [])));
  const mean = (id: string): number | undefined => {
    const values = costs.flatMap((cost) => (cost.id === id && cost.source === undefined ? cost.value : []));
    return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined;
  };
  const sum = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined || other === undefined ? undefined : one + other;
  const bytes = sum(mean('read_bytes'), mean('written_bytes'));
  return { iops: sum(mean('reads'), mean('writes')), mib: bytes === undefined ? undefined : bytes / 2 ** 20 };
}

/** A latency with its lowest and highest repeat. */
function latencyOf(cell: CellResult | undefined): ValueRow['latency'] {
  if (cell?.value === undefined) return undefined;
  const { low = cell.value, high = cell.value } = cell.range ?? cell.interval ?? {};
  return { value: cell.value, low, high };
}

const NO_PRICE = 'It has no price.';

type PricesAt = (levels: Levels) => readonly CostSpec[];

/** Prices of the system of a cell: the given one, and those of its levels. */
function cellPrices(snapshot: SessionSnapshot, spec: CostSpec | null): PricesAt {
  const ofLevels = levelPrices(snapshot);
  return (levels) => [...(spec ? [spec] : []), ...ofLevels(levels)];
}

/** The price of the system of a cell, or a sentence that explains why it cannot be calculated. */
function cachedEvaluation(context: ApiContext, pricesAt: PricesAt): (levels: Levels) => CostResult | string {
  const known = new Map<string, CostResult | string>();
  return (levels) => {
    const prices = pricesAt(levels);
    const key = JSON.stringify(prices);
    const price = known.get(key) ?? priced(context, prices);
    known.set(key, price);
    return price;
  };
}

/** Prices of levels: factors name them for all steps of a trial alike. */
function levelPrices(snapshot: SessionSnapshot): PricesAt {
  // Options cost nothing: they are what most sessions vary, and a list asks for many of them.
  if (snapshot.experiment.factors.every(({ kind }) => kind === UNNAMED_KIND)) return () => [];
  const known = stepsByLevels(snapshot, toolById);
  return (levels) => known(levels, headlineStep(snapshot.steps))?.step.prices ?? [];
}

function priced(context: ApiContext, prices: readonly CostSpec[]): CostResult | string {
  const together = priceTogether(prices);
  if (typeof together === 'string') return together;
  const price = priceOf(context, together ?? null);
  if (price === undefined || typeof price === 'string') return price ?? NO_PRICE;
  return price.perHour > 0 ? price : 'Its price is zero, so its work has no cost.';
}

/** The price; undefined if there is none; a sentence if it cannot be calculated. */
function priceOf(context: ApiContext, cost: CostSpec | null): CostResult | string | undefined {
  if (!cost) return undefined;
  try {
    return evaluateCost(cost, context.prices.catalogue(), context.now());
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'bad-request') return error.problem.message;
    throw error;
  }
}

import { metricOf } from '../metrics/index.ts';
import type { Configuration, CostGoal, ValueRow, ValueScale } from '../model/cost.ts';
import { caveatWords } from '../model/figure.ts';
import { formatCount, formatLevels, formatMoney, formatNumber, formatValue, withinSentence } from '../util/format.ts';
import { datedWords } from './value.ts';
import { amount } from './words.ts';

/** yes, no: its whole interval, or all repeats of its percentile, are on one side of the goal. */
export type Reach = 'yes' | 'no' | 'cannot-tell';

/** One system, represented by the cell that serves the goal best. */
export interface Reaching {
  readonly reach: Reach;
  readonly name: string;
  readonly row: ValueRow;
  /** Why it does not, or why that is open: clauses. */
  readonly why: readonly string[];
}

/** A judgement with its reason, a clause without a subject that is true of any system. Only `yes` has none. */
type Judged = readonly [Reach, why?: string];

/** Without an interval it was measured once, which can only prove a miss. */
function rateReach({ rate, interval, volumes }: ValueRow, goal: CostGoal): Judged {
  const reach = interval
    ? sideOf(goal.rate, interval.low, interval.high)
    : rate < goal.rate
      ? 'no'
      : ('cannot-tell' as const);
  if (reach === 'no') return [reach, volumes?.capped ? 'the volumes sustain less' : 'the rate is too low'];
  if (reach === 'cannot-tell')
    return [reach, interval ? 'the 95 % interval contains the goal' : 'it was measured only once'];
  return volumes?.unchecked === undefined
    ? [reach]
    : ['cannot-tell', `the volumes may be too slow: ${volumes.unchecked}`];
}

function latencyReach({ latency, volumes }: ValueRow, goal: CostGoal): Judged {
  if (!goal.latency) return ['yes'];
  if (!latency) return ['cannot-tell', 'the latency was not recorded'];
  // At the limit of its volumes, I/O waits longer than it did where the latency was measured.
  if (volumes?.capped) return ['cannot-tell', 'the latency at the limit of the volumes is unknown'];
  const reach = sideOf(-goal.latency.most, -latency.high, -latency.low);
  if (reach === 'no') return [reach, 'the latency is too high'];
  return reach === 'yes' ? [reach] : [reach, 'the latency is too high in some repeats'];
}

/** Whether a cell reaches the goal, and why not or why that is open. */
function reachOf(row: ValueRow, goal: CostGoal): Pick<Reaching, 'reach' | 'why'> {
  const both = [rateReach(row, goal), latencyReach(row, goal)];
  const reach = (['no', 'cannot-tell'] as const).find((each) => both.some(([found]) => found === each)) ?? 'yes';
  return { reach, why: both.flatMap(([found, why]) => (found === reach && why !== undefined ? [why] : [])) };
}

const sideOf = (least: number, low: number, high: number): Reach =>
  low >= least ? 'yes' : high < least ? 'no' : 'cannot-tell';

const RANK: Readonly<Record<Reach, number>> = { yes: 2, 'cannot-tell': 1, no: 0 };

/** Every measured system, the cheapest first: rows with the same price and session are cells of one system. */
export function reachingOf(rows: readonly ValueRow[], goal: CostGoal): Reaching[] {
  const systems = new Map<string, ValueRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.sessionId, row.system, row.perHour]);
    systems.set(key, [...(systems.get(key) ?? []), row]);
  }
  const found = [...systems.values()]
    .flatMap((cells): Reaching[] => {
      const [best] = cells
        .map((row) => ({ row, ...reachOf(row, goal), name: row.system }))
        .sort((one, other) => RANK[other.reach] - RANK[one.reach] || other.row.rate - one.row.rate);
      return best ? [best] : [];
    })
    .sort((one, other) => one.row.perHour - other.row.perHour || RANK[other.reach] - RANK[one.reach]);
  return found.map((system) => ({ ...system, name: distinctName(system, found) }));
}

/** Adds the session if a system was measured twice. */
function distinctName({ name, row }: Reaching, all: readonly Reaching[]): string {
  const alike = all.filter((other) => other.name === name);
  if (alike.length === 1) return name;
  const isUnique = alike.filter((other) => other.row.name === row.name).length === 1;
  return `${name} (${row.name}${isUnique ? '' : ` ${row.sessionId}`})`;
}

/** A goal as a question. */
export function goalQuestion({ rate, latency }: CostGoal, { metric }: Pick<ValueScale, 'metric'>): string {
  const most = latency && metricOf(latency.metric);
  const within = most ? ` and at most ${amount(latency.most)} ${most.unit} (${withinSentence(most.label)})` : '';
  return `Which configuration is the cheapest that reaches at least ${amount(rate)} ${metricOf(metric).unit}${within}?`;
}

/** The assumptions behind the prices and the throughput of these systems, shown before an answer. */
export function assumptionSentences(systems: readonly Pick<Reaching, 'name' | 'row'>[]): string[] {
  if (systems.length === 0) return [];
  const hours = [...new Set(systems.map(({ row }) => Math.round(row.perYear / 12 / row.perHour)))];
  const isListed = systems.map(({ row }) => row.asOf !== undefined);
  const prices = [
    ...(isListed.includes(true) ? ['list prices'] : []),
    ...(isListed.includes(false) ? ['prices as entered'] : []),
  ];
  const [assumed, assigned] = [systems.filter(({ row }) => row.assumed), systems.filter(({ row }) => !row.assumed)];
  const place = ({ measuredOn = 'an unknown host' }: ValueRow): string => measuredOn;
  return [
    ...alikeBy(assumed, ({ row }) => JSON.stringify([row.name, place(row)])).flatMap((alike) =>
      alike
        .slice(0, 1)
        .map(
          ({ row }) =>
            `Assumes that ${listed(alike.map(({ name }) => name))} ${alike.length === 1 ? 'reaches' : 'reach'} the throughput of ${row.name}, measured on ${place(row)}, not on ${alike.length === 1 ? 'it' : 'them'}.`,
        ),
    ),
    ...alikeBy(assigned, ({ row }) => JSON.stringify([place(row), row.notOn])).flatMap((alike) =>
      alike
        .slice(0, 1)
        .flatMap(({ row }) =>
          row.notOn === undefined
            ? []
            : [`Measured on ${place(row)}, not on ${row.notOn}: ${listed(alike.map(({ name }) => name))}.`],
        ),
    ),
    `Assumes ${hours
      .sort((one, other) => one - other)
      .map((each) => amount(each))
      .join(' or ')} hours a month at ${prices.join(' and ')}.`,
  ];
}

function alikeBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

/** Names in a sentence; of many, the first ones. */
function listed(names: readonly string[]): string {
  const [most, more] = [names.slice(0, MOST_NAMED), names.length - MOST_NAMED];
  if (more > 0) return `${most.join(', ')} and ${amount(more)} more`;
  return most.length > 1 ? `${most.slice(0, -1).join(', ')} and ${most.at(-1)}` : most.join('');
}

const MOST_NAMED = 6;

/** Configurations in this currency that have a price and no measured or assumed work. */
export const unmeasuredOf = (
  rows: readonly Pick<ValueRow, 'configuration'>[],
  configurations: readonly Configuration[],
  currency: string,
): Configuration[] => {
  const measured = new Set(rows.map(({ configuration }) => configuration));
  return configurations.filter(
    ({ spec, total }) => total !== undefined && total.currency === currency && !measured.has(spec.label),
  );
};

/** The beginning of the answer if no system is sure to reach the goal: whether one may, and why it is not sure. `isPart`: others were not measured. */
function noneWords(systems: readonly Reaching[], isPart: boolean): string {
  const none = isPart ? 'None of the measured ones' : 'None';
  const isOpen = systems.some(({ reach }) => reach === 'cannot-tell');
  const begin = `${none} ${isOpen ? 'is sure to reach it' : 'reaches it'}`;
  const reasons = alikeBy(systems, ({ why }) => why.join()).map((alike) => ({
    why: alike[0]?.why.join(', and ') ?? '',
    names: listed(alike.map(({ name }) => name)),
  }));
  const [only, ...more] = reasons;
  if (more.length === 0) return `${begin}, because ${only?.why ?? ''}`;
  return `${begin}, because ${reasons.map(({ why, names }) => `${why} (${names})`).join(', or ')}`;
}

/**
 * The first sentence names the cheapest system that reaches the goal. Then follow cheaper ones for which that is open, and configurations
 * that were not measured: the cheapest may be among them.
 */
export function goalSentences(
  systems: readonly Reaching[],
  configurations: readonly Configuration[],
  { metric: id, currency }: Pick<ValueScale, 'metric' | 'currency'>,
  goal: CostGoal,
): string[] {
  const metric = metricOf(id);
  const price = ({ perYear, asOf }: ValueRow): string =>
    `${formatMoney(perYear / 12, currency)} a month${datedWords({ asOf })}`;
  const measured = ({ rate, interval, repeats, latency, levels, assumed }: ValueRow): string => {
    const cell = formatLevels(levels);
    return [
      `${assumed ? 'assumed ' : ''}${formatValue(rate, metric)}${interval ? ` (95 % interval ${formatNumber(interval.low, metric.digits)} – ${formatNumber(interval.high, metric.digits)}, ${formatCount(repeats, 'repeat')})` : ', measured once'}`,
      ...(goal.latency && latency
        ? [
            `${withinSentence(metricOf(goal.latency.metric).label)} ${formatValue(latency.value, metricOf(goal.latency.metric))}`,
          ]
        : []),
      ...(cell ? [cell] : []),
    ].join(', ');
  };
  const sure = systems.find(({ reach }) => reach === 'yes');
  const open = systems.filter(({ reach, row }) => reach === 'cannot-tell' && (!sure || row.perHour < sure.row.perHour));
  const [fastest] = [...systems].sort((one, other) => other.row.rate - one.row.rate);
  const unmeasured = unmeasuredOf(
    systems.map(({ row }) => row),
    configurations,
    currency,
  ).filter(({ total }) => !sure || (total?.perHour ?? 0) < sure.row.perHour);
  const among = unmeasured.length > 0 ? ', the cheapest of the measured ones,' : '';
  const first = sure
    ? `${sure.name}${among} reaches it for ${price(sure.row)}: ${measured(sure.row)}${caveatWords('figure', sure.row)}.`
    : fastest
      ? `${noneWords(open.length > 0 ? open : systems, unmeasured.length > 0)}; the highest is ${measured(fastest.row)}, on ${fastest.name}.`
      : 'No measured system has a price yet.';
  return [
    first,
    ...open.map(
      ({ name, row, why }) =>
        `${sure ? `${name} is cheaper, but w` : `${name}: w`}hether it reaches the goal is unclear: ${price(row)}, ${measured(row)}${row.volumes?.unchecked === undefined ? '' : `; ${why.join(', and ')}`}.`,
    ),
    ...unmeasured.map(
      ({ spec, total }) =>
        `${spec.label}${sure ? ' is cheaper and' : ''} was not measured: ${formatMoney((total?.perYear ?? 0) / 12, currency)} a month.`,
    ),
  ];
}

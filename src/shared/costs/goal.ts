import { metricOf } from '../metrics/index.ts';
import type { Configuration, CostGoal, ValueRow, ValueScale } from '../model/cost.ts';
import type { Levels } from '../model/factor.ts';
import { caveatWords } from '../model/figure.ts';
import { formatCount, formatLevels, formatMoney, formatNumber, formatValue, withinSentence } from '../util/format.ts';
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
  /** If a power cut can lose data of that cell: the best one for the goal in which it cannot. */
  readonly durable?: { readonly reach: Reach; readonly row: ValueRow };
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
  if (!latency) return ['cannot-tell', `${withinSentence(metricOf(goal.latency.metric).label)}, was not recorded`];
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
      const judged = cells
        .map((row) => ({ row, ...reachOf(row, goal), name: row.system }))
        .sort((one, other) => RANK[other.reach] - RANK[one.reach] || other.row.rate - one.row.rate);
      const [best] = judged;
      const durable = best && isAtRisk(best.row) ? judged.find(({ row }) => isDurable(row)) : undefined;
      return best ? [{ ...best, ...(durable && { durable: { reach: durable.reach, row: durable.row } }) }] : [];
    })
    .sort((one, other) => one.row.perHour - other.row.perHour || RANK[other.reach] - RANK[one.reach]);
  return found.map((system) => ({ ...system, name: distinctName(system, found) }));
}

/** Whether a power cut is known to lose committed work of a cell, or to damage its data. */
export const isAtRisk = ({ durability }: ValueRow): boolean =>
  durability?.level === 'relaxed' || durability?.level === 'unsafe';

const isDurable = ({ durability }: ValueRow): boolean => durability?.level === 'safe';

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

const YEAR = 365 * 86_400_000;

/** Follows “list prices”: their dates, and a warning if the oldest is older than a year. `now`: epoch milliseconds. */
function datesWords(rows: readonly ValueRow[], now: number): string {
  const dates = rows.flatMap(({ asOf = '' }) => asOf.match(/\d{4}(-\d\d){0,2}/g) ?? []).sort();
  const [oldest, newest] = [dates[0], dates.at(-1)];
  if (oldest === undefined) return '';
  const years = Math.floor((now - Date.parse(oldest)) / YEAR);
  const old =
    years < 1 ? '' : `; the oldest is more than ${years === 1 ? 'a year' : `${years} years`} old: check it first`;
  return ` of ${oldest}${newest === oldest ? '' : ` to ${newest}`}${old}`;
}

/** The assumptions behind the prices and the throughput of these systems, shown before an answer. `now`: epoch milliseconds. */
export function assumptionSentences(systems: readonly Pick<Reaching, 'name' | 'row'>[], now: number): string[] {
  if (systems.length === 0) return [];
  const hours = [...new Set(systems.map(({ row }) => Math.round(row.perYear / 12 / row.perHour)))];
  const isListed = systems.map(({ row }) => row.asOf !== undefined);
  const dates = datesWords(
    systems.map(({ row }) => row),
    now,
  );
  const prices = [
    ...(isListed.includes(false) ? ['prices as entered'] : []),
    ...(isListed.includes(true) ? [`list prices${dates}`] : []),
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

interface Words {
  readonly goal: CostGoal;
  readonly metric: string;
  readonly currency: string;
}

/** “5,000 tps and at most 10 ms” */
function goalWords({ goal: { rate, latency }, metric }: Words): string {
  const most = latency ? ` and at most ${amount(latency.most)} ${metricOf(latency.metric).unit}` : '';
  return `${amount(rate)} ${metricOf(metric).unit}${most}`;
}

const monthWords = (perYear: number, { currency }: Words): string => `${formatMoney(perYear / 12, currency)} a month`;

/** A rate and how certain it is. Above the limit of the volumes nothing was measured, so an interval has no upper end there. */
function rateWords({ rate, interval, repeats, assumed, volumes }: ValueRow, { metric: id }: Words): string {
  const metric = metricOf(id);
  const value = `${assumed ? 'an assumed ' : ''}${formatValue(rate, metric)}`;
  if (!interval) return `${value}, measured once${volumes?.capped ? ', at the limit of its volumes' : ''}`;
  const [low, high] = [formatNumber(interval.low, metric.digits), formatNumber(interval.high, metric.digits)];
  const spread = volumes?.capped
    ? [LIMIT_OF_VOLUMES, ...(interval.low < rate ? [`95 % interval from ${low}`] : [])].join(', ')
    : `95 % interval ${low} – ${high}`;
  return `${value} (${spread}, ${formatCount(repeats, 'repeat')})`;
}

const LIMIT_OF_VOLUMES = 'at the limit of its volumes';

/** The interval of a rate for a table. Its upper end is unknown at the limit of the volumes. */
export function intervalWords(
  { interval, rate, volumes }: ValueRow,
  { metric: id }: Pick<ValueScale, 'metric'>,
): string {
  if (!interval) return 'measured once';
  const { digits } = metricOf(id);
  const [low, high] = [formatNumber(interval.low, digits), formatNumber(interval.high, digits)];
  if (!volumes?.capped) return `${low} – ${high}`;
  return interval.low < rate ? `from ${low}` : LIMIT_OF_VOLUMES;
}

/** Rate, latency and cell of a system. */
function measuredWords(row: ValueRow, words: Words): string {
  const { latency } = words.goal;
  const cell = formatLevels(row.levels);
  return [
    rateWords(row, words),
    ...(latency && row.latency
      ? [
          `${withinSentence(metricOf(latency.metric).label)} ${formatValue(row.latency.value, metricOf(latency.metric))}`,
        ]
      : []),
    ...(cell ? [cell] : []),
  ].join(', ');
}

/** The answer if no system is sure to reach the goal: whether one may, and why it is not sure. `isPart`: others were not measured. */
function noneWords(systems: readonly Reaching[], fastest: Reaching, isPart: boolean, words: Words): string {
  const open = systems.filter(({ reach }) => reach === 'cannot-tell');
  const begin = `No ${isPart ? 'measured ' : ''}configuration ${open.length > 0 ? 'is certain to reach' : 'reaches'} ${goalWords(words)}, because`;
  const reasons = alikeBy(open.length > 0 ? open : systems, ({ why }) => why.join()).map((alike) => ({
    why: alike[0]?.why.join(', and ') ?? '',
    names: listed(alike.map(({ name }) => name)),
  }));
  const why =
    reasons.length === 1 ? reasons[0]?.why : reasons.map(({ why: each, names }) => `${each} (${names})`).join(', or ');
  return `${begin} ${why}; the highest rate is ${measuredWords(fastest.row, words)}, on ${fastest.name}.`;
}

/** Why it is the cheapest: cheaper ones that fail, and the price of the next one that does not. */
function reasonWords(sure: Reaching, systems: readonly Reaching[], words: Words): string {
  const failing = systems.slice(0, systems.indexOf(sure)).filter(({ reach }) => reach === 'no');
  const next = systems.find((system) => system !== sure && system.reach === 'yes');
  return [
    ...(failing.length > 0
      ? [
          `${listed(failing.map(({ name }) => name))} ${failing.length === 1 ? 'costs less and does' : 'cost less and do'} not reach it`,
        ]
      : []),
    ...(next
      ? [`the next one that does, ${next.name}, costs ${formatMoney(next.row.perYear / 12, words.currency)}`]
      : []),
  ]
    .map((clause) => `; ${clause}`)
    .join('');
}

/** Levels of a cell that another one does not have. */
const otherLevels = ({ levels }: ValueRow, than: ValueRow): Levels =>
  Object.fromEntries(Object.entries(levels).filter(([name, level]) => than.levels[name] !== level));

const WITHOUT_RISK: Readonly<Record<Reach, string>> = {
  yes: 'also reaches the goal',
  'cannot-tell': 'is not certain to reach the goal',
  no: 'does not reach the goal',
};

/** Effect of a power cut with the levels of the answer, and the choice without it: on the same system, or else the cheapest one. */
function riskWords(sure: Reaching, systems: readonly Reaching[], words: Words): string {
  const { row, durable } = sure;
  if (!isAtRisk(row) || !row.durability) return '';
  const risk = row.durability.why.replace(/(:.*)?\.$/, '').replace(/^A /, 'a ');
  const own = durable
    ? `, but not with ${formatLevels(otherLevels(durable.row, row))}, which ${WITHOUT_RISK[durable.reach]}: ${rateWords(durable.row, words)}`
    : '';
  if (durable?.reach === 'yes') return `; ${risk}${own}`;
  const safe = systems.find(
    (system) => system.reach === 'yes' && (isDurable(system.row) || system.durable?.reach === 'yes'),
  );
  return `; ${risk}${own}${safe ? `; without that risk ${safe.name} is the cheapest, ${monthWords(safe.row.perYear, words)}` : ''}`;
}

/** Systems for which it is open whether they reach the goal. */
function openWords(open: readonly Reaching[], isCheaper: boolean, words: Words): string[] {
  const [first, ...more] = open;
  if (!first) return [];
  const reasonOf = ({ row, why }: Reaching): string =>
    row.volumes?.unchecked === undefined ? '' : `; ${why.join(', and ')}`;
  if (isCheaper && more.length === 0)
    return [
      `${first.name} is cheaper, but whether it reaches the goal is unclear: ${monthWords(first.row.perYear, words)}, ${measuredWords(first.row, words)}${reasonOf(first)}.`,
    ];
  const each = open.map(
    ({ name, row }) => `${name} (${monthWords(row.perYear, words)}, ${formatValue(row.rate, metricOf(words.metric))})`,
  );
  return [`${isCheaper ? 'Cheaper, but unclear' : 'Unclear, cheapest first'}: ${listed(each)}.`];
}

/**
 * The first sentence names the cheapest system that reaches the goal, its reason and its risk. Then follow cheaper ones for which that is open, and
 * configurations that were not measured: the cheapest may be among them.
 */
export function goalSentences(
  systems: readonly Reaching[],
  configurations: readonly Configuration[],
  { metric, currency }: Pick<ValueScale, 'metric' | 'currency'>,
  goal: CostGoal,
): string[] {
  const words: Words = { goal, metric, currency };
  const sure = systems.find(({ reach }) => reach === 'yes');
  const open = systems.filter(({ reach, row }) => reach === 'cannot-tell' && (!sure || row.perHour < sure.row.perHour));
  const [fastest] = [...systems].sort((one, other) => other.row.rate - one.row.rate);
  const unmeasured = unmeasuredOf(
    systems.map(({ row }) => row),
    configurations,
    currency,
  ).filter(({ total }) => !sure || (total?.perHour ?? 0) < sure.row.perHour);
  const isPart = unmeasured.length > 0;
  const first = sure
    ? `${sure.name} is the cheapest ${isPart ? 'measured one ' : ''}that reaches ${goalWords(words)}: ${monthWords(sure.row.perYear, words)} for ${measuredWords(sure.row, words)}${caveatWords('figure', sure.row)}${reasonWords(sure, systems, words)}${riskWords(sure, systems, words)}.`
    : fastest
      ? noneWords(systems, fastest, isPart, words)
      : 'No measured system has a price yet.';
  return [
    first,
    ...openWords(open, sure !== undefined, words),
    ...unmeasured.map(
      ({ spec, total }) =>
        `${spec.label}${sure ? ' is cheaper and' : ''} was not measured: ${monthWords(total?.perYear ?? 0, words)}.`,
    ),
  ];
}

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
}

/** Whether a cell reaches the goal. Without an interval it was measured once, which can only prove a miss. */
function reachOf({ rate, interval, latency }: ValueRow, goal: CostGoal): Reach {
  const ofRate = interval
    ? sideOf(goal.rate, interval.low, interval.high)
    : rate < goal.rate
      ? 'no'
      : ('cannot-tell' as const);
  if (!goal.latency) return ofRate;
  const ofLatency = latency ? sideOf(-goal.latency.most, -latency.high, -latency.low) : 'cannot-tell';
  if (ofRate === 'no' || ofLatency === 'no') return 'no';
  return ofRate === 'yes' && ofLatency === 'yes' ? 'yes' : 'cannot-tell';
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
        .map((row) => ({ row, reach: reachOf(row, goal), name: row.system }))
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

/** The assumptions behind the prices of these systems, shown before an answer. Undefined without systems. */
export function assumptionSentence(systems: readonly Reaching[]): string | undefined {
  if (systems.length === 0) return undefined;
  const hours = [...new Set(systems.map(({ row }) => Math.round(row.perYear / 12 / row.perHour)))];
  const isListed = systems.map(({ row }) => row.asOf !== undefined);
  const prices = [
    ...(isListed.includes(true) ? ['list prices'] : []),
    ...(isListed.includes(false) ? ['prices as entered'] : []),
  ];
  return `Assumes ${hours
    .sort((one, other) => one - other)
    .map((each) => amount(each))
    .join(' or ')} hours a month at ${prices.join(' and ')}, and on each configuration the throughput measured there.`;
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
  const measured = ({ rate, interval, repeats, latency, levels }: ValueRow): string => {
    const cell = formatLevels(levels);
    return [
      `${formatValue(rate, metric)}${interval ? ` (95 % interval ${formatNumber(interval.low, metric.digits)} – ${formatNumber(interval.high, metric.digits)}, ${formatCount(repeats, 'repeat')})` : ', measured once'}`,
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
  const first = sure
    ? `${sure.name} reaches it for ${price(sure.row)}: ${measured(sure.row)}${caveatWords('figure', sure.row)}.`
    : fastest
      ? `None is sure to reach it; the highest is ${measured(fastest.row)}, on ${fastest.name}.`
      : 'No measured system has a price yet.';
  const measuredOn = new Set(systems.map(({ row }) => row.configuration));
  const unmeasured = configurations.filter(
    ({ spec, total }) =>
      total !== undefined &&
      total.currency === currency &&
      !measuredOn.has(spec.label) &&
      (!sure || total.perHour < sure.row.perHour),
  );
  return [
    first,
    ...open.map(
      ({ name, row }) =>
        `${sure ? `${name} is cheaper, but w` : `${name}: w`}hether it reaches the goal is unclear: ${price(row)}, ${measured(row)}.`,
    ),
    ...unmeasured.map(
      ({ spec, total }) =>
        `${spec.label}${sure ? ' is cheaper and' : ''} was not measured: ${formatMoney((total?.perYear ?? 0) / 12, currency)} a month.`,
    ),
  ];
}

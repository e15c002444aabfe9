import type { CostSpec } from '../model/cost.ts';

/**
 * Several prices as one: that of a session and those of the levels of a cell. Undefined where there is none; a sentence where they cannot be
 * added.
 */
export function priceTogether(prices: readonly CostSpec[]): CostSpec | string | undefined {
  const [first] = prices;
  if (!first) return undefined;
  const currencies = [...new Set(prices.map(({ currency }) => currency))];
  if (currencies.length > 1) return `Its prices are in ${currencies.join(' and ')}, which are not added.`;
  return { ...first, components: prices.flatMap(({ components }) => components) };
}

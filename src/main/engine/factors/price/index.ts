import { z } from 'zod';
import { CostComponent, CostSpec } from '../../../../shared/model/cost.ts';
import { type Factor, levelName } from '../../../../shared/model/factor.ts';
import { defineFactor, levelNamed } from '../factor.ts';

const currency = z.string().length(3).default('USD').meta({ title: 'Currency', description: 'Three letters.' });

const Amount = z.strictObject({
  amount: z.number().min(0),
  per: z.enum(['hour', 'month', 'year']).default('month'),
  currency,
});
const Components = z.strictObject({
  components: z.array(CostComponent).min(1),
  currency,
  hoursPerMonth: CostSpec.shape.hoursPerMonth,
});

const level = z.strictObject({
  price: z.union([Amount, Components]).meta({
    title: 'Price',
    description:
      'An amount per hour, month or year, or components as the cost view has them: instances and volumes of the catalogue.',
  }),
});

/** A factor whose levels cost money: instances, volume types, sizes. */
export const priceFactor = defineFactor({
  kind: 'price',
  title: 'Price',
  description:
    'Instances, volume types, sizes or IOPS as levels that carry a price. Work per money counts it beside the price of the session; nothing is changed on hosts.',
  changes: 'nothing',
  takes: 'Nothing.',
  undone: 'Nothing is changed.',
  fields: z.strictObject({}),
  level,
  example:
    '{name: volume, kind: price, levels: [{name: gp3, price: {amount: 80}}, {name: io2, price: {amount: 412.5, per: month}}]}',
  rules: (factor) => ({
    varies: [`the price of ${factor.name}`],
    cost: 'none',
    levelKey: (wanted) => String(levelName(wanted)),
    check: () => {},
    apply(effects, name) {
      const wanted = levelNamed(factor, name);
      return wanted === undefined ? effects : { ...effects, prices: [...(effects.prices ?? []), costOf(wanted)] };
    },
  }),
});

function costOf(wanted: Factor['levels'][number]): CostSpec {
  const label = String(levelName(wanted));
  const price = level.shape.price.parse(typeof wanted === 'object' ? wanted.price : undefined);
  if ('components' in price) {
    const { hoursPerMonth, ...spec } = price;
    return { label, ...spec, ...(hoursPerMonth !== undefined && { hoursPerMonth }) };
  }
  const { amount, per } = price;
  return { label, currency: price.currency, components: [{ kind: 'own', label, amount, per }] };
}

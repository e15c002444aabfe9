import { z } from 'zod';
import { CostComponent, CostSpec } from '../../../../shared/model/cost.ts';
import { type Factor, levelName, type Scalar } from '../../../../shared/model/factor.ts';
import { defineFactor, levelNamed, type StepDraft } from '../factor.ts';
import { commandFields, commandsName, commandsOf, HOST_CHANGER, hostPlaces, withSettings } from '../host-commands.ts';

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
      'An amount per hour, month or year, or components as in the cost view: instances and volumes of the catalogue.',
  }),
});

const fields = z.strictObject(commandFields);
type Fields = z.output<typeof fields>;

/** A factor whose levels cost money: instances, volume types, sizes. */
export const priceFactor = defineFactor({
  kind: 'price',
  title: 'Price',
  description:
    'Instances, volume types, sizes or IOPS as levels that carry a price. Operations per dollar include it in addition to the price of the session. Custom commands can change the instance or volume before a trial; without them, nothing changes.',
  changes: 'host',
  takes: 'Nothing. With custom commands, their run time.',
  undone: 'Custom commands are undone by “undo”, with the original value in $first.',
  fields,
  level,
  example:
    '{name: volume, kind: price, levels: [{name: gp3, price: {amount: 80}}, {name: io2, price: {amount: 412.5, per: month}}]}',
  rules: (factor, given) => ({
    varies: [`the price of ${factor.name}`],
    cost: given.apply === undefined ? 'none' : 'live',
    levelKey: (wanted) => String(levelName(wanted)),
    check(complain) {
      if (given.apply === undefined && (given.read ?? given.undo) !== undefined)
        complain(['apply'], '“read” and “undo” need “apply”, the command that applies a level.');
    },
    apply(step, name) {
      const wanted = levelNamed(factor, name);
      if (wanted === undefined) return step;
      return withCommands(factor, given, step, levelName(wanted), costOf(wanted));
    },
  }),
});

function withCommands(
  { name }: Factor,
  { on, apply, read, undo }: Fields,
  step: StepDraft,
  value: Scalar,
  price: CostSpec,
): StepDraft {
  const priced = { ...step, prices: [...(step.prices ?? []), price] };
  if (apply === undefined) return priced;
  const how = commandsOf({ apply, ...(read && { read }), ...(undo && { undo }) });
  const settings = hostPlaces(on, false, step).map((place) => ({
    changer: HOST_CHANGER,
    place,
    what: commandsName(name),
    value: String(value),
    how,
  }));
  return { ...priced, settings: withSettings(step, settings) };
}

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

import type { CostComponent, CostSpec } from '../model/cost.ts';
import type { PriceCatalogue } from './catalogue.ts';
import { amount } from './words.ts';

/** The system that is paid for, in words: the name of each price, otherwise its parts, as in "m5.large + gp3 500 GB, 6,000 IOPS". */
export const systemWords = (prices: readonly CostSpec[], catalogue: PriceCatalogue): string =>
  prices
    .flatMap(({ label, components }) =>
      label.trim() === '' ? components.map((component) => partWords(component, catalogue)) : [label.trim()],
    )
    .join(' + ');

function partWords(component: CostComponent, { entries }: PriceCatalogue): string {
  if (component.kind === 'own') return component.label.trim() || 'custom item';
  const { id, count } = component;
  // An id ends with the name in the provider's own interfaces.
  const name = id.split('/').at(-1) ?? id;
  const times = count === 1 ? '' : `${amount(count)} × `;
  if (component.kind === 'instance') return `${times}${name}`;
  const { sizeGb, iops, throughputMibS } = component;
  const entry = entries.find((each) => each.id === id);
  const unit = entry?.kind === 'volume' ? entry.throughputUnit : 'MiB/s';
  return [
    `${times}${name} ${amount(sizeGb)} GB`,
    ...(iops === undefined ? [] : [`${amount(iops)} IOPS`]),
    ...(throughputMibS === undefined ? [] : [`${amount(throughputMibS)} ${unit}`]),
  ].join(', ');
}

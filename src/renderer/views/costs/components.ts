import type { CatalogueEntry, CostComponent, CostSpec } from '../../../shared/model/cost.ts';

export const EMPTY_SPEC: CostSpec = { label: '', currency: 'USD', components: [] };

/** A catalogue entry as a part of a configuration: one instance, or a volume with 100 GB. */
export const componentOf = (entry: CatalogueEntry): CostComponent =>
  entry.kind === 'instance'
    ? { kind: 'instance', id: entry.id, count: 1 }
    : { kind: 'volume', id: entry.id, sizeGb: 100, count: 1 };

/** Without an amount: it has no price until one is entered. */
export const ownFigure = (): CostComponent => ({ kind: 'own', label: 'Custom item', amount: null, per: 'month' });

/** Whether every word of the query occurs in the entry's title, summary, provider or region. */
export function matchesEntry(entry: CatalogueEntry, query: string): boolean {
  const text = `${entry.title} ${entry.summary} ${entry.provider} ${entry.region} ${entry.id}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A stable key for each part: parts have no identity, so equal ones are counted. */
export function keysOf(components: readonly CostComponent[]): string[] {
  const seen = new Map<string, number>();
  return components.map((component) => {
    const name = component.kind === 'own' ? 'own' : component.id;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${name} ${count}`;
  });
}

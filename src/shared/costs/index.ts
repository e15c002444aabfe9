export { catalogueEntries, type PriceCatalogue, parseCatalogue } from './catalogue.ts';
export { evaluateCost } from './evaluate.ts';
export { HOURS_PER_YEAR } from './hours.ts';
export { operationsPerDollar, percentOfBest } from './value.ts';

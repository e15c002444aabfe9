export { catalogueEntries, type PriceCatalogue, parseCatalogue } from './catalogue.ts';
export { evaluateCost } from './evaluate.ts';
export { HOURS_PER_MONTH, HOURS_PER_YEAR } from './hours.ts';
export {
  datedWords,
  errorWords,
  operationsPerDollar,
  percentOfBest,
  scalesOf,
  scaleWords,
  type Valued,
} from './value.ts';
export { usableWords } from './words.ts';

export { hostSizeWords, notMeasuredOn, type OperationIo, workOnVolumes } from './assumed.ts';
export { breakEven, breakEvenWords, lineWords, pictureOf } from './break-even.ts';
export { catalogueEntries, type PriceCatalogue, parseCatalogue, systemWords } from './catalogue.ts';
export { evaluateCost, priceParts } from './evaluate.ts';
export {
  assumptionSentences,
  goalQuestion,
  goalSentences,
  intervalWords,
  type Reach,
  type Reaching,
  reachingOf,
  unmeasuredOf,
} from './goal.ts';
export { type VolumeLimits, volumeLimits } from './limits.ts';
export { componentOf, readQuick } from './quick.ts';
export { type SideRow, sideBySide } from './side-by-side.ts';
export {
  HOURS_PER_MONTH,
  HOURS_PER_YEAR,
  type LoadRange,
  loadRanges,
  loadSentences,
  lotWords,
  operationsPerDollar,
  percentOfBest,
  pricePerLot,
  priceTogether,
  scalesOf,
  scaleWords,
  type Valued,
} from './value.ts';
export { usableWords } from './words.ts';

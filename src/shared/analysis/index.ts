export {
  CHANGE_WORDS,
  type ComparedSeries,
  comparedSeries,
  compareMoment,
  intervalWords,
  isCompared,
  momentSentences,
  nameOfSeries,
} from './before-after/index.ts';
export { blackBox } from './black-box/index.ts';
export { hotCoreOf } from './bounds/cores.ts';
export { devicesOf } from './bounds/disk.ts';
export { boundOf } from './bounds/index.ts';
export { limitOf as linkLimit } from './bounds/network.ts';
export { cpuUse } from './cpu-use.ts';
export { seriesDifferences } from './differences/index.ts';
export {
  type MetServer,
  onRunClock,
  type RunEvidence,
  type WatchedHost,
  type WatchedSeries,
  type WatchedServer,
  type Window,
  windowOf,
} from './evidence.ts';
export {
  clientsOf,
  coresOf,
  heldIn,
  isGenerator,
  isKnown,
  isOuterLink,
  isServer,
  isWholeDevice,
  meanIn,
  ownerOf,
  percentileIn,
  seriesMeaning,
  seriesNamed,
  seriesOfRule,
  stepOf,
  sumOf,
  valuesIn,
} from './lines.ts';
export { mainSeries } from './main-series.ts';
export { operationWord, perOperation } from './operations/index.ts';

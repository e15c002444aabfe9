export {
  CHANGE_WORDS,
  type ComparedSeries,
  comparedSeries,
  compareMoment,
  intervalWords,
  isCompared,
  isOwnOnly,
  momentSentences,
  nameOfSeries,
  OWN_ONLY,
} from './before-after/index.ts';
export { BlackBoxReader, blackBox } from './black-box/index.ts';
export { eventNow } from './black-box/silences.ts';
export { hotCoreOf } from './bounds/cores.ts';
export { cpuUse } from './bounds/cpu.ts';
export { devicesOf } from './bounds/disk.ts';
export { boundOf } from './bounds/index.ts';
export { isShortForOthers } from './bounds/memory.ts';
export { limitOf as linkLimit } from './bounds/network.ts';
export { condenserOf, type Segments, segmentsOf } from './condensed.ts';
export { ComparedRuns, seriesDifferences } from './differences/index.ts';
export {
  type MetServer,
  type RunEvidence,
  type WatchedHost,
  type WatchedSeries,
  type WatchedServer,
  type Window,
  watchedSeries,
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
  mainSeries,
  meanIn,
  ownerOf,
  ownOn,
  percentileIn,
  seriesMeaning,
  seriesNamed,
  seriesOfRule,
  stepOf,
  sumOf,
  valuesIn,
} from './lines.ts';
export { operationWord, perOperation } from './operations/index.ts';

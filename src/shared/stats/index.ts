export { ascendingOf, ascendingOfParts } from './ascending.ts';
export { bestCell, bestOf, bestSentence } from './best.ts';
export { crossingSentences, crossingsOf } from './crossings.ts';
export {
  additionalRecoveries,
  type DipOf,
  dipAfter,
  dipWords,
  lastedWords,
  nounOf,
  recoveryFigures,
  recoveryOf,
  recoverySentences,
  secondsOfStep,
} from './dip.ts';
export { driftOf, driftWords } from './drift.ts';
export { countsDiffer, type EventCount, eventRate } from './event-counts.ts';
export {
  basisSentences,
  basisShort,
  basisWords,
  comparedBasis,
  definitionOf,
  figureTitle,
  pickedMeasure,
} from './figure-words.ts';
export {
  eventsBehind,
  eventsOf,
  type Histogram,
  type HistogramPart,
  HistogramParts,
  mergeHistograms,
  percentileOf,
} from './histogram.ts';
export {
  isPrecise,
  LEAST_REPEATS,
  type MeanRatio,
  meanInterval,
  meanRatio,
  reachOf,
  repeatsInterval,
} from './interval.ts';
export {
  holm,
  isJudgeable,
  type JudgedPair,
  type Judgement,
  judge,
  loadLimit,
  loadLimitWords,
  marginOf,
  USUAL_MARGIN,
} from './judge.ts';
export { powerPointOf } from './knee.ts';
export { levelAt, lineOfCell, loadFactorOf, loadLines, loadsOf } from './load-lines.ts';
export { cachedRepeats, type Repeats, resolutionOf, resolutionOfAscending } from './noise.ts';
export { areInterleaved, trendFindings, trendOf } from './order.ts';
export { newestRounds, type Rounds } from './rounds.ts';
export { MOST_MORE } from './settling.ts';
export { mean, percentile, spreadOf } from './spread.ts';
export { rateUntil, type Stalls, stallSpans, stallsOf } from './stalls.ts';
export { type JudgedCell, judgeCell, judgesSteadiness, steadySession } from './steady-cells.ts';
export { dipsIn, dipsOf, LEAST_VALUES, steadinessOf } from './steady-state.ts';
export { studentQuantile, studentTail } from './student.ts';
export { surprisingRuns } from './surprising.ts';
export { bucketSeconds, type TimeBuckets, timeBuckets } from './time-buckets.ts';
export { together, type Weighted, weightByTime, weightedMean, weightedSpread } from './weights.ts';
export { alignedSeconds, type Points, wholeOf } from './whole.ts';
export { type PlacedSample, toolZero } from './zero.ts';

export { addedTrials, growDocument, newCells, type WantedLevels } from './added-levels.ts';
export { changesOf, costsFor } from './blocks.ts';
export { chartProblems } from './charts.ts';
export { checkDocument, checkingDocument, makePlan, neededTargets, type ResolvedPlan } from './check.ts';
export { dataOf, KEPT_AND_USED_UP, type Workload } from './data-groups.ts';
export { readDocument } from './document.ts';
export { durabilityIn, durabilityWithSettings, leastDurability } from './durability.ts';
export {
  actToolOf,
  allStepsOf,
  dataStepOf,
  effectsOf,
  expandCells,
  hostsOf,
  isAct,
  type KnownStep,
  knownStepOfRun,
  loadSeconds,
  placesIn,
  placesOf,
  type ResolvedCell,
  resolveCells,
  runsOfTrial,
  type Step,
  sessionSteps,
  stepOfRun,
  stepsByLevels,
  stepsOf,
  stepsOfCells,
  type UsedPlaces,
  withLargestOptions,
  workSteps,
} from './effects.ts';
export {
  actTime,
  countOf,
  type DataWork,
  dataSeconds,
  estimateTime,
  learnedRate,
  ownPauses,
  type PastSession,
  type Prepared,
  secondsOf,
} from './estimate.ts';
export { eventSettings } from './events.ts';
export { formatDocument } from './format.ts';
export { eachGenerator, nodeOn, partOf } from './generators.ts';
export { interleave } from './interleave.ts';
export { measureProblems } from './measures.ts';
export { outlineOf, workloadWords } from './outline.ts';
export { drawnPlan, generatorSeed, trialSeed } from './seeds.ts';
export { gateBaseline } from './steps.ts';
export { restartOf } from './tool-restarts.ts';
export { requireSmallForm, smallForm, withVariant } from './variant.ts';

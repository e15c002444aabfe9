export { attachmentName, fileKind, isText } from './attachment.ts';
export { compareCounters, differenceOf } from './difference.ts';
export { comparedFacts, type Fact, factsInTable, factsInText, type KeptFact, MOST_FACTS } from './facts.ts';
export { type LogMark, marksIn, zoneMinutes } from './marks.ts';
export { changeIn } from './reading.ts';
export { byChange, hasProfile, type LevelPair, levelPairs, profilesIn } from './side-by-side.ts';
export { countersIn, fitting, tableText } from './table.ts';

export { checkDocument, makePlan, neededTargets } from './check.ts';
export { cellData, type Workload } from './data-groups.ts';
export { readDocument } from './document.ts';
export { type CellEffects, effectsOf } from './effects.ts';
export { expandCells } from './expand.ts';
export { formatDocument } from './format.ts';
export { eachGenerator, nodeOn, partOf } from './generators.ts';
export { generatorSeed } from './seeds.ts';
export { issueWords } from './words.ts';

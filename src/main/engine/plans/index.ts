export { checkDocument, makePlan, neededTargets } from './check.ts';
export { readDocument } from './document.ts';
export { formatDocument } from './format.ts';
export { cellOptions } from './options.ts';
export { issueWords } from './words.ts';

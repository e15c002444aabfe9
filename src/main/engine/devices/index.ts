export { judgeDevice } from './judge.ts';
export { readDevice } from './read.ts';
export type { Refusal } from './refusals.ts';

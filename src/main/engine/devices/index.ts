export { judgeDevice } from './judge.ts';
export { readDevice } from './reading.ts';
export type { Refusal } from './refusals.ts';

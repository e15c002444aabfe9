export { judgeDevice, type Refusal } from './judge.ts';
export { readDevice } from './read.ts';

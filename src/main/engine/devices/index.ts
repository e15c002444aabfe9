export { type FreeDevice, judgeDevice, type Refusal, type Verdict } from './judge.ts';
export { readDevice } from './read.ts';

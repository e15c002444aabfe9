export { readDevice } from './reading.ts';
export { judgeDevice, type Refusal } from './refusals.ts';

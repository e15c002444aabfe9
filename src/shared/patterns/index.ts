export { readNumber } from './number.ts';
export { LinePattern, readPatterns } from './pattern.ts';

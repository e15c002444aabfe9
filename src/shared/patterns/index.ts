export { LinePattern, readNumber, readPatterns } from './pattern.ts';

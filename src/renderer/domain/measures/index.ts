export { measureOfSeries, sourceText } from './choices.ts';
export { MeasuresButton, MeasuresDialog } from './Measures.tsx';

export { measureOfSeries, sourceText } from './choices.ts';
export { MeasureForm } from './MeasureForm.tsx';
export { MeasuresButton, MeasuresDialog } from './Measures.tsx';

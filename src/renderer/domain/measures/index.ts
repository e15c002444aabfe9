export { measureOfFigure, measureOfSeries, type SourceChoices, sourceText } from './choices.ts';
export { MeasureForm } from './MeasureForm.tsx';
export { MeasureList, MeasuresButton, MeasuresDialog } from './Measures.tsx';

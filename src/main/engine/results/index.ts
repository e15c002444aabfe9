export { type Figures, figureOfRun, Overviews } from './overview.ts';
export { sessionPlaces } from './places.ts';
export { sessionResult, type ToolFigures, watchedResult, workOutCell, workOutSession } from './session-result.ts';
export { costsOfSteps, type MeasuredStep, stepsByCost, stepsTable } from './steps-table.ts';

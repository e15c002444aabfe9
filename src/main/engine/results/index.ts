export { type Figures, figureOfRun, Overviews } from './overview.ts';
export { sessionPlaces } from './places.ts';
export { calculateCell, calculateSession, sessionResult, type ToolFigures, watchedResult } from './session-result.ts';
export { costsOfSteps, type MeasuredStep, stepsByCost, stepsTable } from './steps-table.ts';

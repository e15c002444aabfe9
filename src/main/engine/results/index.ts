export { type Figures, figureOfRun, Overviews } from './overview.ts';
export { sessionResult, type ToolFigures, watchedResult, workOutCell, workOutSession } from './session-result.ts';
export { stepsTable } from './steps-table.ts';

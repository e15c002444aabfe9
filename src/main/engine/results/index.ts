export { type Figures, figureOfRun, Overviews } from './overview.ts';
export { sessionResult, type ToolFigures, workOutCell } from './session-result.ts';

export { cooperatively, errorsOf, measuredCell, stallsTogether, yieldTurn } from './cell-figure.ts';
export { runBuckets, runQuantiles, runSeconds, seriesOfRun, seriesOfRuns, thin } from './for-charts.ts';
export { groupFacts, type SteadyRuns, steadinessOf } from './group-facts.ts';
export { sessionMeasures } from './measures.ts';
export { comparedCaptures, keptFacts, runDifferences } from './run-captures.ts';
export { figureFrom, figureIn, figuresOfRun, type RunFigures, type Source, sourceOf } from './run-figures.ts';
export { endOf, generatorParts, runSeries, wholeSeries } from './run-series.ts';
export { Workings } from './workings.ts';

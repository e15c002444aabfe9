export { ChartForm } from './ChartForm.tsx';
export { choiceOf, draftOf, firstChart, isComplete, KINDS, type MetricGroup, metricsOfResult } from './draft.ts';

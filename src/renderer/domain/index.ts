export { CostNotes, ItemNotes, NotRanked } from './CostNotes.tsx';
export { DurabilityLight } from './DurabilityLight.tsx';
export { ErrorCount } from './ErrorCount.tsx';
export { FindingsList } from './FindingsList.tsx';
export { GeneratorsTable } from './GeneratorsTable.tsx';
export { MetricSelect } from './MetricSelect.tsx';
export { RawOutput } from './RawOutput.tsx';
export { exitWords, RunsTable } from './RunsTable.tsx';
export { SettingsTable } from './SettingsTable.tsx';

export { LanePicker, type PickerGroup } from './LanePicker.tsx';
export { MonitoredRow, seriesQuery } from './MonitoredRow.tsx';
export { sourceName, sourceNotes } from './source-words.ts';
export { useLaneChoice } from './useLaneChoice.ts';

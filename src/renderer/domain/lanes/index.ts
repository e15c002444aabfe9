export { askedRange, POINTS } from './asked-range.ts';
export { LanePicker, type PickerGroup } from './LanePicker.tsx';
export {
  type Choosable,
  collapsed,
  isShown,
  type LaneChoice,
  moved,
  shownLanes,
  switched,
  useLaneChoice,
} from './lane-choice.ts';
export { MonitoredRow, seriesQuery } from './MonitoredRow.tsx';
export { sourceName, sourceNotes } from './source-words.ts';

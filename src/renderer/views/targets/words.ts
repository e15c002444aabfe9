import type { TargetPart } from '../../../shared/model/target.ts';

export const PART_TITLES: Readonly<Record<TargetPart, string>> = {
  settings: 'Settings',
  sizes: 'Data',
  sessions: 'Live sessions',
  counters: 'Counters',
};

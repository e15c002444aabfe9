import type { Durability, TargetPart } from '../../../shared/model/target.ts';
import type { SettingChange } from '../../../shared/model/target-details.ts';
import type { Tone } from '../../ui/index.ts';

export const PART_TITLES: Readonly<Record<TargetPart, string>> = {
  settings: 'Settings',
  sizes: 'Data',
  sessions: 'Live sessions',
  counters: 'Counters',
};

export const CHANGE_WORDS: Readonly<Record<SettingChange, string>> = {
  dynamic: 'at once',
  connection: 'new connections',
  reload: 'on reload',
  restart: 'on restart',
  fixed: 'never',
};

type Level = Durability['level'];
export const LEVEL_TONES: Readonly<Record<Level, Tone>> = {
  safe: 'ok',
  relaxed: 'warn',
  unsafe: 'bad',
  unknown: 'idle',
};
export const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  safe: 'Safe: what is confirmed survives a power cut',
  relaxed: 'Relaxed: the last moments may be lost in a power cut',
  unsafe: 'Unsafe: data may be lost or damaged in a power cut',
  unknown: 'Durability unknown',
};

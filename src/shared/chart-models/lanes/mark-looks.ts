import type { ChartTheme } from '../theme.ts';
import type { LaneMarkKind } from './lane.ts';

/** Colour of a moment, through all lanes and on a timeline: what somebody did stands out. */
export const markColour = (kind: LaneMarkKind, theme: ChartTheme): string =>
  kind === 'alert' || kind === 'stall' || kind === 'dip'
    ? theme.bad
    : kind === 'note' || kind === 'scenario'
      ? theme.accent
      : theme.faint;

/** A sign before its words, so that colour is not all that tells them apart. */
export const MARK_SIGNS: Readonly<Record<LaneMarkKind, string>> = {
  note: '●',
  alert: '▲',
  'warm-up-end': '◆',
  checkpoint: '■',
  state: '◇',
  scenario: '⚑',
  stall: '▼',
  dip: '▽',
};

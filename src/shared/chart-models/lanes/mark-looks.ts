import { type ChartTheme, colourOf } from '../theme.ts';
import type { LaneMark, LaneMarkKind } from './lane.ts';

/** Colour of a mark, across all lanes and on a timeline: user actions are prominent. */
export const markColour = (kind: LaneMarkKind, theme: ChartTheme): string =>
  kind === 'alert' || kind === 'stall' || kind === 'dip'
    ? theme.bad
    : kind === 'note' || kind === 'scenario'
      ? theme.accent
      : theme.faint;

/** Colour of a mark: that of its run if there are several on the axis. */
export const colourOfMark = ({ kind, paint }: LaneMark, theme: ChartTheme): string =>
  paint ? colourOf(paint, theme.scheme) : markColour(kind, theme);

/** A sign before its words, so that they differ by more than colour. */
export const MARK_SIGNS: Readonly<Record<LaneMarkKind, string>> = {
  note: '●',
  alert: '▲',
  'warm-up-end': '◆',
  checkpoint: '■',
  state: '◇',
  scenario: '⚑',
  mark: '│',
  stall: '▼',
  dip: '▽',
  skip: '⋯',
};

import { formatClock, formatDay, formatTimeOfDay } from '../../util/format.ts';
import { cutParts, shorterForms } from '../labels.ts';
import { timeStep } from '../parts.ts';
import { type ChartTheme, colourOf } from '../theme.ts';
import type { FoldedAxis } from './folded-axis.ts';
import { colourOfMark, type LaneScene, MARK_SIGNS, type Span } from './lane.ts';
import type { Box, Pen } from './pen.ts';

/** Clock of the axis, for the words of its seconds. */
export interface LaneClock {
  /** Epoch milliseconds of its second 0. */
  zero: number;
  /** Second of the axis that counts as zero, the start of a run; absent: the time of day is shown. */
  from?: number | undefined;
  /** The axis without idle time, if the time of day is shown. */
  folded?: FoldedAxis | undefined;
}

/** Epoch milliseconds of a second of the axis. */
export const momentOnClock = (at: number, { zero, folded }: LaneClock): number =>
  zero + 1000 * (folded?.real(at) ?? at);

/** Pixels: trials, two rows of words for marks, ticks. */
const TRIALS = 18;
const ROW = 15;
const ROWS = 2;
const TICKS = 20;
export const HEAD_HEIGHT = TRIALS + ROWS * ROW + TICKS;

const SIZE = 11;
const TICK_ROOM = 84;
/** For a name that is cut in the middle: minimum letters at each end. */
const LEAST_LETTERS = 3;
/** Narrower trials have no name, pixels. */
const LEAST_WORDS = 14;
/** Maximum width of the words of a mark, pixels. */
const MOST_WORDS = 180;

/** The header above all lanes: trials, words for marks, and the axis. */
export function drawHead(pen: Pen, scene: LaneScene, clock: LaneClock, place: HeadPlace): void {
  trials(pen, scene, place);
  marks(pen, scene, place);
  axis(pen, clock, place);
}

export interface HeadPlace {
  /** As wide as the lanes. */
  box: Box;
  view: Span;
  theme: ChartTheme;
}

const xOf = ({ box, view }: HeadPlace, at: number): number =>
  box.x + ((at - view.from) / (view.to - view.from)) * box.width;

function trials(pen: Pen, { trials: all }: LaneScene, place: HeadPlace): void {
  const { box, theme } = place;
  const forms = shorterForms(all.map(({ label }) => label));
  for (const [index, trial] of all.entries()) {
    const left = Math.max(box.x, xOf(place, trial.from));
    const right = Math.min(box.x + box.width, xOf(place, trial.to));
    if (right <= left) continue;
    const colour = colourOf(trial, theme.scheme);
    const width = Math.max(1, right - left - 1);
    pen.rect({ x: left, y: box.y + 1, width, height: TRIALS - 3 }, { colour, opacity: 0.22 });
    pen.rect({ x: left, y: box.y + TRIALS - 4, width, height: 2 }, { colour });
    const words = width < LEAST_WORDS ? '' : fitting(pen, forms[index] ?? [], width - 8);
    if (words) pen.text(words, left + 4, box.y + TRIALS / 2 - 1, { colour: theme.text, size: SIZE });
  }
}

/** Words of marks in alternating rows, each limited by the next one of its row; only the sign if there is no room. */
function marks(pen: Pen, { marks: all }: LaneScene, place: HeadPlace): void {
  const { box, theme } = place;
  const end = box.x + box.width;
  const seen = [...all]
    .sort((one, other) => one.at - other.at)
    .map((mark) => ({ ...mark, x: xOf(place, mark.at) }))
    .filter(({ x }) => x >= box.x && x <= end);
  seen.forEach((mark, index) => {
    const { kind, label, short = label, x } = mark;
    const room = (seen[index + ROWS]?.x ?? end) - x - 4;
    const words = shortened(pen, `${MARK_SIGNS[kind]} ${short}`, Math.min(MOST_WORDS, room)) || MARK_SIGNS[kind];
    const y = box.y + TRIALS + ROW / 2 + (index % ROWS) * ROW;
    pen.text(words, x - 3, y, { colour: colourOfMark(mark, theme), size: SIZE });
  });
}

/** The longest of these forms of a name that fits, else the shortest with its longest part cut; empty if nothing of that could be read. */
function fitting(pen: Pick<Pen, 'widthOf'>, forms: readonly string[], width: number): string {
  const fits = (words: string): boolean => pen.widthOf(words, SIZE) <= width;
  const whole = forms.find(fits);
  if (whole !== undefined) return whole;
  const shortest = forms.at(-1) ?? '';
  for (let most = shortest.length - 1; most >= LEAST_LETTERS; most--) {
    const cut = cutParts(shortest, most);
    if (cut === undefined) return '';
    if (fits(cut)) return cut;
  }
  return '';
}

/** As many characters of the words as fit; empty if too few are left to be readable. */
export function shortened(pen: Pick<Pen, 'widthOf'>, words: string, width: number): string {
  if (pen.widthOf(words, SIZE) <= width) return words;
  const share = Math.floor((words.length * width) / Math.max(1, pen.widthOf(words, SIZE))) - 1;
  return share >= 5 ? `${words.slice(0, share)}…` : '';
}

function axis(pen: Pen, clock: LaneClock, place: HeadPlace): void {
  const { box, view, theme } = place;
  const foot = box.y + TRIALS + ROWS * ROW + TICKS - 1;
  pen.rect({ x: box.x, y: foot, width: box.width, height: 1 }, { colour: theme.axis });
  for (const { at, words } of ticksOf(view, clock, Math.floor(box.width / TICK_ROOM))) {
    const x = Math.round(xOf(place, at));
    pen.rect({ x, y: foot - 4, width: 1, height: 4 }, { colour: theme.axis });
    const half = pen.widthOf(words, SIZE) / 2;
    const middle = Math.min(box.x + box.width - half, Math.max(box.x + half, x));
    pen.text(words, middle, foot - 11, { colour: theme.faint, size: SIZE, align: 'center' });
  }
}

/** Round moments of the visible part with their words: seconds of a run, or the local time of day, with the date at each midnight. */
export function ticksOf(view: Span, clock: LaneClock, most: number): { at: number; words: string }[] {
  if (clock.folded) return ticksOfFolded(view, clock, clock.folded, most);
  const step = timeStep(view.to - view.from, Math.max(2, most));
  if (clock.from === undefined && step >= DAY) return daysOf(view, clock.zero, step / DAY);
  const shift = clock.from ?? -secondOfDay(clock.zero);
  const first = Math.ceil((view.from - shift) / step);
  const count = Math.max(0, Math.floor((view.to - shift) / step) - first + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = (first + index) * step + shift;
    const isMidnight = clock.from === undefined && secondOfDay(Math.round(clock.zero + at * 1000)) === 0;
    return { at, words: isMidnight ? formatDay(clock.zero + at * 1000) : clockWords(at, clock, step < 60) };
  });
}

/** Round moments that are not omitted, with enough distance for their words. */
function ticksOfFolded(view: Span, { zero }: LaneClock, folded: FoldedAxis, most: number) {
  const step = timeStep(view.to - view.from, Math.max(2, most));
  const room = (view.to - view.from) / Math.max(2, most);
  const [from, to] = [folded.real(view.from), folded.real(view.to)];
  const shift = -secondOfDay(zero);
  const ticks: { at: number; words: string }[] = [];
  for (let second = Math.ceil((from - shift) / step) * step + shift; second <= to; second += step) {
    const at = folded.fold(second);
    if (Math.abs(folded.real(at) - second) > 1 || at - (ticks.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < room) continue;
    const moment = zero + second * 1000;
    const isMidnight = secondOfDay(Math.round(moment)) === 0;
    ticks.push({ at, words: isMidnight ? formatDay(moment) : clockWords(second, { zero }, step < 60) });
  }
  return ticks;
}

export const DAY = 86_400;

/** Every `every`th midnight by the calendar, as days differ in length. */
function daysOf(view: Span, zero: number, every: number): { at: number; words: string }[] {
  const first = new Date(zero + view.from * 1000);
  const ticks: { at: number; words: string }[] = [];
  for (let day = 1; ; day += every) {
    const midnight = new Date(first.getFullYear(), first.getMonth(), first.getDate() + day).getTime();
    const at = (midnight - zero) / 1000;
    if (at > view.to) return ticks;
    ticks.push({ at, words: formatDay(midnight) });
  }
}

/** Seconds since local midnight. */
function secondOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * 3600 + date.getMinutes() * 60 + date.getSeconds() + date.getMilliseconds() / 1000;
}

/** From this length on, a moment of a run is formatted as a clock. */
const LONG = 600;

/** A moment of the axis in words: `42 s`, `12:05`, `14:32:07`. */
export function clockWords(at: number, clock: LaneClock, withSeconds = true): string {
  if (clock.from === undefined) {
    const words = formatTimeOfDay(momentOnClock(at, clock));
    return withSeconds ? words : words.slice(0, 5);
  }
  const seconds = at - clock.from;
  const sign = seconds <= -0.5 ? '−' : '';
  const size = Math.abs(seconds);
  if (size >= LONG) return `${sign}${formatClock(size)}`;
  return `${sign}${Math.round(size * 10) / 10} s`;
}

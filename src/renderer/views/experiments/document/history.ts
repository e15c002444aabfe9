import type { Experiment } from '../../../../shared/model/experiment.ts';

/** A document at one moment: its text, the forms, and whether the forms are ahead of the text. */
export interface Moment {
  readonly text: string;
  readonly experiment: Experiment | undefined;
  readonly textBehind: boolean;
}

/** Path of a change, separated by points; `TEXT`: the text as a whole. */
export type Place = string;
export const TEXT: Place = 'text';

interface Step {
  readonly moment: Moment;
  readonly place: Place;
  /** Whether it may be continued: letters of a word being typed. */
  readonly typed: boolean;
  /** Time of its last addition, milliseconds. */
  readonly at: number;
}

const MOST_STEPS = 200;
/** Typing in one place without a longer break is one step. */
const BREAK_MS = 1000;

/** Steps to undo and redo. Immutable: every move returns a new one. */
export interface History {
  readonly back: readonly Step[];
  readonly forth: readonly Step[];
}
export const NO_HISTORY: History = { back: [], forth: [] };

/** A change at `now`: `before` is the previous document. Undone steps can no longer be redone. */
export function changed(
  { back }: History,
  before: Moment,
  { place, typed }: Pick<Step, 'place' | 'typed'>,
  now: number,
): History {
  const last = back.at(-1);
  if (last && typed && last.typed && last.place === place && now - last.at < BREAK_MS)
    return { back: [...back.slice(0, -1), { ...last, at: now }], forth: [] };
  return { back: [...back.slice(1 - MOST_STEPS), { moment: before, place, typed, at: now }], forth: [] };
}

interface Moved {
  readonly history: History;
  readonly moment: Moment;
  readonly place: Place;
}

/** Undoes one step from `present`; undefined if there is none. */
export function stepBack({ back, forth }: History, present: Moment): Moved | undefined {
  const step = back.at(-1);
  if (!step) return undefined;
  const { moment, place } = step;
  return { moment, place, history: { back: back.slice(0, -1), forth: [...forth, { ...step, moment: present }] } };
}

/** Redoes the last undone step. Subsequent changes are separate steps. */
export function stepForth({ back, forth }: History, present: Moment): Moved | undefined {
  const step = forth.at(-1);
  if (!step) return undefined;
  const { moment, place } = step;
  const done = { ...step, moment: present, typed: false };
  return { moment, place, history: { back: [...back, done], forth: forth.slice(0, -1) } };
}

/** The single place in which two documents differ, and whether one value was replaced there; undefined if they are equal. */
export function changeBetween(before: unknown, after: unknown, path = ''): Pick<Step, 'place' | 'typed'> | undefined {
  if (Object.is(before, after)) return undefined;
  if (!isGroup(before) || !isGroup(after) || Array.isArray(before) !== Array.isArray(after))
    return { place: path, typed: !isGroup(before) && !isGroup(after) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differ = names.flatMap((name) => {
    const change = changeBetween(before[name], after[name], path === '' ? name : `${path}.${name}`);
    return change ? [change] : [];
  });
  const [only, another] = differ;
  return only && !another ? only : only && { place: path === '' ? only.place : path, typed: false };
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

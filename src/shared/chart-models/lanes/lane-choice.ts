import { z } from 'zod';
import type { LaneHead } from './lane.ts';

/** Lanes to show, and their order. Without a choice, lanes have their defaults, so that a new host appears. */
export const LaneChoice = z.object({
  shown: z.array(z.string()),
  hidden: z.array(z.string()),
  /** Order of moved lanes: by group, all of its lanes that were visible then. */
  order: z.record(z.string(), z.array(z.string())),
  collapsed: z.array(z.string()),
  /** Whether the list of lanes is open; absent: open if there is room. */
  isOpen: z.boolean().optional(),
});
export type LaneChoice = z.infer<typeof LaneChoice>;

export const NOTHING_CHOSEN: LaneChoice = { shown: [], hidden: [], order: {}, collapsed: [] };

export interface Choosable extends LaneHead {
  isMain: boolean;
}

export const isShown = ({ id, isMain }: Pick<Choosable, 'id' | 'isMain'>, { shown, hidden }: LaneChoice): boolean =>
  shown.includes(id) || (isMain && !hidden.includes(id));

/** Shows or hides lanes. */
export function switched(choice: LaneChoice, lanes: readonly Choosable[], isOn: boolean): LaneChoice {
  const ids = new Set(lanes.map(({ id }) => id));
  const others = (list: readonly string[]): string[] => list.filter((id) => !ids.has(id));
  const named = (isMain: boolean): string[] => lanes.filter((lane) => lane.isMain === isMain).map(({ id }) => id);
  return {
    ...choice,
    shown: [...others(choice.shown), ...(isOn ? named(false) : [])],
    hidden: [...others(choice.hidden), ...(isOn ? [] : named(true))],
  };
}

/** Makes these lanes visible, whatever was chosen. */
export const withLanes = (choice: LaneChoice, lanes: readonly Choosable[]): LaneChoice => ({
  ...switched(choice, lanes, true),
  collapsed: choice.collapsed.filter((group) => !lanes.some((lane) => lane.group === group)),
});

/** The visible lanes of a group in the chosen order; lanes that did not exist then follow their neighbours. */
export function shownLanes<L extends Choosable>(group: string, lanes: readonly L[], choice: LaneChoice): L[] {
  const order = choice.order[group] ?? [];
  const shown = lanes.filter((lane) => isShown(lane, choice));
  const placed = order.flatMap((id) => shown.find((lane) => lane.id === id) ?? []);
  shown.forEach((lane, index) => {
    if (order.includes(lane.id)) return;
    const before = shown[index - 1];
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, lane);
  });
  return placed;
}

/** Moves a lane among the visible ones of its group. */
export function moved(
  choice: LaneChoice,
  group: string,
  lanes: readonly Choosable[],
  id: string,
  by: number,
): LaneChoice {
  const ids = shownLanes(group, lanes, choice).map((lane) => lane.id);
  const from = ids.indexOf(id);
  const to = Math.min(ids.length - 1, Math.max(0, from + by));
  if (from < 0 || from === to) return choice;
  ids.splice(to, 0, ...ids.splice(from, 1));
  return { ...choice, order: { ...choice.order, [group]: ids } };
}

export const collapsed = (choice: LaneChoice, group: string): LaneChoice => ({
  ...choice,
  collapsed: choice.collapsed.includes(group)
    ? choice.collapsed.filter((id) => id !== group)
    : [...choice.collapsed, group],
});

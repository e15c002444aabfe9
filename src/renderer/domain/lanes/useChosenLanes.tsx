import { Button } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import {
  type Choosable,
  collapsed,
  LaneChoice,
  type LaneHead,
  type MonitoredLane,
  moved,
  NOTHING_CHOSEN,
  shownLanes,
  switched,
  withLanes,
} from '../../../shared/chart-models/index.ts';
import type { LaneStackProperties, ShownGroup } from '../../charts/index.ts';
import { LanePicker, type PickerGroup } from './LanePicker.tsx';

/** A group of lanes to choose from, with the text of its head. */
export interface ChoosableGroup extends PickerGroup, Partial<Pick<ShownGroup, 'notes' | 'problem'>> {}

interface ChosenLanes {
  /** The visible lanes, including those of collapsed groups. */
  groups: readonly ShownGroup[];
  /** Opens and closes the list of lanes. */
  button: ReactNode;
  /** Properties of a stack of lanes that make its lanes selectable. */
  stack: Pick<LaneStackProperties, 'collapsed' | 'onCollapse' | 'onMove' | 'onHide' | 'aside'> & {
    collapsed: ReadonlySet<string>;
  };
}

/** Lanes that are shown without being chosen, until the user chooses: then they become part of the choice. */
interface AskedLanes {
  lanes: readonly MonitoredLane[];
  forget: () => void;
}

/** The chosen lanes of an experiment, stored in this browser by `name`. `isOpenAtFirst`: whether the list of lanes is open by default. */
export function useChosenLanes(
  name: string,
  all: readonly ChoosableGroup[],
  isOpenAtFirst: boolean,
  asked?: AskedLanes,
): ChosenLanes {
  const [choice, change] = useChoiceWith(name, asked);
  const isOpen = choice.isOpen ?? isOpenAtFirst;
  const groups = useMemo(
    () =>
      all.map(({ id, name: title, lanes, notes = [], problem }): ShownGroup => {
        return { ...{ id, name: title, notes, problem }, lanes: shownLanes(id, lanes, choice) };
      }),
    [all, choice],
  );
  const lanesOf = ({ group }: LaneHead): readonly Choosable[] => all.find(({ id }) => id === group)?.lanes ?? [];
  return {
    groups,
    button: (
      <Button
        variant={isOpen ? 'light' : 'default'}
        leftSection={<IconListCheck size={16} />}
        aria-expanded={isOpen}
        onClick={() => change((before) => ({ ...before, isOpen: !isOpen }))}
      >
        Lanes
      </Button>
    ),
    stack: {
      collapsed: useMemo(() => new Set(choice.collapsed), [choice.collapsed]),
      onCollapse: (group) => change((before) => collapsed(before, group)),
      onMove: (lane, by) => change((before) => moved(before, lane.group, lanesOf(lane), lane.id, by)),
      onHide: (lane) =>
        change((before) =>
          switched(
            before,
            lanesOf(lane).filter(({ id }) => id === lane.id),
            false,
          ),
        ),
      aside: isOpen ? <LanePicker groups={all} choice={choice} onChange={change} /> : null,
    },
  };
}

function useChoiceWith(name: string, asked: AskedLanes | undefined): ReturnType<typeof useLaneChoice> {
  const [kept, keep] = useLaneChoice(name);
  const lanes = asked?.lanes;
  const choice = useMemo(() => (lanes?.length ? withLanes(kept, lanes) : kept), [kept, lanes]);
  const change: typeof keep = (next) => {
    keep((before) => next(lanes?.length ? withLanes(before, lanes) : before));
    if (lanes?.length) asked?.forget();
  };
  return [choice, change];
}

const keyOf = (name: string): string => `kneepoint-lanes-${name}`;

function kept(name: string): LaneChoice {
  try {
    return LaneChoice.parse(JSON.parse(localStorage.getItem(keyOf(name)) ?? ''));
  } catch {
    // Nothing was stored, storage is not allowed, or it has another version.
    return NOTHING_CHOSEN;
  }
}

/** The choice for an experiment, by its name; stored in this browser. */
function useLaneChoice(name: string): [LaneChoice, (change: (before: LaneChoice) => LaneChoice) => void] {
  const [choice, setChoice] = useState(() => kept(name));
  const change = useCallback(
    (next: (before: LaneChoice) => LaneChoice) =>
      setChoice((before) => {
        const after = next(before);
        try {
          localStorage.setItem(keyOf(name), JSON.stringify(after));
        } catch {
          // The choice applies until the page is left.
        }
        return after;
      }),
    [name],
  );
  return [choice, change];
}

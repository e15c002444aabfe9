import { Button, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import {
  type Choosable,
  isShown,
  LANE_WORDS,
  type LaneChoice,
  type MonitoredLane,
  NOTHING_CHOSEN,
  switched,
} from '../../../shared/chart-models/index.ts';
import classes from './lane-picker.module.css';

/** A group of lanes to choose from. `words`: search terms of a lane in addition to its title. */
export interface PickerGroup {
  id: string;
  name: string;
  lanes: readonly (Choosable & Partial<Pick<MonitoredLane, 'lane' | 'series'>>)[];
}

interface PickerProperties {
  groups: readonly PickerGroup[];
  choice: LaneChoice;
  onChange: (change: (before: LaneChoice) => LaneChoice) => void;
}

type Pickable = PickerGroup['lanes'][number];

/** All lanes, by owner and subject. */
export function LanePicker({ groups, choice, onChange }: PickerProperties) {
  const [words, setWords] = useState('');
  const found = groups
    .map((group) => ({ ...group, lanes: group.lanes.filter((lane) => fits(lane, words)) }))
    .filter(({ lanes }) => lanes.length > 0);
  return (
    <aside className={classes.picker} aria-label="Lanes to choose from">
      <TextInput
        size="xs"
        placeholder="Find a series"
        aria-label="Find a series"
        leftSection={<IconSearch size={14} />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <div className={classes.list}>
        {found.map((group) => (
          <PickerPart key={group.id} group={group} isOpen={words !== ''} {...{ choice, onChange }} />
        ))}
        {found.length === 0 ? <p className="kp-small">No series match.</p> : null}
      </div>
      <Button size="compact-sm" variant="default" onClick={() => onChange(forgotten)}>
        Reset to default
      </Button>
    </aside>
  );
}

interface PartProperties {
  group: PickerGroup;
  /** Opened automatically, as it contains matches of a search. */
  isOpen: boolean;
  choice: LaneChoice;
  onChange: PickerProperties['onChange'];
}

function PickerPart({ group, isOpen, choice, onChange }: PartProperties) {
  const [opened, setOpened] = useState(false);
  const open = opened || isOpen;
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.group}>
      <div className={classes.head}>
        <Box lanes={group.lanes} choice={choice} label={`All lanes of ${group.name}`} onChange={onChange} />
        <button type="button" aria-expanded={open} onClick={() => setOpened(!open)}>
          <span className="kp-ellipsis">{group.name}</span>
          <span className="kp-small">{countWords(group.lanes, choice)}</span>
          <Icon size={14} aria-hidden="true" />
        </button>
      </div>
      {open
        ? partsOf(group.lanes).map(({ name, lanes }) => (
            <fieldset key={name}>
              {name ? <legend>{name}</legend> : null}
              {lanes.map((lane) => (
                <label
                  key={lane.id}
                  htmlFor={`pick ${lane.id}`}
                  title={lane.series?.map(({ label }) => label).join(', ')}
                >
                  <Box id={`pick ${lane.id}`} lanes={[lane]} choice={choice} onChange={onChange} />
                  <span className="kp-ellipsis">{lane.title}</span>
                  <span className="kp-small">{lane.unit}</span>
                </label>
              ))}
            </fieldset>
          ))
        : null}
    </div>
  );
}

const forgotten = (before: LaneChoice): LaneChoice => ({ ...before, ...NOTHING_CHOSEN });

function fits({ title, id, series = [] }: Pickable, words: string): boolean {
  const text = [title, id, ...series.flatMap((each) => [each.id, each.label])].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const countWords = (lanes: readonly Pickable[], choice: LaneChoice): string =>
  `${lanes.filter((lane) => isShown(lane, choice)).length} of ${lanes.length}`;

function partsOf(lanes: readonly Pickable[]): { name: string; lanes: Pickable[] }[] {
  const parts = new Map<string, Pickable[]>();
  for (const lane of lanes) {
    const name = lane.lane ? LANE_WORDS[lane.lane] : '';
    parts.set(name, [...(parts.get(name) ?? []), lane]);
  }
  return [...parts].map(([name, own]) => ({ name, lanes: own }));
}

interface BoxProperties {
  lanes: readonly Pickable[];
  choice: LaneChoice;
  id?: string;
  label?: string;
  onChange: PickerProperties['onChange'];
}

/** A box for one lane, or for all of a group: indeterminate if only some of them are shown. */
function Box({ lanes, choice, id, label, onChange }: BoxProperties) {
  const box = useRef<HTMLInputElement>(null);
  const count = lanes.filter((lane) => isShown(lane, choice)).length;
  const isAll = count === lanes.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isAll;
  }, [count, isAll]);
  return (
    <input
      ref={box}
      type="checkbox"
      checked={isAll}
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      onChange={() => onChange((before) => switched(before, lanes, !isAll))}
    />
  );
}

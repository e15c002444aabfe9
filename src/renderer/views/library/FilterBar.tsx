import { SegmentedControl, Switch, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';

export interface Filter {
  words: string;
  state: 'all' | 'open' | 'done' | 'incomplete';
  archived: boolean;
}
export const ALL_SESSIONS: Filter = { words: '', state: 'all', archived: false };

const STATES: { value: Filter['state']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Not ended' },
  { value: 'done', label: 'Done' },
  { value: 'incomplete', label: 'Failed or stopped' },
];

/** Whether a session fits the filter: every word somewhere in its name, question, tags, tool, target or generators. */
export function matches(session: Session, filter: Filter): boolean {
  const ended = ENDED_SESSION.includes(session.state);
  if (filter.state === 'open' && ended) return false;
  if (filter.state === 'done' && session.state !== 'done') return false;
  if (filter.state === 'incomplete' && (!ended || session.state === 'done')) return false;
  const text = [session.name, session.question, ...session.tags, session.tool, session.target, ...session.generators]
    .join(' ')
    .toLowerCase();
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function FilterBar({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  return (
    <>
      <TextInput
        aria-label="Filter"
        placeholder="Name, tag, tool, target…"
        leftSection={<IconFilter size={16} />}
        w={260}
        value={filter.words}
        onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label="State"
        data={STATES}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <Switch
        label="Archived too"
        ml="auto"
        checked={filter.archived}
        onChange={(event) => onChange({ ...filter, archived: event.currentTarget.checked })}
      />
    </>
  );
}

import {
  ActionIcon,
  Button,
  CloseButton,
  MultiSelect,
  Popover,
  SegmentedControl,
  Select,
  Switch,
  TextInput,
} from '@mantine/core';
import { IconBookmark, IconFilter, IconTag } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Session } from '../../../shared/model/session.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import {
  type Columns,
  type Filter,
  GROUPINGS,
  type Grouping,
  isInState,
  type SavedView,
  useSavedViews,
} from './filter.ts';

const STATES: { value: Filter['state']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Active' },
  { value: 'done', label: 'Done' },
  { value: 'incomplete', label: 'Failed or stopped' },
];

const GROUP_WORDS: Readonly<Record<Grouping, string>> = {
  none: 'Not grouped',
  experiment: 'By experiment',
  tool: 'By tool',
  target: 'By target',
  tag: 'By tag',
  date: 'By date',
};

interface Properties {
  filter: Filter;
  /** Sessions that match the rest of the filter, in any state; undefined while they load. */
  found: readonly Session[] | undefined;
  /** Existing tags. */
  tags: readonly string[];
  onChange: (filter: Filter) => void;
  /** Columns that can be hidden and moved, in their order. */
  columns: readonly { id: string; header: string }[];
  chosen: Columns;
  onColumns: (chosen: Columns) => void;
}

/** Filter and grouping of the listed sessions. */
export function FilterBar({ filter, found, tags, onChange, columns, chosen, onColumns }: Properties) {
  return (
    <>
      <TextInput
        aria-label="Filter"
        className="kp-library-words"
        placeholder="Filter by name, tag, tool, target"
        leftSection={<IconFilter size={16} />}
        value={filter.words}
        onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
      />
      {tags.length > 0 || filter.tags.length > 0 ? (
        <MultiSelect
          aria-label="Tags"
          className="kp-library-tags"
          placeholder={filter.tags.length === 0 ? 'Any tag' : ''}
          leftSection={<IconTag size={16} />}
          searchable
          hidePickedOptions
          clearable
          data={[...new Set([...tags, ...filter.tags])]}
          value={[...filter.tags]}
          onChange={(chosen) => onChange({ ...filter, tags: chosen })}
        />
      ) : null}
      <SegmentedControl
        aria-label="State"
        data={STATES.map(({ value, label }) => ({
          value,
          label: found ? (
            <Counted label={label} count={found.filter((each) => isInState(each, value)).length} />
          ) : (
            label
          ),
        }))}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <Select
        aria-label="Group"
        w={144}
        allowDeselect={false}
        data={GROUPINGS.map((value) => ({ value, label: GROUP_WORDS[value] }))}
        value={filter.group}
        onChange={(value) => {
          const group = GROUPINGS.find((entry) => entry === value);
          if (group) onChange({ ...filter, group, closed: [] });
        }}
      />
      <Switch
        label="Archive"
        ml="auto"
        checked={filter.archived}
        onChange={(event) => onChange({ ...filter, archived: event.currentTarget.checked })}
      />
      <SavedViews
        filter={filter}
        columns={chosen}
        onOpen={(view) => {
          onChange(view.filter);
          onColumns(view.columns);
        }}
      />
      <ColumnMenu
        columns={columns}
        hidden={chosen.hidden}
        onHidden={(hidden) => onColumns({ ...chosen, hidden })}
        onOrder={(order) => onColumns({ ...chosen, order })}
      />
    </>
  );
}

const Counted = ({ label, count }: { label: string; count: number }) => (
  <>
    {label} <span className="kp-library-count">{formatNumber(count)}</span>
  </>
);

interface SavedViewsProperties {
  filter: Filter;
  columns: Columns;
  onOpen(view: SavedView): void;
}

/** Saved views of the list: each restores its filter, sorting and columns, and the current one can be saved. */
function SavedViews({ filter, columns, onOpen }: SavedViewsProperties) {
  const [views, setViews] = useSavedViews();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const called = name.trim();
    setViews([...views.filter((view) => view.name !== called), { name: called, filter, columns }]);
    setName('');
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={280} trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size="lg" aria-label="Saved views" onClick={() => setOpened(!opened)}>
          <IconBookmark size={16} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        {views.length > 0 && (
          <ul className="kp-library-views" aria-label="Views">
            {views.map((view) => (
              <li key={view.name}>
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  onClick={() => {
                    onOpen(view);
                    setOpened(false);
                  }}
                >
                  {view.name}
                </Button>
                <CloseButton
                  size="sm"
                  aria-label={`Remove view ${view.name}`}
                  onClick={() => setViews(views.filter((other) => other !== view))}
                />
              </li>
            ))}
          </ul>
        )}
        <form className="kp-library-save" onSubmit={save}>
          <TextInput
            size="xs"
            aria-label="Name of the view"
            placeholder="Name of this view"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" variant="default" disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

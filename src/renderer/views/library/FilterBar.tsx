import { ActionIcon, Menu, MultiSelect, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { IconColumns3, IconFilter, IconTag } from '@tabler/icons-react';
import { type Filter, GROUPINGS, type Grouping } from './filter.ts';
import { SavedViews } from './SavedViews.tsx';

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
  /** Existing tags. */
  tags: readonly string[];
  onChange: (filter: Filter) => void;
  /** Columns that can be hidden. */
  columns: readonly { id: string; header: string }[];
  hidden: readonly string[];
  onHidden: (ids: readonly string[]) => void;
}

/** Filter and grouping of the listed sessions. */
export function FilterBar({ filter, tags, onChange, columns, hidden, onHidden }: Properties) {
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
        data={STATES}
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
        hidden={hidden}
        onOpen={(view) => {
          onChange(view.filter);
          onHidden(view.hidden);
        }}
      />
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label="Columns">
            <IconColumns3 size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {columns.map(({ id, header }) => (
            <Menu.CheckboxItem
              key={id}
              checked={!hidden.includes(id)}
              onChange={(shown) => onHidden(shown ? hidden.filter((each) => each !== id) : [...hidden, id])}
            >
              {header}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

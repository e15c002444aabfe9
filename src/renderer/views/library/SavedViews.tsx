import { ActionIcon, Button, CloseButton, Popover, TextInput } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type Filter, type SavedView, useSavedViews } from './filter.ts';

interface Properties {
  filter: Filter;
  hidden: readonly string[];
  onOpen(view: SavedView): void;
}

/** Saved views of the list: each restores its filter, order and columns, and the current one can be saved. */
export function SavedViews({ filter, hidden, onOpen }: Properties) {
  const [views, setViews] = useSavedViews();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const called = name.trim();
    setViews([...views.filter((view) => view.name !== called), { name: called, filter, hidden }]);
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

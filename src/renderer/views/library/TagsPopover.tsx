import { Button, Group, Popover, Stack, TagsInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import type { Session } from '../../../shared/model/session.ts';

interface Properties {
  chosen: readonly Session[];
  /** Tags that sessions have. */
  known: readonly string[];
  onTag: (tagsOf: (session: Session) => readonly string[]) => void;
}

/** Adds tags to the chosen sessions, or removes those that all of them have; tags of single ones stay. */
export function TagsPopover({ chosen, known, onTag }: Properties) {
  const [opened, setOpened] = useState(false);
  const common = (chosen[0]?.tags ?? []).filter((tag) => chosen.every(({ tags }) => tags.includes(tag)));
  const [tags, setTags] = useState<readonly string[]>([]);
  const toggle = (): void => {
    setTags(common);
    setOpened(!opened);
  };
  const apply = (): void => {
    const removed = common.filter((tag) => !tags.includes(tag));
    setOpened(false);
    onTag((session) => [...new Set([...session.tags.filter((tag) => !removed.includes(tag)), ...tags])]);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="top" shadow="md" width={320} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconTag size={16} />} onClick={toggle}>
          Tag
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <TagsInput
            label={chosen.length > 1 ? 'Tags of all selected sessions' : 'Tags'}
            description="Enter after each. A tag that only some have stays."
            data={known.filter((tag) => !tags.includes(tag))}
            value={[...tags]}
            onChange={setTags}
            limit={4}
            comboboxProps={{ withinPortal: false }}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
            <Button onClick={apply}>Save tags</Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

import { Button, Group, Menu, Popover, Stack, TagsInput } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowsDiff, IconDownload, IconTag, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { EXPORTS, useExport } from '../../domain/index.ts';
import type { useDropPlace } from '../../ui/index.ts';
import type { SessionChanges } from './useSessionChanges.tsx';

interface SelectionProperties {
  chosen: readonly Session[];
  /** The list is the archive. */
  archived: boolean;
  tags: readonly string[];
  changes: SessionChanges;
  onClear: () => void;
  /** A session dropped on it is selected too. */
  drop: ReturnType<typeof useDropPlace>;
}

/** Actions for the selected sessions, at the bottom of the window. The older of two is the baseline; the comparison can swap them. */
export function SelectionBar({ chosen, archived, tags, changes, onClear, drop }: SelectionProperties) {
  const [, go] = useLocation();
  const files = useExport();
  const [older, newer] = [...chosen].sort((one, other) => one.createdAt - other.createdAt);
  const whole = !chosen.some(({ damaged }) => damaged);
  const two = chosen.length === 2 && older && newer && whole;
  const ended = chosen.every((session) => ENDED_SESSION.includes(session.state));
  const whys = [
    chosen.length === 2
      ? undefined
      : `Compare takes two sessions: ${chosen.length === 1 ? 'select one more' : `deselect ${chosen.length - 2}`}.`,
    whole ? undefined : 'A damaged session cannot be compared or exported.',
    ended ? undefined : 'Only sessions that have ended can be archived or removed.',
  ].filter((why) => why !== undefined);
  const whyId = useId();
  const done = (work: () => void) => () => {
    work();
    onClear();
  };
  return (
    <section className="kp-selection-bar" aria-label="Selected sessions" {...drop}>
      <b aria-live="polite">{formatCount(chosen.length, 'session')} selected</b>
      <Button
        leftSection={<IconArrowsDiff size={16} />}
        disabled={!two}
        aria-describedby={whyId}
        onClick={() => two && go(`/compare?baseline=${older.id}&other=${newer.id}`)}
      >
        Compare
      </Button>
      <Menu position="top-start" width={200}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            disabled={!whole}
            aria-describedby={whyId}
            loading={files.busy}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>A file for each session</Menu.Label>
          {EXPORTS.map(([format, label, _, Icon]) => (
            <Menu.Item
              key={format}
              leftSection={<Icon size={16} stroke={1.6} />}
              onClick={() =>
                files.start(
                  chosen.map(({ id }) => ({ sessionId: id })),
                  format,
                )
              }
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <TagsPopover chosen={chosen} known={tags} onTag={(tagsOf) => changes.tag(chosen, tagsOf)} />
      <Button
        variant="default"
        leftSection={archived ? <IconArchiveOff size={16} /> : <IconArchive size={16} />}
        disabled={!ended}
        aria-describedby={whyId}
        onClick={done(() => changes.archive(chosen, !archived))}
      >
        {archived ? 'Unarchive' : 'Archive'}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        disabled={!ended}
        aria-describedby={whyId}
        onClick={done(() => changes.remove(chosen))}
      >
        Remove
      </Button>
      <span className="kp-small" id={whyId}>
        {whys.join(' ')}
      </span>
      <Button variant="subtle" color="gray" ml="auto" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
}

interface Properties {
  chosen: readonly Session[];
  /** Existing tags of sessions. */
  known: readonly string[];
  onTag: (tagsOf: (session: Session) => readonly string[]) => void;
}

/** Adds tags to the chosen sessions, or removes those that all of them have; tags of single ones are kept. */
function TagsPopover({ chosen, known, onTag }: Properties) {
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
            description="Press Enter after each tag. Tags that only some of the sessions have stay."
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

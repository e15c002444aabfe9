import { Button, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowsDiff, IconDownload, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { EXPORTS, useExport } from '../../domain/index.ts';
import { TagsPopover } from './TagsPopover.tsx';
import type { SessionChanges } from './useSessionChanges.tsx';

interface SelectionProperties {
  chosen: readonly Session[];
  /** The list is that of the archive. */
  archived: boolean;
  tags: readonly string[];
  changes: SessionChanges;
  onClear: () => void;
}

/** What can be done with the selected sessions, at the foot of the window. The older of two is the baseline; the comparison can swap them. */
export function SelectionBar({ chosen, archived, tags, changes, onClear }: SelectionProperties) {
  const [, go] = useLocation();
  const files = useExport();
  const [older, newer] = [...chosen].sort((one, other) => one.createdAt - other.createdAt);
  const whole = !chosen.some(({ damaged }) => damaged);
  const two = chosen.length === 2 && older && newer && whole;
  const ended = chosen.every((session) => ENDED_SESSION.includes(session.state));
  const whys = [
    chosen.length === 2
      ? undefined
      : `Compare takes two sessions: ${chosen.length === 1 ? 'select one more' : `clear ${chosen.length - 2}`}.`,
    whole ? undefined : 'A damaged session cannot be compared or exported.',
    ended ? undefined : 'Archive and Delete take only sessions that have ended.',
  ].filter((why) => why !== undefined);
  const whyId = useId();
  const done = (work: () => void) => () => {
    work();
    onClear();
  };
  return (
    <section className="kp-selection-bar" aria-label="Selected sessions">
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
        {archived ? 'Take out of archive' : 'Archive'}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        disabled={!ended}
        aria-describedby={whyId}
        onClick={done(() => changes.remove(chosen))}
      >
        Delete
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

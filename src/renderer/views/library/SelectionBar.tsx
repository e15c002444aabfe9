import { Button } from '@mantine/core';
import { IconArchive, IconArrowsDiff, IconTrash } from '@tabler/icons-react';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';

interface SelectionProperties {
  chosen: readonly Session[];
  onCompare: (baseline: number, other: number) => void;
  onArchive: () => void;
  onRemove: () => void;
  onClear: () => void;
}

/** What can be done with the ticked sessions. The older of two is the baseline; the comparison can swap them. */
export function SelectionBar({ chosen, onCompare, onArchive, onRemove, onClear }: SelectionProperties) {
  const [older, newer] = [...chosen].sort((one, other) => one.createdAt - other.createdAt);
  const two = chosen.length === 2 && older && newer && !chosen.some(({ damaged }) => damaged);
  const ended = chosen.every((session) => ENDED_SESSION.includes(session.state));
  return (
    <>
      <b>{formatCount(chosen.length, 'session')} selected</b>
      <Button
        leftSection={<IconArrowsDiff size={16} />}
        disabled={!two}
        title={two ? '' : 'Select two sessions to compare them.'}
        onClick={() => two && onCompare(older.id, newer.id)}
      >
        Compare
      </Button>
      <Button
        variant="default"
        leftSection={<IconArchive size={16} />}
        disabled={!ended}
        onClick={() => {
          onArchive();
          onClear();
        }}
      >
        Archive
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        disabled={!ended}
        title={ended ? '' : 'Only sessions that have ended can be deleted.'}
        onClick={() => {
          onRemove();
          onClear();
        }}
      >
        Delete
      </Button>
      <Button variant="subtle" color="gray" ml="auto" onClick={onClear}>
        Clear selection
      </Button>
    </>
  );
}

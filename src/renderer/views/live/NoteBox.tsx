import { Button, Popover, TextInput } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import type { LogEntry } from '../../../shared/model/session.ts';
import { useAction } from '../../client/index.ts';
import { ProblemBanner } from '../../ui/index.ts';

interface NoteBoxProperties {
  sessionId: number;
  opened: boolean;
  onOpen: (opened: boolean) => void;
  onAdded: (entry: LogEntry) => void;
}

/** A note pinned to this moment: it appears in the log and on the time axis. Its field overlays the page, which does not move. */
export function NoteBox({ sessionId, opened, onOpen, onAdded }: NoteBoxProperties) {
  const [message, setMessage] = useState('');
  const add = useAction('sessions.addNote', {
    onSuccess: (entry) => {
      onAdded(entry);
      setMessage('');
      onOpen(false);
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (message.trim()) add.mutate({ id: sessionId, message: message.trim() });
  };
  return (
    <Popover opened={opened} onChange={onOpen} position="bottom-end" width={440} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconNote size={16} />} title="Press N" onClick={() => onOpen(!opened)}>
          Note
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form className="kp-bar" onSubmit={submit}>
          <TextInput
            aria-label="Note"
            placeholder="What happened just now? Enter saves."
            style={{ flex: 1 }}
            maxLength={2000}
            data-autofocus
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <Button type="submit" loading={add.isPending} disabled={!message.trim()}>
            Save note
          </Button>
        </form>
        {add.error ? <ProblemBanner problem={add.error.problem} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}

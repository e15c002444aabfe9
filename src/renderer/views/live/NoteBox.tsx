import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { LogEntry } from '../../../shared/model/session.ts';
import { useAction } from '../../client/index.ts';
import { ProblemBanner } from '../../ui/index.ts';

interface NoteBoxProperties {
  sessionId: number;
  onAdded: (entry: LogEntry) => void;
  onDone: () => void;
}

/** A note pinned to this moment: it stands in the log and on the time axis. */
export function NoteBox({ sessionId, onAdded, onDone }: NoteBoxProperties) {
  const [message, setMessage] = useState('');
  const add = useAction('sessions.addNote', {
    onSuccess: (entry) => {
      onAdded(entry);
      onDone();
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (message.trim()) add.mutate({ id: sessionId, message: message.trim() });
  };
  return (
    <form className="kp-bar" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <TextInput
        aria-label="Note"
        placeholder="What happened just now? Enter saves, Esc cancels."
        style={{ flex: 1 }}
        maxLength={2000}
        data-autofocus
        ref={(field) => field?.focus()}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <Button type="submit" loading={add.isPending} disabled={!message.trim()}>
        Save note
      </Button>
      {add.error ? <ProblemBanner problem={add.error.problem} /> : null}
    </form>
  );
}

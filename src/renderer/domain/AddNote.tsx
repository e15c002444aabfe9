import { Button, NumberInput, Popover, Select, Stack, TextInput } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { Run } from '../../shared/model/session.ts';
import { formatLevels } from '../../shared/util/format.ts';
import { callKey, useAction } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';

/** A moment of a run, in its own seconds. */
interface NoteMoment {
  runId: number;
  second: number;
}

interface AddNoteProperties {
  sessionId: number;
  runs: readonly Run[];
  /** The selected moment when the form is opened; absent: the first second of the first run. */
  momentAt?: () => NoteMoment | undefined;
}

const runWords = ({ trial, stepName, levels, repeat }: Run): string =>
  [`Trial ${trial + 1}`, stepName, formatLevels(levels), `repeat ${repeat + 1}`].filter(Boolean).join(', ');

/** Adds a note to a moment of a measured run: it appears on every chart with this moment. */
export function AddNote({ sessionId, runs, momentAt }: AddNoteProperties) {
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const [message, setMessage] = useState('');
  const [moment, setMoment] = useState<NoteMoment>();
  const started = runs.filter(({ startedAt }) => startedAt !== undefined);
  const run = started.find(({ id }) => id === moment?.runId) ?? started[0];
  const second = moment?.second ?? 0;
  const add = useAction('sessions.addNote', {
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: callKey('sessions.events') });
      setMessage('');
      setOpened(false);
    },
  });
  if (!run) return null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const at = (run.startedAt ?? 0) + 1000 * second;
    if (message.trim()) add.mutate({ id: sessionId, message: message.trim(), at });
  };
  const toggle = (): void => {
    setMoment(momentAt?.() ?? moment);
    setOpened(!opened);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={360} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconNote size={16} />} onClick={toggle}>
          Add a note
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              label="Note"
              maxLength={2000}
              data-autofocus
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
            />
            <Select
              label="In the run"
              searchable
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              data={started.map((each) => ({ value: String(each.id), label: runWords(each) }))}
              value={String(run.id)}
              onChange={(value) => setMoment({ runId: Number(value), second })}
            />
            <NumberInput
              label="Second of the run"
              min={0}
              max={Math.max(run.seconds, run.warmup + run.duration)}
              clampBehavior="strict"
              value={second}
              onChange={(value) => setMoment({ runId: run.id, second: Number(value) || 0 })}
            />
            <Button type="submit" loading={add.isPending} disabled={!message.trim()}>
              Save note
            </Button>
            {add.error ? <ProblemBanner problem={add.error.problem} /> : null}
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

import { Button, Group, Popover, Stack, Text, Textarea } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Run } from '../../shared/model/session.ts';
import { useAction } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';

interface Properties {
  sessionId: number;
  run: Pick<Run, 'id' | 'trial' | 'excluded'>;
}

/** Excludes a run from all figures with a reason, or replaces it with a new measurement; includes an excluded one again. */
export function ExcludeRun({ sessionId, run }: Properties) {
  const [, go] = useLocation();
  const exclude = useAction('sessions.exclude');
  const include = useAction('sessions.include');
  const replace = useAction('sessions.repeat', { onSuccess: () => go(`/sessions/${sessionId}/live`) });
  const runs = { id: sessionId, runIds: [run.id] };
  const error = exclude.error ?? include.error ?? replace.error;
  return (
    <>
      {run.excluded ? (
        <Button variant="default" loading={include.isPending} onClick={() => include.mutate(runs)}>
          Include run
        </Button>
      ) : (
        <Group gap="xs" wrap="nowrap">
          <WithReason
            label="Exclude"
            trial={run.trial}
            what="Excluded from every figure and verdict; your reason is shown. Its data stays stored."
            busy={exclude.isPending}
            onReason={(reason) => exclude.mutate({ ...runs, reason })}
          />
          <WithReason
            label="Replace"
            trial={run.trial}
            what="Excluded from every figure; a replacement is measured after the rest of the plan. Its data stays stored."
            busy={replace.isPending}
            onReason={(reason) => replace.mutate({ ...runs, reason })}
          />
        </Group>
      )}
      {error ? <ProblemBanner problem={error.problem} /> : null}
    </>
  );
}

interface ReasonProperties {
  label: string;
  trial: number;
  /** Words for its action. */
  what: string;
  busy: boolean;
  onReason(reason: string): void;
}

function WithReason({ label, trial, what, busy, onReason }: ReasonProperties) {
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState('');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setOpened(false);
    onReason(reason.trim());
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={340} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          aria-label={`${label} trial ${trial + 1}`}
          loading={busy}
          onClick={() => setOpened(!opened)}
        >
          {label}…
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm">{what}</Text>
            <Textarea
              label="Reason"
              placeholder="The generator lost its SSH connection"
              data-autofocus
              rows={2}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => setOpened(false)}>
                Cancel
              </Button>
              <Button type="submit" disabled={reason.trim() === ''}>
                {label} trial {trial + 1}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { isCounted } from '../../shared/model/repeats.ts';
import type { Run, Session } from '../../shared/model/session.ts';
import { formatCount } from '../../shared/util/format.ts';
import { useAction } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';

/** Measures the failed trials of a session again, or one trial, and shows it live. */
export function RepeatTrials({ session, run }: { session: Pick<Session, 'id' | 'trialsFailed'>; run?: Run }) {
  const [, go] = useLocation();
  const repeat = useAction('sessions.repeat', { onSuccess: () => go(`/sessions/${session.id}/live`) });
  if (!run && session.trialsFailed === 0) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRepeat size={16} />}
        loading={repeat.isPending}
        onClick={() => repeat.mutate({ id: session.id, ...(run && { runIds: [run.id] }) })}
      >
        {run
          ? isCounted(run)
            ? 'Add a repeat'
            : 'Repeat this trial'
          : `Repeat ${formatCount(session.trialsFailed, 'failed trial')}`}
      </Button>
      {repeat.error ? <ProblemBanner problem={repeat.error.problem} /> : null}
    </>
  );
}

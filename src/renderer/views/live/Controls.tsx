import { Button, Popover, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipForward, IconPlayerStop } from '@tabler/icons-react';
import { useEffect } from 'react';
import { describeProblem, type KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_RUN, ENDED_SESSION, RESUMABLE_SESSION, type Run, type Session } from '../../../shared/model/session.ts';
import { useAction } from '../../client/index.ts';

/** Pixels: pausing, cancelling that and resuming replace one another. */
const PAUSE_WIDTH = 196;

/**
 * Pause after the trial, resume, skip, stop: whichever fits the state. `run`: the displayed trial, which Skip applies to unless another one
 * waits.
 */
export function Controls({ session, run }: { session: Session; run: Run | undefined }) {
  const id = { id: session.id };
  const pause = useAction('sessions.pause');
  const resume = useAction('sessions.resume');
  const skip = useAction('sessions.skip');
  const stop = useAction('sessions.stop');
  useProblemNotice(pause.error ?? resume.error ?? skip.error ?? stop.error);

  const waiting = session.needs?.run;
  const skipped = waiting ?? run?.id;
  const running = session.state === 'running' || session.state === 'pausing';
  const ended = ENDED_SESSION.includes(session.state);
  return (
    <>
      {RESUMABLE_SESSION.includes(session.state) && !session.waitsForVault ? (
        <Button
          miw={PAUSE_WIDTH}
          leftSection={<IconPlayerPlay size={16} />}
          loading={resume.isPending}
          onClick={() => resume.mutate(id)}
        >
          Resume
        </Button>
      ) : null}
      {session.state === 'running' ? (
        <Button
          variant="default"
          miw={PAUSE_WIDTH}
          leftSection={<IconPlayerPause size={16} />}
          loading={pause.isPending}
          onClick={() => pause.mutate(id)}
        >
          Pause after this trial
        </Button>
      ) : null}
      {session.state === 'pausing' ? (
        <Button
          variant="default"
          miw={PAUSE_WIDTH}
          leftSection={<IconPlayerPlay size={16} />}
          loading={resume.isPending}
          onClick={() => resume.mutate(id)}
        >
          Do not pause
        </Button>
      ) : null}
      {running || session.state === 'paused' ? (
        <Button
          variant="default"
          leftSection={<IconPlayerSkipForward size={16} />}
          loading={skip.isPending}
          disabled={!running || (waiting === undefined && run !== undefined && ENDED_RUN.includes(run.state))}
          onClick={() => skip.mutate(skipped === undefined ? id : { ...id, runId: skipped })}
        >
          Skip
        </Button>
      ) : null}
      {ended ? null : (
        <StopButton
          busy={stop.isPending || session.state === 'stopping'}
          watchesOnly={session.primaryMetric === null}
          onStop={() => stop.mutate(id)}
        />
      )}
    </>
  );
}

function StopButton({ busy, watchesOnly, onStop }: { busy: boolean; watchesOnly: boolean; onStop: () => void }) {
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} loading={busy}>
          Stop
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" mb="sm">
          {watchesOnly
            ? 'The running trial is stopped (complete if it was meant to run until stopped). The session cannot be continued; recorded data is stored.'
            : 'The running trial is stopped on its host and kept as partial. The session cannot be continued; measured data is stored.'}
        </Text>
        <Button color="red" fullWidth onClick={onStop}>
          Stop the session now
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

function useProblemNotice(error: KneepointError | null): void {
  useEffect(() => {
    if (error)
      notifications.show({ color: 'red', title: 'The action failed.', message: describeProblem(error.problem) });
  }, [error]);
}

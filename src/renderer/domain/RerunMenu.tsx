import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { describeProblem, problemOf } from '../../shared/model/problem.ts';
import { isCounted } from '../../shared/model/repeats.ts';
import type { Run, Session } from '../../shared/model/session.ts';
import { originWords, sessionLabel } from '../../shared/model/session-words.ts';
import { formatCount } from '../../shared/util/format.ts';
import { ask, useAction, useLink } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';

type Repeatable = Pick<Session, 'id' | 'name' | 'state' | 'damaged' | 'origin'>;

interface ItemsProperties {
  session: Repeatable;
  again: ReturnType<typeof useRerun>;
}

/** Actions that repeat a session, as items of a menu. */
export const RerunItems = ({ session: { id, state, origin }, again }: ItemsProperties) => (
  <>
    <Menu.Item disabled={origin === 'imported'} onClick={() => again.run(id)}>
      Run again
      <div className="kp-small">Checks the same experiment; Start creates a new session</div>
    </Menu.Item>
    <Menu.Item disabled={origin === 'imported'} onClick={() => again.edit(id)}>
      Edit and run again
      <div className="kp-small">Opens a copy of the experiment</div>
    </Menu.Item>
    <Menu.Item disabled={state === 'stopping' || origin !== undefined} onClick={() => again.addRepeats(id)}>
      Add repeats
      <div className="kp-small">
        {origin ? `Not possible: ${originWords({ origin })}` : 'More repeats of its cells, in this session'}
      </div>
    </Menu.Item>
  </>
);

/** A button with that menu; with several sessions, each under its name. */
export function RerunMenu({ sessions }: { sessions: readonly Repeatable[] }) {
  const again = useRerun();
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconRepeat size={16} />}
          disabled={sessions.length === 0}
          loading={again.busy}
        >
          Run again
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {sessions.map((session) => [
          sessions.length > 1 ? <Menu.Label key={`name ${session.id}`}>{sessionLabel(session)}</Menu.Label> : null,
          <RerunItems key={session.id} session={session} again={again} />,
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Measures the failed trials of a session again, or one trial, and shows it live. */
export function RepeatTrials({
  session,
  run,
}: {
  session: Pick<Session, 'id' | 'trialsFailed' | 'origin'>;
  run?: Run;
}) {
  const [, go] = useLocation();
  const repeat = useAction('sessions.repeat', { onSuccess: () => go(`/sessions/${session.id}/live`) });
  if (session.origin || (!run && session.trialsFailed === 0)) return null;
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

/** Address of the page that adds repeats to a session. `cells`: indices, all if absent. */
export function repeatsPlace(id: number, add?: number, cells?: readonly number[]): string {
  const asked = new URLSearchParams({ ...(add && { add: String(add) }), ...(cells && { cells: cells.join(',') }) });
  return `/sessions/${id}/repeats${asked.size > 0 ? `?${asked}` : ''}`;
}

/** The experiment of a session again. Its document is requested only on demand. */
export function useRerun() {
  const link = useLink();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const open = async (id: number, step: 'review' | 'workload'): Promise<void> => {
    setBusy(true);
    try {
      const { experimentText: text } = await ask(link, 'sessions.get', { id });
      // The same experiment is not saved twice, as copies would fill the list. An edited one is a copy, so that this one stays.
      const documents = step === 'review' ? await ask(link, 'experiments.list', {}) : [];
      const known = documents.find((file) => file.origin === 'saved' && file.text === text);
      const document = known ?? (await ask(link, 'experiments.save', { text }));
      go(`/experiments/${encodeURIComponent(document.id)}/${step}`);
    } catch (thrown) {
      const message = describeProblem(problemOf(thrown));
      notifications.show({ color: 'red', title: 'The experiment was not opened.', message });
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    run: (id: number) => void open(id, 'review'),
    edit: (id: number) => void open(id, 'workload'),
    addRepeats: (id: number) => go(repeatsPlace(id)),
  };
}

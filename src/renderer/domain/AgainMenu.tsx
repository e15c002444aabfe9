import { Button, Menu } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import type { Session } from '../../shared/model/session.ts';
import { sessionLabel } from '../../shared/model/session-labels.ts';
import { useAgain } from './useAgain.ts';

type Repeatable = Pick<Session, 'id' | 'name' | 'state' | 'damaged'>;

interface ItemsProperties {
  session: Repeatable;
  again: ReturnType<typeof useAgain>;
}

/** What can be done with a session once more, as items of a menu. */
export const AgainItems = ({ session: { id, state }, again }: ItemsProperties) => (
  <>
    <Menu.Item onClick={() => again.run(id)}>
      Run again
      <div className="kp-small">Checks the same experiment; Start makes a new session</div>
    </Menu.Item>
    <Menu.Item onClick={() => again.edit(id)}>
      Edit and run again
      <div className="kp-small">Opens a copy of the experiment</div>
    </Menu.Item>
    <Menu.Item disabled={state === 'stopping'} onClick={() => again.addRepeats(id)}>
      Add repeats
      <div className="kp-small">More repeats of its cells, in this session</div>
    </Menu.Item>
  </>
);

/** A button with that menu; of several sessions each under its name. */
export function AgainMenu({ sessions }: { sessions: readonly Repeatable[] }) {
  const again = useAgain();
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
          <AgainItems key={session.id} session={session} again={again} />,
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Switch } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useNotices } from '../client/index.ts';

/** Whether notifications are wanted: yes, until the user turns them off. */
export const useNoticesWanted = () => useLocalStorage({ key: 'kneepoint-notices', defaultValue: true });

/** Turns session notifications on and off, and shows why they are blocked. */
export function NoticesSwitch() {
  const { permission } = useNotices();
  const [wanted, setWanted] = useNoticesWanted();
  return (
    <>
      <Switch
        label="When a session is done, has failed or needs input, and this window is in the background"
        checked={wanted && (permission === 'granted' || permission === 'default')}
        disabled={permission === 'denied' || permission === 'none'}
        onChange={(event) => setWanted(event.currentTarget.checked)}
      />
      {permission === 'denied' ? (
        <p className="kp-small">The browser blocks notifications. Allow them in the site settings.</p>
      ) : null}
      {permission === 'none' ? <p className="kp-small">This browser does not support notifications.</p> : null}
      <AskForNotices />
    </>
  );
}

/** A browser asks the user, and only after a click. Renders nothing once that is decided. */
export function AskForNotices() {
  const { api, permission } = useNotices();
  const [wanted] = useNoticesWanted();
  if (permission !== 'default' || !wanted) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconBell size={14} />}
      title="When the session is done, has failed or needs input"
      onClick={() => void api.ask()}
    >
      Allow notifications…
    </Button>
  );
}

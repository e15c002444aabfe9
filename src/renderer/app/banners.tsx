import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useCall, useLinkStatus } from '../client/index.ts';
import { VaultUnlock } from '../domain/problems.tsx';
import { ProblemBanner } from '../ui/index.ts';
import { OBSTACLES } from './NoAccess.tsx';

/** Shows that the engine is gone, and later that it is back: nothing measured depends on this page, and nothing on it moves for that. */
export function LinkBanner() {
  const { state, times, obstacle } = useLinkStatus();
  const [read, setRead] = useState(1);
  if (state === 'lost') {
    return (
      <div className="kp-link-banner" data-floats>
        <ProblemBanner
          tone="warn"
          problem={{
            message: 'The connection to the engine is lost.',
            safe: 'Trials on the hosts continue, and nothing measured is lost.',
            next: 'Reconnecting…',
            ...(obstacle ? OBSTACLES[obstacle] : {}),
          }}
        />
      </div>
    );
  }
  if (state !== 'up' || times <= read) return null;
  return (
    <div className="kp-link-banner" data-floats>
      <ProblemBanner
        tone="ok"
        problem={{ message: 'The engine restarted. Nothing measured is lost.' }}
        actions={
          <ActionIcon aria-label="Dismiss" onClick={() => setRead(times)}>
            <IconX size={16} />
          </ActionIcon>
        }
      />
    </div>
  );
}

/** The library can only be read: a read-only or full disk, or damage. Says what still works, wherever in the app one is. */
export function LibraryBanner() {
  const readOnly = useCall('app.info', {}).data?.readOnly;
  if (!readOnly) return null;
  return (
    <div className="kp-link-banner">
      <ProblemBanner tone="warn" problem={readOnly} />
    </div>
  );
}

/** After a restart: sessions that continue once the vault is unlocked, shown on every screen. */
export function VaultBanner() {
  const sessions = useCall('sessions.list', {});
  const waiting = (sessions.data ?? []).filter((session) => session.waitsForVault);
  if (waiting.length === 0) return null;
  const names = waiting.map((session) => `“${session.name}”`).join(', ');
  return (
    <div className="kp-link-banner">
      <VaultUnlock
        problem={{
          code: 'vault-locked',
          message: `${names} cannot continue: the vault with the passwords it needs is locked.`,
          safe: 'Jobs on hosts keep running, and their output is stored there.',
          next: 'Unlock the vault. The session then continues.',
        }}
        onUnlocked={() => void sessions.refetch()}
      />
    </div>
  );
}

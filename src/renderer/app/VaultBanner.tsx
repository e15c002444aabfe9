import { useCall } from '../client/index.ts';
import { VaultUnlock } from '../domain/VaultUnlock.tsx';

/** After a restart: sessions that only need the vault opened to go on, wherever in the app one is. */
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
          message: `${names} cannot go on yet: the passwords it needs are in the vault, and the vault is locked.`,
          safe: 'What runs on a host goes on there, and every second of it is kept.',
          next: 'Unlock the vault and it continues by itself.',
        }}
        onUnlocked={() => void sessions.refetch()}
      />
    </div>
  );
}

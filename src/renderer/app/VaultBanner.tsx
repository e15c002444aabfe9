import { useCall } from '../client/index.ts';
import { VaultUnlock } from '../domain/VaultUnlock.tsx';

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

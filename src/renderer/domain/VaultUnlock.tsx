import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Problem } from '../../shared/model/problem.ts';
import { useAction, useCall } from '../client/index.ts';
import { VaultDialog } from '../forms/index.ts';
import { ProblemBanner } from '../ui/index.ts';

/** Stands where something needs a kept password and the vault is locked; continues once it is open. */
export function VaultUnlock({ problem, onUnlocked }: { problem: Problem; onUnlocked(): void }) {
  const [opened, setOpened] = useState(false);
  const secrets = useCall('app.secrets', {});
  const unlock = useAction('app.unlockVault', {
    onSuccess: () => {
      setOpened(false);
      onUnlocked();
    },
  });
  return (
    <>
      <ProblemBanner tone="warn" problem={problem} actions={<Button onClick={() => setOpened(true)}>Unlock…</Button>} />
      <VaultDialog
        opened={opened}
        exists={secrets.data?.vaultExists ?? true}
        busy={unlock.isPending}
        problem={unlock.error?.problem.message}
        onSubmit={(passphrase) => unlock.mutate({ passphrase })}
        onClose={() => setOpened(false)}
      />
    </>
  );
}

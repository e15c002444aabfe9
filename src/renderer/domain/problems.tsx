import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Problem } from '../../shared/model/problem.ts';
import { GiveUp } from '../../shared/model/restore.ts';
import { useAction, useCall } from '../client/index.ts';
import { VaultDialog } from '../forms/index.ts';
import { ProblemBanner, TypedConfirmation } from '../ui/index.ts';

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

interface Properties {
  problem: Problem;
  /** What is done then. */
  act: string;
  busy: boolean;
  /** Called with the name that was typed. */
  onGiveUp(name: string): void;
}

/** Why a host or target cannot go or lead elsewhere; where that is for what sessions have changed there, it can be given up by typing the name. */
export function GiveUpProblem({ problem, act, busy, onGiveUp }: Properties) {
  const { data } = GiveUp.safeParse(problem.details);
  return (
    <>
      <ProblemBanner problem={problem} />
      {data && (
        <TypedConfirmation
          phrase={data.giveUp}
          label={`Type ${data.giveUp} to leave it changed`}
          act={act}
          busy={busy}
          onConfirm={onGiveUp}
        />
      )}
    </>
  );
}

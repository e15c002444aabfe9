import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SecretStatus } from '../../../shared/model/app.ts';
import { useAction, useCall } from '../../client/index.ts';
import { VaultDialog } from '../../forms/index.ts';
import { BlockSkeleton, Panel, ProblemBanner, Status, type Tone } from '../../ui/index.ts';
import classes from './settings.module.css';

function stateOf({ keeper, unlocked, vaultExists }: SecretStatus): { tone: Tone; words: string } {
  if (keeper === 'keychain') return { tone: 'ok', words: 'Stored in the system keychain' };
  if (unlocked) return { tone: 'ok', words: 'Stored in the vault (unlocked)' };
  if (vaultExists) return { tone: 'warn', words: 'Stored in the vault (locked)' };
  return { tone: 'warn', words: 'In memory until Kneepoint ends' };
}

/** Where passwords and key passphrases are kept, and the vault when there is no keychain. */
export function SecretsPanel() {
  const secrets = useCall('app.secrets', {});
  const [asking, setAsking] = useState(false);
  const unlock = useAction('app.unlockVault', {
    onSuccess: () => {
      setAsking(false);
      void secrets.refetch();
    },
  });
  const status = secrets.data;
  const state = status && stateOf(status);
  return (
    <Panel title="Passwords">
      {secrets.error && <ProblemBanner problem={secrets.error.problem} />}
      {!status && !secrets.error && <BlockSkeleton height={48} />}
      {status && state && (
        <div className={classes.secrets}>
          <div>
            <Status tone={state.tone}>{state.words}</Status>
            <p>{status.message}</p>
          </div>
          {status.keeper !== 'keychain' && !status.unlocked && (
            <Button variant={status.vaultExists ? 'filled' : 'default'} onClick={() => setAsking(true)}>
              {status.vaultExists ? 'Unlock the vault…' : 'Create a vault…'}
            </Button>
          )}
        </div>
      )}
      <VaultDialog
        opened={asking}
        exists={status?.vaultExists ?? true}
        busy={unlock.isPending}
        problem={unlock.error?.problem.message}
        onSubmit={(passphrase) => unlock.mutate({ passphrase })}
        onClose={() => {
          setAsking(false);
          unlock.reset();
        }}
      />
    </Panel>
  );
}

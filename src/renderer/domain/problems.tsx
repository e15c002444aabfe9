import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Problem } from '../../shared/model/problem.ts';
import { GiveUp } from '../../shared/model/restore.ts';
import { useAction, useCall } from '../client/index.ts';
import { VaultDialog } from '../forms/index.ts';
import { ConfirmDialog, ProblemBanner, TypedConfirmation } from '../ui/index.ts';

/** Shown where a stored password is needed and the vault is locked; continues once it is unlocked. */
export const VaultUnlock = ({ problem, onUnlocked }: { problem: Problem; onUnlocked(): void }) => (
  <ProblemBanner tone="warn" problem={problem} actions={<UnlockButton onUnlocked={onUnlocked} />} />
);

/** Asks for the passphrase of the vault. */
export function UnlockButton({ onUnlocked }: { onUnlocked(): void }) {
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
      <Button onClick={() => setOpened(true)}>Unlock…</Button>
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

interface PasswordProperties {
  host?: string | undefined;
  target?: string | undefined;
  onSaved?(): void;
}

/** The password of a saved target or host: stored as by its form. */
export function PasswordForm({ host, target, onSaved }: PasswordProperties) {
  const hosts = useCall('hosts.list', {}).data?.find(({ spec }) => spec.name === host);
  const targets = useCall('targets.list', {}).data?.find(({ spec }) => spec.name === target);
  const then = { onSuccess: () => onSaved?.() };
  const saveHost = useAction('hosts.save', then);
  const saveTarget = useAction('targets.save', then);
  const [secret, setSecret] = useState('');
  const owner = target ?? host;
  if (owner === undefined) return null;
  const error = (saveHost.error ?? saveTarget.error)?.problem.message;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (target !== undefined && targets) saveTarget.mutate({ id: targets.id, spec: targets.spec, secret });
    else if (hosts) saveHost.mutate({ id: hosts.id, spec: hosts.spec, secret });
  };
  return (
    <form onSubmit={save} style={{ display: 'flex', gap: 'var(--mantine-spacing-xs)' }}>
      <PasswordInput
        aria-label={`Password of ${owner}`}
        placeholder="Password"
        title={`Password of ${owner}`}
        value={secret}
        error={error}
        autoComplete="off"
        w={240}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <Button type="submit" disabled={secret === ''} loading={saveHost.isPending || saveTarget.isPending}>
        Save
      </Button>
    </form>
  );
}

interface Properties {
  problem: Problem;
  /** The action, on the button. */
  act: string;
  busy: boolean;
  /** Called with the typed name. */
  onGiveUp(name: string): void;
}

/** Why a host or target cannot be removed or redirected; if the reason is unrestored settings, typing the name gives up restoring them. */
export function GiveUpProblem({ problem, act, busy, onGiveUp }: Properties) {
  const { data } = GiveUp.safeParse(problem.details);
  return (
    <>
      <ProblemBanner problem={problem} />
      {data && (
        <TypedConfirmation
          phrase={data.giveUp}
          label={`Type ${data.giveUp} to keep the changes`}
          act={act}
          busy={busy}
          onConfirm={onGiveUp}
        />
      )}
    </>
  );
}

interface RemovalProperties {
  title: string;
  question: string;
  /** Why it was refused. */
  problem: Problem | undefined;
  busy: boolean;
  /** `giveUp`: the typed name, to keep unrestored settings as they are. */
  onRemove(giveUp?: string): void;
  onClose(): void;
}

/** Removes a host or target from the menu of its row. */
export const RemovalDialog = ({ title, question, problem, busy, onRemove, onClose }: RemovalProperties) => (
  <ConfirmDialog {...{ title, question, busy, onClose }} act="Remove" onConfirm={() => onRemove()}>
    {problem ? <GiveUpProblem problem={problem} act="Remove" busy={busy} onGiveUp={onRemove} /> : null}
  </ConfirmDialog>
);

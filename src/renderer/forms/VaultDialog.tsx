import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';

interface Properties {
  opened: boolean;
  /** Whether there is a vault to unlock; otherwise this passphrase creates one. */
  exists: boolean;
  busy: boolean;
  /** Why the last attempt failed. */
  problem?: string | undefined;
  onSubmit(passphrase: string): void;
  onClose(): void;
}

const SHORTEST = 8;

/** Asks for the passphrase of the vault in which passwords are stored. */
export function VaultDialog({ opened, exists, onClose, ...rest }: Properties) {
  return (
    <Modal opened={opened} onClose={onClose} title={exists ? 'Unlock the vault' : 'Create a vault'} size={440}>
      {opened && <VaultForm exists={exists} {...rest} />}
    </Modal>
  );
}

function VaultForm({ exists, busy, problem, onSubmit }: Omit<Properties, 'opened' | 'onClose'>) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const short = passphrase.length < SHORTEST;
  const differs = !exists && again !== passphrase;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!short && !differs) onSubmit(passphrase);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {exists
            ? 'Passwords and key passphrases are stored in an encrypted file. The passphrase unlocks it until Kneepoint ends.'
            : `Passwords and key passphrases will be stored in a file encrypted with this passphrase (at least ${SHORTEST} characters). It cannot be recovered: without it, stored passwords cannot be read.`}
        </Text>
        <PasswordInput
          label="Passphrase"
          data-autofocus
          autoComplete={exists ? 'current-password' : 'new-password'}
          value={passphrase}
          error={problem}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        {!exists && (
          <PasswordInput
            label="Passphrase again"
            autoComplete="new-password"
            value={again}
            error={again !== '' && differs ? 'The passphrases differ.' : undefined}
            onChange={(event) => setAgain(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={short || differs}>
            {exists ? 'Unlock' : 'Create'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

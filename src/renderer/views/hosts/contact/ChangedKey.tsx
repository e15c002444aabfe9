import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconShieldX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { HostKey } from '../../../../shared/model/host.ts';
import { useAction } from '../../../client/index.ts';
import { ProblemBanner } from '../../../ui/index.ts';
import classes from '../hosts.module.css';

interface Properties {
  seen: HostKey;
  known: HostKey;
  onForgotten(): void;
}

/** A hard stop: the only way forward is to remove the old key deliberately. */
export function ChangedKey({ seen, known, onForgotten }: Properties) {
  const [asking, setAsking] = useState(false);
  return (
    <section className={classes.changed} role="alert" aria-label="The key of the host changed">
      <header>
        <IconShieldX size={22} stroke={1.7} color="var(--kp-bad)" aria-hidden="true" />
        <h2>{seen.host} shows another key than before: not connected</h2>
      </header>
      <p>
        Either the host was reinstalled or its key replaced, or another machine responds at {seen.address}. Nothing was
        sent. Ask the administrator before you continue.
      </p>
      <dl>
        <dt>Remembered</dt>
        <dd>
          <code>{known.fingerprint}</code>
          <span>{known.algorithm}</span>
        </dd>
        <dt>Shown now</dt>
        <dd>
          <code data-new>{seen.fingerprint}</code>
          <span>{seen.algorithm}</span>
        </dd>
      </dl>
      <button type="button" className={classes.forget} onClick={() => setAsking(true)}>
        Forget the old key…
      </button>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Forget the key of ${seen.address}, port ${seen.port}`}
        size={520}
      >
        {asking && <ForgetForm hostKey={seen} onForgotten={onForgotten} onCancel={() => setAsking(false)} />}
      </Modal>
    </section>
  );
}

function ForgetForm({ hostKey, onForgotten, onCancel }: { hostKey: HostKey; onForgotten(): void; onCancel(): void }) {
  const [typed, setTyped] = useState('');
  const forget = useAction('hosts.forgetKey', { onSuccess: onForgotten });
  const same = typed.trim() === hostKey.host;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (same) forget.mutate({ address: hostKey.address, port: hostKey.port });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          Do this only if you know why the key changed. The next test then shows the new key for comparison.
        </Text>
        <TextInput
          label={`Type the name of the host: ${hostKey.host}`}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {forget.error && <ProblemBanner problem={forget.error.problem} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!same} loading={forget.isPending}>
            Forget the old key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Group, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Tunnel, TunnelSpec } from '../../../shared/model/host.ts';
import { useAction } from '../../client/index.ts';
import { ProblemBanner } from '../../ui/index.ts';
import classes from './hosts.module.css';
import { messagesByField } from './issues.ts';

interface Properties {
  host: string;
  tunnel: Tunnel | undefined;
  onDone(): void;
}

/** A new tunnel, or the settings of one. */
export function TunnelForm({ host, tunnel, onDone }: Properties) {
  const [name, setName] = useState(tunnel?.name ?? '');
  const [address, setAddress] = useState(tunnel?.address ?? '127.0.0.1');
  const [port, setPort] = useState(tunnel ? String(tunnel.port) : '');
  const [localPort, setLocalPort] = useState(tunnel?.wantedPort ? String(tunnel.wantedPort) : '');
  const [autoStart, setAutoStart] = useState(tunnel?.autoStart ?? true);
  const [tried, setTried] = useState(false);
  const save = useAction('hosts.saveTunnel', { onSuccess: onDone });
  const read = TunnelSpec.safeParse({
    name,
    host,
    address,
    port: Number(port),
    localPort: Number(localPort || 0),
    autoStart,
  });
  const wrong = tried && !read.success ? messagesByField(read.error.issues) : {};
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (read.success) save.mutate({ ...(tunnel && { id: tunnel.id }), spec: read.data });
  };
  return (
    <form onSubmit={submit} className={classes.tunnelForm} aria-label={tunnel ? `Tunnel ${tunnel.name}` : 'New tunnel'}>
      <TextInput
        label="Name"
        autoFocus
        value={name}
        error={wrong.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Port on this computer"
        placeholder="any free port"
        inputMode="numeric"
        value={localPort}
        error={wrong.localPort}
        onChange={(event) => setLocalPort(event.currentTarget.value)}
      />
      <TextInput
        label={`Address, as seen from ${host}`}
        value={address}
        error={wrong.address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label="Port there"
        inputMode="numeric"
        value={port}
        error={wrong.port}
        onChange={(event) => setPort(event.currentTarget.value)}
      />
      <Switch
        className={classes.autoStart ?? ''}
        label="Start with the app"
        checked={autoStart}
        onChange={(event) => setAutoStart(event.currentTarget.checked)}
      />
      <Group gap="sm" wrap="nowrap">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </Group>
      {save.error && <ProblemBanner problem={save.error.problem} />}
    </form>
  );
}

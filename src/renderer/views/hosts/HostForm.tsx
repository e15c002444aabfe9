import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Host } from '../../../shared/model/host.ts';
import { ask, useAction, useCall, useHostLinks, useLink } from '../../client/index.ts';
import { type SecretChange, SecretField } from '../../forms/index.ts';
import { VaultUnlock } from '../../parts/VaultUnlock.tsx';
import { Panel, ProblemBanner } from '../../ui/index.ts';
import { draftOf, type HostDraft, readDraft } from './draft.ts';
import classes from './hosts.module.css';
import { JumpPicker } from './JumpPicker.tsx';
import { TestPanel } from './TestPanel.tsx';
import { useHostTest } from './useHostTest.ts';

interface Properties {
  host: Host | undefined;
  /** Names of the hosts that one can pass through. */
  others: readonly string[];
}

const SECRET_WORDS = {
  key: { label: 'Passphrase of the key', description: 'Leave empty if the key has none.' },
  password: { label: 'Password', description: '' },
} as const;

export function HostForm({ host, others }: Properties) {
  const [draft, setDraft] = useState<HostDraft>(() => draftOf(host));
  const [secret, setSecret] = useState<SecretChange>();
  const [tried, setTried] = useState(false);
  const connection = useLink();
  const [, go] = useLocation();
  const links = useHostLinks();
  const read = readDraft(draft);
  const wrong: Record<string, string> = tried && 'wrong' in read ? read.wrong : {};
  const withSecret = secret === undefined || draft.method === 'agent' ? {} : { secret };
  const save = useAction('hosts.save', { onSuccess: (saved) => go(`/hosts/${saved.id}`) });
  const test = useHostTest(async () => {
    if (!('spec' in read)) throw new Error('The form is not filled in.');
    return ask(connection, 'hosts.testSpec', { spec: read.spec, ...withSecret });
  });
  const set = (change: Partial<HostDraft>): void => {
    setDraft({ ...draft, ...change });
    test.clear();
  };
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    setTried(true);
    if ('spec' in read) save.mutate({ ...(host && { id: host.id }), spec: read.spec, ...withSecret });
  };
  const text = (field: 'name' | 'address' | 'port' | 'user' | 'keyFile') => ({
    value: draft[field],
    error: wrong[field],
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) => set({ [field]: event.currentTarget.value }),
  });
  return (
    <form onSubmit={submit} className={classes.form}>
      <Panel title="Where it is">
        <div className={classes.formGrid}>
          <TextInput label="Name" data-autofocus {...text('name')} />
          <TextInput label="Address" placeholder="Host name or IP address" {...text('address')} />
          <TextInput label="Port" inputMode="numeric" className={classes.port ?? ''} {...text('port')} />
        </div>
      </Panel>
      <Panel title="Signing in">
        <div className={classes.formGrid}>
          <TextInput label="User" {...text('user')} />
          <div>
            <div className={classes.label}>With</div>
            <SegmentedControl
              aria-label="Sign in with"
              value={draft.method}
              data={[
                { value: 'agent', label: 'SSH agent' },
                { value: 'key', label: 'Key file' },
                { value: 'password', label: 'Password' },
              ]}
              onChange={(method) => set({ method: method as HostDraft['method'] })}
            />
          </div>
        </div>
        {draft.method === 'agent' && (
          <p className={classes.formNote}>The agent that runs on this computer signs; the app never sees a key.</p>
        )}
        {draft.method !== 'agent' && (
          <div className={classes.formGrid} data-second>
            {draft.method === 'key' && (
              <TextInput label="Key file" placeholder="/home/you/.ssh/id_ed25519" {...text('keyFile')} />
            )}
            <SecretField
              {...SECRET_WORDS[draft.method]}
              kept={host?.hasSecret === true && host.spec.kind === 'ssh' && host.spec.auth.method === draft.method}
              value={secret}
              onChange={setSecret}
            />
          </div>
        )}
        {draft.method !== 'agent' && <SecretNote />}
      </Panel>
      <Panel title="The way there" note="Hosts passed through, the one nearest to this computer first">
        <JumpPicker jumps={draft.jumps} others={others} onChange={(jumps) => set({ jumps })} />
      </Panel>
      {save.error?.code === 'vault-locked' ? (
        <VaultUnlock problem={save.error.problem} onUnlocked={() => submit()} />
      ) : (
        save.error && <ProblemBanner problem={save.error.problem} />
      )}
      <TestPanel
        test={test}
        link={links.find((link) => link.host === draft.name)}
        success={{ done: 'Reached, signed in and looked around', next: 'Save it to keep it.' }}
      />
      <Group gap="sm">
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
        <Button
          variant="default"
          loading={test.since !== undefined}
          onClick={() => {
            setTried(true);
            if ('spec' in read) test.run();
          }}
        >
          Test before saving
        </Button>
        <Button component={Link} href={host ? `/hosts/${host.id}` : '/hosts'} variant="subtle" color="gray">
          Cancel
        </Button>
      </Group>
    </form>
  );
}

function SecretNote() {
  const secrets = useCall('app.secrets', {});
  return secrets.data ? <p className={classes.formNote}>{secrets.data.message}</p> : null;
}

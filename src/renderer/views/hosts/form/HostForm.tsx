import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Host } from '../../../../shared/model/host.ts';
import { ask, useAction, useHostLinks, useLink } from '../../../client/index.ts';
import { GiveUpProblem, VaultUnlock } from '../../../domain/problems.tsx';
import { type SecretChange, useTries } from '../../../forms/index.ts';
import { FormFooter, Panel } from '../../../ui/index.ts';
import { TestPanel } from '../contact/TestPanel.tsx';
import { useHostTest } from '../contact/useHostTest.ts';
import classes from '../hosts.module.css';
import { draftOf, type HostDraft, readDraft, textOf } from './draft.ts';
import { JumpPicker } from './JumpPicker.tsx';
import { SignIn } from './SignIn.tsx';

interface Properties {
  host: Host | undefined;
  /** Names of hosts that can be jump hosts. */
  others: readonly string[];
  /** Initial name of a new one. */
  name?: string;
  /** Called with the saved host, or without one if the form was cancelled. */
  onDone(saved?: Host): void;
}

/** Values of the form, and its actions. */
function useHostForm({ host, name, onDone }: Pick<Properties, 'host' | 'name' | 'onDone'>) {
  const [draft, setDraft] = useState<HostDraft>(() => draftOf(host, name));
  const [secret, setSecret] = useState<SecretChange>();
  const { form, tried, attempt } = useTries();
  const connection = useLink();
  const read = readDraft(draft);
  const wrong: Record<string, string> = tried && 'wrong' in read ? read.wrong : {};
  const withSecret = secret === undefined || draft.method === 'agent' ? {} : { secret };
  const save = useAction('hosts.save', { onSuccess: (saved) => onDone(saved) });
  const test = useHostTest(async () => {
    if (!('spec' in read)) throw new Error('The form is not filled in.');
    return ask(connection, 'hosts.testSpec', { spec: read.spec, ...withSecret });
  });
  const set = (change: Partial<HostDraft>): void => {
    setDraft({ ...draft, ...change });
    test.clear();
  };
  const store = (giveUp?: string): void => {
    attempt();
    if (!('spec' in read)) return;
    save.mutate({
      ...(host && { id: host.id }),
      spec: read.spec,
      ...withSecret,
      ...(giveUp !== undefined && { giveUp }),
    });
  };
  const tryOut = (): void => {
    attempt();
    if ('spec' in read) test.run();
  };
  return { draft, set, secret, setSecret, form, wrong, save, store, test, tryOut };
}

export function HostForm({ host, others, name, onDone }: Properties) {
  const { draft, set, secret, setSecret, form, wrong, save, store, test, tryOut } = useHostForm({
    host,
    ...(name !== undefined && { name }),
    onDone,
  });
  const links = useHostLinks();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    store();
  };
  const text = textOf(draft, wrong, set);
  return (
    <form ref={form} onSubmit={submit} className="kp-fills">
      <div className={classes.form}>
        <Panel title="Connection">
          <div className={classes.formGrid}>
            <TextInput label="Name" data-autofocus {...text('name')} />
            <TextInput label="Address" placeholder="Host name or IP address" {...text('address')} />
            <TextInput label="Port" inputMode="numeric" className={classes.port ?? ''} {...text('port')} />
          </div>
        </Panel>
        <SignIn draft={draft} wrong={wrong} host={host} secret={secret} onChange={set} onSecret={setSecret} />
        <Panel title="Jump hosts" note="Nearest to this computer first">
          <JumpPicker jumps={draft.jumps} others={others} onChange={(jumps) => set({ jumps })} />
        </Panel>
        <TestPanel
          test={test}
          link={links.find((link) => link.host === draft.name)}
          success={{ done: 'Connected', next: 'Save to keep these settings.' }}
        />
      </div>
      <FormFooter
        problem={
          save.error?.code === 'vault-locked' ? (
            <VaultUnlock problem={save.error.problem} onUnlocked={() => store()} />
          ) : (
            save.error && (
              <GiveUpProblem problem={save.error.problem} act="Save" busy={save.isPending} onGiveUp={store} />
            )
          )
        }
      >
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
        <Button variant="default" loading={test.since !== undefined} onClick={tryOut}>
          Test before saving
        </Button>
        <Button variant="subtle" color="gray" onClick={() => onDone()}>
          Cancel
        </Button>
      </FormFooter>
    </form>
  );
}

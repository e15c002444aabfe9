import { Button, Select, TextInput } from '@mantine/core';
import { IconArrowUp, IconDeviceDesktop, IconPlus, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { copyName, type Host } from '../../../../shared/model/host.ts';
import { ask, useAction, useCall, useHostLinks, useLink } from '../../../client/index.ts';
import { GiveUpProblem, VaultUnlock } from '../../../domain/problems.tsx';
import { type SecretChange, useTries } from '../../../forms/index.ts';
import {
  BlockSkeleton,
  EmptyState,
  FormFooter,
  IconAction,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  useCrumbs,
} from '../../../ui/index.ts';
import { TestPanel, useHostTest } from '../contact/TestPanel.tsx';
import classes from '../hosts.module.css';
import { draftOf, type HostDraft, readDraft, textOf } from './draft.ts';
import { SignIn } from './SignIn.tsx';

interface Properties {
  host: Host | undefined;
  /** A new one begins as a copy of this, without its password. */
  like?: Host | undefined;
  /** Names of hosts that can be jump hosts. */
  others: readonly string[];
  /** Initial name of a new one. */
  name?: string;
  /** Called with the saved host, or without one if the form was cancelled. */
  onDone(saved?: Host): void;
}

/** Values of the form, and its actions. */
function useHostForm({ host, like, name, onDone }: Pick<Properties, 'host' | 'like' | 'name' | 'onDone'>) {
  const [draft, setDraft] = useState<HostDraft>(() =>
    like ? { ...draftOf(like), name: copyName(like.spec.name) } : draftOf(host, name),
  );
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

export function HostForm({ host, like, others, name, onDone }: Properties) {
  const { draft, set, secret, setSecret, form, wrong, save, store, test, tryOut } = useHostForm({
    ...{ host, like },
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

/** Adds a host, or changes the one with this id. */
export function HostFormPage({ id }: { id?: number }) {
  const [, go] = useLocation();
  const [parameters] = useSearchParams();
  const hosts = useCall('hosts.list', {});
  const host = hosts.data?.find((entry) => entry.id === id);
  const like = hosts.data?.find((entry) => String(entry.id) === parameters.get('like'));
  const name = host?.spec.name ?? '';
  useCrumbs(id === undefined ? [{ label: 'New host' }] : [{ label: name, to: `/hosts/${id}` }, { label: 'Edit' }]);
  if (id !== undefined && hosts.data && host?.spec.kind !== 'ssh') {
    return (
      <EmptyState title="Host not found" action={<Link href="/hosts">All hosts</Link>}>
        This host was removed, or is this computer.
      </EmptyState>
    );
  }
  return (
    <Page>
      <PageHeader
        title={id === undefined ? 'Add a host' : `Edit ${name}`}
        subtitle="A machine with an SSH server and a POSIX shell. Nothing is installed on it."
        actions={
          id === undefined && (
            <Button variant="default" component={Link} href="/hosts/import">
              Import from SSH config
            </Button>
          )
        }
      />
      {hosts.error && <ProblemBanner problem={hosts.error.problem} />}
      {hosts.data ? (
        <HostForm
          host={host}
          like={id === undefined ? like : undefined}
          others={hosts.data
            .filter((entry) => entry.id !== id && entry.spec.kind === 'ssh')
            .map((entry) => entry.spec.name)}
          onDone={(saved = host) => go(saved ? `/hosts/${saved.id}` : '/hosts')}
        />
      ) : (
        !hosts.error && <BlockSkeleton height={320} />
      )}
    </Page>
  );
}

interface PickerProperties {
  jumps: readonly string[];
  others: readonly string[];
  onChange(jumps: string[]): void;
}

/** Ordered hosts between this computer and the one described. */
function JumpPicker({ jumps, others, onChange }: PickerProperties) {
  const free = others.filter((name) => !jumps.includes(name));
  return (
    <ol className={classes.jumps} aria-label="Jump hosts">
      <li>
        <IconDeviceDesktop size={16} stroke={1.6} aria-hidden="true" />
        this computer
      </li>
      {jumps.map((name, index) => (
        <li key={name}>
          <span className={classes.jump}>
            {name}
            {!others.includes(name) && <em>not found</em>}
          </span>
          {index > 0 && (
            <IconAction label={`Move jump host ${name} up`} onClick={() => onChange(swapped(jumps, index))}>
              <IconArrowUp size={16} stroke={1.6} />
            </IconAction>
          )}
          <IconAction
            label={`Remove jump host ${name}`}
            onClick={() => onChange(jumps.filter((other) => other !== name))}
          >
            <IconX size={16} stroke={1.6} />
          </IconAction>
        </li>
      ))}
      <li>
        {free.length > 0 ? (
          <Select
            aria-label="Add a jump host"
            placeholder={jumps.length === 0 ? 'None: direct. Add…' : 'Add…'}
            leftSection={<IconPlus size={14} />}
            w={240}
            value={null}
            data={free}
            onChange={(name) => name && onChange([...jumps, name])}
          />
        ) : (
          jumps.length === 0 && <span className="kp-dim">none: direct connection. Add hosts to choose them here.</span>
        )}
      </li>
    </ol>
  );
}

function swapped(jumps: readonly string[], index: number): string[] {
  const copy = [...jumps];
  const [name] = copy.splice(index, 1);
  if (name !== undefined) copy.splice(index - 1, 0, name);
  return copy;
}

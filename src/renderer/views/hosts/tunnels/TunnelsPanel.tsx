import { Button, Group, Switch, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type Tunnel, TunnelSpec } from '../../../../shared/model/host.ts';
import type { Problem } from '../../../../shared/model/problem.ts';
import { useAction, useStream } from '../../../client/index.ts';
import { DataTable, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import classes from '../hosts.module.css';
import { columnsOf } from './tunnelColumns.tsx';

/** Every forward of this host in use: the user's tunnels, and the app's own streams. */
export function TunnelsPanel({ host }: { host: string }) {
  const [tunnels, setTunnels] = useState<readonly Tunnel[]>();
  const [problem, setProblem] = useState<Problem>();
  const [editing, setEditing] = useState<Tunnel | 'new'>();
  useStream('hosts.watchTunnels', { host }, { onItem: setTunnels, onError: (error) => setProblem(error.problem) });
  const { actions, problem: refused } = useTunnelActions(setEditing);
  const failed = refused ?? problem;
  return (
    <Panel
      title="Tunnels"
      note="Local ports forwarded through the host, including those that Kneepoint opens itself"
      flush
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} />}
          onClick={() => setEditing('new')}
        >
          Add a tunnel
        </Button>
      }
    >
      {failed && <ProblemBanner problem={failed} />}
      {editing && (
        <TunnelForm
          key={editing === 'new' ? 0 : editing.id}
          host={host}
          tunnel={editing === 'new' ? undefined : editing}
          onDone={() => setEditing(undefined)}
        />
      )}
      {tunnels ? (
        <DataTable
          label={`Tunnels of ${host}`}
          rows={tunnels}
          rowId={(tunnel) => `${tunnel.kind} ${tunnel.id} ${tunnel.name} ${tunnel.address}:${tunnel.port}`}
          columns={columnsOf(host, actions)}
          empty="None. A tunnel lets local programs reach a server through this host."
        />
      ) : (
        !problem && <TableSkeleton rows={2} />
      )}
      {tunnels?.filter(isStuck).map((tunnel) => (
        <p key={tunnel.id} className={classes.tunnelMessage}>
          {tunnel.name}: {tunnel.message}
        </p>
      ))}
    </Panel>
  );
}

function useTunnelActions(edit: (tunnel: Tunnel) => void) {
  const start = useAction('hosts.startTunnel');
  const stop = useAction('hosts.stopTunnel');
  const remove = useAction('hosts.removeTunnel');
  const actions = {
    start: (id: number) => start.mutate({ id }),
    stop: (id: number) => stop.mutate({ id }),
    remove: (id: number) => remove.mutate({ id }),
    edit,
  };
  return { actions, problem: (start.error ?? stop.error ?? remove.error)?.problem };
}

const isStuck = ({ message, state }: Tunnel): boolean => Boolean(message) && state === 'waiting';

interface Properties {
  host: string;
  tunnel: Tunnel | undefined;
  onDone(): void;
}

type TextName = 'name' | 'address' | 'port' | 'localPort';

const draftOf = (tunnel: Tunnel | undefined) => ({
  name: tunnel?.name ?? '',
  address: tunnel?.address ?? '127.0.0.1',
  port: tunnel ? String(tunnel.port) : '',
  localPort: tunnel?.wantedPort ? String(tunnel.wantedPort) : '',
  autoStart: tunnel?.autoStart ?? true,
});

/** Form for a new or existing tunnel. */
function TunnelForm({ host, tunnel, onDone }: Properties) {
  const [draft, setDraft] = useState(() => draftOf(tunnel));
  const [tried, setTried] = useState(false);
  const save = useAction('hosts.saveTunnel', { onSuccess: onDone });
  const read = TunnelSpec.safeParse({
    ...draft,
    host,
    port: Number(draft.port),
    localPort: Number(draft.localPort || 0),
  });
  const wrong = tried && !read.success ? messagesByField(read.error.issues) : {};
  const text = (field: TextName) => ({
    value: draft[field],
    error: wrong[field],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setDraft({ ...draft, [field]: event.currentTarget.value }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (read.success) save.mutate({ ...(tunnel && { id: tunnel.id }), spec: read.data });
  };
  return (
    <form onSubmit={submit} className={classes.tunnelForm} aria-label={tunnel ? `Tunnel ${tunnel.name}` : 'New tunnel'}>
      <TextInput label="Name" autoFocus {...text('name')} />
      <TextInput label="Port on this computer" placeholder="any free port" inputMode="numeric" {...text('localPort')} />
      <TextInput label={`Address, as seen from ${host}`} {...text('address')} />
      <TextInput label="Port there" inputMode="numeric" {...text('port')} />
      <Switch
        className={classes.autoStart ?? ''}
        label="Start with Kneepoint"
        checked={draft.autoStart}
        onChange={(event) => setDraft({ ...draft, autoStart: event.currentTarget.checked })}
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

/** Issues of a schema as one message per field, by the last part of their path; refinements of the whole under ''. */
function messagesByField(
  issues: readonly { path: readonly PropertyKey[]; message: string; code?: string }[],
): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of issues) messages[String(path.at(-1) ?? '')] ??= message;
  return messages;
}

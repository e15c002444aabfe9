import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Tunnel } from '../../../../shared/model/host.ts';
import type { Problem } from '../../../../shared/model/problem.ts';
import { useAction, useStream } from '../../../client/index.ts';
import { DataTable, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import classes from '../hosts.module.css';
import { TunnelForm } from './TunnelForm.tsx';
import { columnsOf } from './tunnelColumns.tsx';

/** Every forward of this host in use: one's own tunnels, and the app's own streams. */
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

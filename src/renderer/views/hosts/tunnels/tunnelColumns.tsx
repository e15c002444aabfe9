import { IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import type { Tunnel } from '../../../../shared/model/host.ts';
import { formatBytes, formatNumber } from '../../../../shared/util/format.ts';
import { type Column, CopyText, IconAction, Status, type Tone } from '../../../ui/index.ts';
import classes from '../hosts.module.css';

const TONES: Readonly<Record<Tunnel['state'], Tone>> = {
  open: 'ok',
  starting: 'busy',
  waiting: 'warn',
  stopped: 'idle',
};

interface Acts {
  start(id: number): void;
  stop(id: number): void;
  remove(id: number): void;
  edit(tunnel: Tunnel): void;
}

/** The app's own streams are in the same table; only the user's tunnels have actions. */
export function columnsOf(host: string, acts: Acts): Column<Tunnel>[] {
  return [
    {
      id: 'state',
      header: 'State',
      value: (tunnel) => tunnel.state,
      cell: (tunnel) => (
        <Status tone={TONES[tunnel.state]} {...(tunnel.message && { title: tunnel.message })}>
          {tunnel.state}
        </Status>
      ),
      width: 110,
    },
    {
      id: 'name',
      header: 'Name',
      value: (tunnel) => tunnel.name,
      cell: (tunnel) => (tunnel.kind === 'stream' ? <span className="kp-dim">{tunnel.name}</span> : tunnel.name),
    },
    { id: 'local', header: 'On this computer', value: localWords, cell: (tunnel) => <Local tunnel={tunnel} /> },
    {
      id: 'remote',
      header: `As seen from ${host}`,
      value: (tunnel) => `${tunnel.address}:${tunnel.port}`,
      cell: (tunnel) => `→ ${tunnel.address}:${tunnel.port}`,
    },
    {
      id: 'connections',
      header: 'Connections',
      value: (tunnel) => tunnel.connections,
      cell: (tunnel) => formatNumber(tunnel.connections),
      align: 'right',
      width: 96,
    },
    {
      id: 'in',
      header: 'In',
      hint: 'Bytes from the host',
      value: (tunnel) => tunnel.bytesIn,
      cell: (tunnel) => formatBytes(tunnel.bytesIn),
      align: 'right',
      width: 90,
    },
    {
      id: 'out',
      header: 'Out',
      hint: 'Bytes to the host',
      value: (tunnel) => tunnel.bytesOut,
      cell: (tunnel) => formatBytes(tunnel.bytesOut),
      align: 'right',
      width: 90,
    },
    {
      id: 'actions',
      header: '',
      width: 104,
      cell: (tunnel) => tunnel.kind === 'tunnel' && <Actions tunnel={tunnel} acts={acts} />,
    },
  ];
}

function Actions({ tunnel, acts }: { tunnel: Tunnel; acts: Acts }) {
  const { id, name, state } = tunnel;
  return (
    <div className={classes.actions}>
      {state === 'stopped' ? (
        <IconAction label={`Start ${name}`} onClick={() => acts.start(id)}>
          <IconPlayerPlay size={16} stroke={1.6} />
        </IconAction>
      ) : (
        <IconAction label={`Stop ${name}`} onClick={() => acts.stop(id)}>
          <IconPlayerStop size={16} stroke={1.6} />
        </IconAction>
      )}
      <IconAction label={`Edit ${name}`} onClick={() => acts.edit(tunnel)}>
        <IconPencil size={16} stroke={1.6} />
      </IconAction>
      <IconAction label={`Remove ${name}`} onClick={() => acts.remove(id)}>
        <IconTrash size={16} stroke={1.6} />
      </IconAction>
    </div>
  );
}

function localWords(tunnel: Tunnel): string {
  if (tunnel.kind === 'stream') return 'no port';
  if (tunnel.localPort !== undefined) return `127.0.0.1:${tunnel.localPort}`;
  return tunnel.wantedPort ? `port ${tunnel.wantedPort}` : 'any free port';
}

const Local = ({ tunnel }: { tunnel: Tunnel }) => (
  <span className={classes.local}>
    {tunnel.localPort === undefined ? <span className="kp-dim">{localWords(tunnel)}</span> : localWords(tunnel)}
    {tunnel.localPort !== undefined && tunnel.kind === 'tunnel' && (
      <CopyText text={localWords(tunnel)} label={`Copy the address of ${tunnel.name}`} />
    )}
  </span>
);

import { IconServerOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ServerPlace, Target } from '../../../../shared/model/target.ts';
import { ChangedHere } from '../../../domain/ChangedHere.tsx';
import { EmptyState, Panel } from '../../../ui/index.ts';
import { ServerState } from './ServerState.tsx';

/** The server of a saved target on its host: its state, and Kneepoint's changes to it. */
export function ServerTab({ target }: { target: Target }) {
  const place: ServerPlace | undefined = target.spec.server;
  if (!place) {
    return (
      <Panel label="Server">
        <EmptyState
          icon={<IconServerOff size={28} stroke={1.4} />}
          title="Server host unknown"
          action={<Link href={`/targets/${target.id}`}>Set the host</Link>}
        >
          With a host, Kneepoint can start and restart the server, drop caches, and vary host settings or server
          settings that need a restart.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <ServerState target={target} place={place} />
      <ChangedHere
        places={[
          { kind: 'server', name: target.spec.name },
          { kind: 'host', name: place.host },
        ]}
        nothing={`No setting of the server or of ${place.host} is changed.`}
      />
    </>
  );
}

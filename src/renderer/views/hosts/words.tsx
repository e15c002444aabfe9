import type { HostSpec, LinkState } from '../../../shared/model/host.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import { Status, type Tone } from '../../ui/index.ts';

const TONES: Readonly<Record<LinkState['state'], Tone>> = { up: 'ok', connecting: 'busy', down: 'bad', idle: 'idle' };
const WORDS: Readonly<Record<LinkState['state'], string>> = {
  up: 'connected',
  connecting: 'connecting',
  down: 'not reachable',
  idle: 'not connected',
};

/** State of a host's connection, with the round trip while it is up. */
export function LinkLight({ spec, link }: { spec: HostSpec; link: LinkState | undefined }) {
  if (spec.kind === 'local') return <Status tone="ok">here</Status>;
  const state = link?.state ?? 'idle';
  const trip = state === 'up' && link?.roundTripMs !== undefined ? ` · ${formatDuration(link.roundTripMs / 1000)}` : '';
  return (
    <Status tone={TONES[state]} {...(link?.message !== undefined && { title: link.message })}>
      {WORDS[state]}
      {trip}
    </Status>
  );
}

/** `bench@10.20.0.11`, with the port unless it is the default one. */
export const addressOf = (spec: HostSpec): string =>
  spec.kind === 'local' ? 'local' : `${spec.user}@${spec.address}${spec.port === 22 ? '' : `:${spec.port}`}`;

const METHODS = { agent: 'SSH agent', key: 'key file', password: 'password' } as const;
export const signInOf = (spec: HostSpec): string => (spec.kind === 'local' ? '' : METHODS[spec.auth.method]);

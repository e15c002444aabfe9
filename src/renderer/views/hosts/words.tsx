import type { HostSpec, LeftBehind, LinkState } from '../../../shared/model/host.ts';
import { formatDateTime, formatDuration } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { ProblemBanner, Status, type Tone } from '../../ui/index.ts';

const TONES: Readonly<Record<LinkState['state'], Tone>> = { up: 'ok', connecting: 'busy', down: 'bad', idle: 'idle' };
const WORDS: Readonly<Record<LinkState['state'], string>> = {
  up: 'connected',
  connecting: 'connecting',
  down: 'unreachable',
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
export const loginOf = (spec: HostSpec): string => (spec.kind === 'local' ? '' : METHODS[spec.auth.method]);

/** Asked before a host is removed. */
export const removalQuestion = ({ name }: HostSpec): string =>
  `Remove ${name}? Its stored password and tunnels are removed; sessions measured on it stay.`;

/** Leftovers that Kneepoint could not remove from a host yet. Jobs that ended since the last check may have left more. */
export function useLeftBehind(): (host: string) => readonly LeftBehind[] {
  const { data = [] } = useCall('hosts.leftBehind', {}, { staleTime: 0 });
  return (host) => data.filter((entry) => entry.host === host);
}

const sentence = ({ what, since, message }: LeftBehind): string =>
  [`${what}${since === undefined ? '' : `, since ${formatDateTime(since)}`}.`, message].filter(Boolean).join(' ');

/** Shown with the name in the list. */
export const LeftBehindMark = ({ left }: { left: readonly LeftBehind[] }) => (
  <Status tone="warn" title={left.map((entry) => `${sentence(entry)} ${entry.next}`).join('\n')}>
    {left.length === 1 ? '1 file left behind' : `${left.length} files left behind`}
  </Status>
);

/** Shown on the page of the host. */
export const LeftBehindBanner = ({ left }: { left: readonly LeftBehind[] }) => (
  <ProblemBanner
    tone="warn"
    problem={{
      message: `Left behind on this host: ${left.map(sentence).join(' ')}`,
      next: [...new Set(left.map(({ next }) => next))].join(' '),
    }}
  />
);

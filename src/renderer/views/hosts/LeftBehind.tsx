import type { LeftBehind } from '../../../shared/model/host.ts';
import { formatDateTime } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { ProblemBanner, Status } from '../../ui/index.ts';

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

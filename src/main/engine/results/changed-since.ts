import type { Finding } from '../../../shared/model/finding.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { LaterPart } from '../../../shared/model/session-snapshot.ts';
import { formatDateTime } from '../../../shared/util/format.ts';
import { named } from '../../../shared/util/named.ts';
import { changesOf } from './differences.ts';
import { settingDifferencesOf } from './settings.ts';
import { warning } from './warnings.ts';

type Detail = Pick<SessionDetail, 'later'> & Omit<SessionDetail, 'findings'>;

/** First trials of the parts of a session with repeats that were added later. */
export const laterParts = ({ later = [] }: { later?: readonly LaterPart[] | undefined }): number[] =>
  later.filter(({ added }) => added > 0).map(({ from }) => from);

/** What hosts and target said of themselves otherwise when trials were added. `session`: its name, where several are spoken of. */
export function changedSinceStart(detail: Detail, session?: string): Finding[] {
  return (detail.later ?? []).flatMap(({ from, at, facts }): Finding[] => {
    if (!facts) return [];
    const { target: _target, targets: _targets, toolVersion: _version, ...rest } = detail;
    const then = { ...rest, ...facts } as SessionDetail;
    const changed = [
      ...settingDifferencesOf(detail, facts)
        .filter(({ rank }) => rank === 'matters')
        .map(({ name, baseline, other }) => `${name} (${baseline} → ${other})`),
      ...changesOf(detail as SessionDetail, then).map(
        ({ what, baseline, other }) => `${what} (${baseline} → ${other})`,
      ),
    ];
    if (changed.length === 0) return [];
    const since = `${session ? `${session}: since` : 'Since'} trial ${from + 1} (added ${formatDateTime(at)})`;
    return [
      warning(
        'changed-since-start',
        `${since} it was measured on something else: ${named(changed)}.`,
        'Its repeats before and after are not of the same set-up. Run it again as a session of its own, and compare the two.',
      ),
    ];
  });
}

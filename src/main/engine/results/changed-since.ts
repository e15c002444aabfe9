import type { Finding } from '../../../shared/model/finding.ts';
import type { Comparison } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { LaterPart } from '../../../shared/model/session-snapshot.ts';
import { formatDateTime, NO_VALUE } from '../../../shared/util/format.ts';
import { differencesOf } from './differences.ts';
import { settingDifferencesOf } from './settings.ts';
import { named, warning } from './warnings.ts';

type Detail = Pick<SessionDetail, 'later'> & Omit<SessionDetail, 'findings'>;

/** First trials of the parts of a session with repeats that were added later. */
export const laterParts = ({ later = [] }: { later?: readonly LaterPart[] | undefined }): number[] =>
  later.filter(({ added }) => added > 0).map(({ from }) => from);

/** What a host did not tell once, as it could not be asked or an earlier version did not ask it, has not changed. */
const isKnown = ({ what, baseline, other }: Comparison['differences'][number]): boolean =>
  !/^(?:Generator|Server.* host) /.test(what) || (baseline !== NO_VALUE && other !== NO_VALUE);

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
      ...differencesOf(detail as SessionDetail, then)
        .filter(isKnown)
        .map(({ what, baseline, other }) => `${what} (${baseline} → ${other})`),
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

import type { Session } from '../../../shared/model/session.ts';
import type { RowGroup } from '../../ui/index.ts';

export const GROUPINGS = ['none', 'experiment', 'tool', 'target', 'tag', 'date'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Behind every name. */
const LAST = '\uffff';

const named = (label: string): RowGroup => ({ label, order: label });

const DAY_MS = 86_400_000;

/** Today, yesterday, this week, else the month; the newest first. Days are those of this computer's clock. */
function dateGroup(at: number, now: number): RowGroup {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight - at) / DAY_MS);
  if (days <= 0) return { label: 'Today', order: 0 };
  if (days === 1) return { label: 'Yesterday', order: 1 };
  if (days < 7) return { label: 'Earlier in the last seven days', order: 2 };
  const date = new Date(at);
  return {
    label: date.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' }),
    order: 1_000_000 - 12 * date.getFullYear() - date.getMonth(),
  };
}

/** Groups that a session stands in; several by tag, or by target. Experiments by their newest session, others by name. */
export function grouper(
  grouping: Exclude<Grouping, 'none'>,
  sessions: readonly Session[],
  now: number,
): (session: Session) => readonly RowGroup[] {
  switch (grouping) {
    case 'experiment': {
      const newest = new Map<string, number>();
      for (const { experiment = '', createdAt } of sessions)
        newest.set(experiment, Math.max(createdAt, newest.get(experiment) ?? 0));
      return ({ experiment }) => [
        experiment === undefined
          ? { label: 'Experiment not known', order: 0 }
          : { label: experiment, order: -(newest.get(experiment) ?? 0) },
      ];
    }
    case 'tool':
      return ({ tool }) => [named(tool)];
    case 'target':
      return ({ target, targets = target ? [target] : [] }) =>
        targets.length > 0 ? targets.map(named) : [{ label: 'No separate target', order: LAST }];
    case 'tag':
      return ({ tags }) => (tags.length > 0 ? tags.map(named) : [{ label: 'No tag', order: LAST }]);
    case 'date':
      return ({ createdAt }) => [dateGroup(createdAt, now)];
  }
}

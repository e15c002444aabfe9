import type { Session } from '../../../shared/model/session.ts';
import type { RowGroup } from '../../ui/index.ts';

export const GROUPINGS = ['none', 'tool', 'target', 'tag', 'date'] as const;
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

/** Groups that a session stands in; several by tag. */
export function groupsOf(grouping: Exclude<Grouping, 'none'>, session: Session, now: number): readonly RowGroup[] {
  switch (grouping) {
    case 'tool':
      return [named(session.tool)];
    case 'target':
      return [session.target ? named(session.target) : { label: 'No separate target', order: LAST }];
    case 'tag':
      return session.tags.length > 0 ? session.tags.map(named) : [{ label: 'No tag', order: LAST }];
    case 'date':
      return [dateGroup(session.createdAt, now)];
  }
}

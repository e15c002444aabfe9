import { Link } from 'wouter';
import type { Changed } from '../../shared/model/restore.ts';
import { formatDateTime, NO_VALUE } from '../../shared/util/format.ts';
import type { Column } from '../ui/index.ts';

/** A value of a setting as shown in tables. */
export const settingValue = (value: string | null): string => value ?? 'unset';

/** “server shop-db”, “host db-01”. */
export const changedPlace = ({ place }: Pick<Changed, 'place'>): string => `${place.kind} ${place.name}`;

/** Columns for settings that sessions have changed on hosts and servers. */
export const CHANGED_COLUMNS: readonly Column<Changed>[] = [
  { id: 'place', header: 'Place', value: changedPlace },
  { id: 'what', header: 'Setting', value: ({ what }) => what },
  { id: 'first', header: 'Was', value: ({ first }) => settingValue(first) },
  { id: 'wanted', header: 'Set to', value: ({ wanted }) => settingValue(wanted) },
  {
    id: 'session',
    header: 'Session',
    align: 'right',
    value: ({ session }) => session ?? NO_VALUE,
    cell: ({ session }) => (session === undefined ? NO_VALUE : <Link href={`/sessions/${session}`}>{session}</Link>),
  },
  { id: 'since', header: 'Since', value: ({ since }) => formatDateTime(since) },
];

import { Link } from 'wouter';
import type { Changed } from '../../shared/model/restore.ts';
import { formatDateTime, NO_VALUE } from '../../shared/util/format.ts';
import { useCall } from '../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner, TableSkeleton } from '../ui/index.ts';

interface Properties {
  places: readonly Changed['place'][];
  /** Text if nothing is changed; absent: then there is no panel. */
  nothing?: string;
}

/** Settings that sessions have changed on these hosts and servers, and not restored yet. */
export function ChangedHere({ places, nothing }: Properties) {
  const list = useCall('changes.list', {});
  const here = list.data?.filter(({ place }) =>
    places.some(({ kind, name }) => kind === place.kind && name === place.name),
  );
  if (list.error) return <ProblemBanner problem={list.error.problem} />;
  if (nothing === undefined && !here?.length) return null;
  return (
    <Panel
      title="Changed by sessions"
      note={here && here.length > 0 ? 'Restored when the session ends' : undefined}
      flush={here?.length !== 0}
    >
      {!here ? (
        <TableSkeleton rows={2} />
      ) : here.length === 0 ? (
        <p className="kp-dim">{nothing}</p>
      ) : (
        <DataTable
          label="Changed by sessions"
          columns={CHANGED_COLUMNS}
          rows={here}
          rowId={({ entry }) => String(entry)}
        />
      )}
      {here?.flatMap(({ entry, what, message }) =>
        message === undefined ? [] : [<p key={entry} className="kp-small">{`${what}: ${message}`}</p>],
      )}
    </Panel>
  );
}

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

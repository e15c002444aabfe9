import type { ReactNode } from 'react';
import type { LiveSession } from '../../../shared/model/target-details.ts';
import { formatDuration, formatNumber, NO_VALUE } from '../../../shared/util/format.ts';
import { type Column, DataTable, Panel } from '../../ui/index.ts';
import classes from './targets.module.css';

const COLUMNS: readonly Column<LiveSession>[] = [
  { id: 'id', header: 'Id', value: ({ id }) => id },
  {
    id: 'user',
    header: 'User',
    value: ({ user }) => user,
    cell: ({ user, own }) => (own ? `${user}, this app` : user),
  },
  { id: 'client', header: 'Client', value: ({ client }) => client, minor: true },
  { id: 'database', header: 'Database', value: ({ database }) => database },
  { id: 'state', header: 'State', value: ({ state }) => state },
  { id: 'wait', header: 'Waits for', value: ({ wait }) => wait },
  {
    id: 'seconds',
    header: 'Since',
    align: 'right',
    value: ({ seconds }) => seconds,
    cell: ({ seconds }) => formatDuration(seconds),
  },
  {
    id: 'statement',
    header: 'Statement',
    grow: true,
    cell: ({ statement }) => (
      <code className="kp-mono" title={statement}>
        {statement ?? NO_VALUE}
      </code>
    ),
  },
];

/** Who was connected at that moment, as far as the account may see. */
export function SessionsTable({ sessions, moment }: { sessions: readonly LiveSession[]; moment: ReactNode }) {
  const others = sessions.filter(({ own }) => !own).length;
  return (
    <>
      <div className={classes.bar}>
        <span>
          {others === 0 ? 'The server lists nobody but this app.' : `${formatNumber(others)} besides this app.`}
        </span>
        {moment}
      </div>
      <Panel label="Live sessions" flush>
        <DataTable label="Live sessions" columns={COLUMNS} rows={sessions} rowId={({ id }) => id} />
      </Panel>
    </>
  );
}

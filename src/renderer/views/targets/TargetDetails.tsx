import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Target, TargetPart } from '../../../shared/model/target.ts';
import type { DataSizes, TargetDetails as Details, LiveSession } from '../../../shared/model/target-details.ts';
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatNumber,
  NO_VALUE,
} from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { PasswordForm, VaultUnlock } from '../../domain/problems.tsx';
import { Finder, SettingsTable } from '../../domain/SettingsTable.tsx';
import { BlockSkeleton, type Column, DataTable, Panel, ProblemBanner } from '../../ui/index.ts';
import classes from './targets.module.css';

/** One part of a saved target's details, read when it is first opened and again on demand. */
export function TargetDetails({ target, part }: { target: Target; part: TargetPart }) {
  const reading = useCall('targets.inspectSpec', { id: target.id, spec: target.spec });
  const again = (): void => void reading.refetch();
  const problem = reading.error?.problem ?? (reading.data?.result === 'failed' ? reading.data.problem : undefined);
  if (problem?.code === 'vault-locked') return <VaultUnlock problem={problem} onUnlocked={again} />;
  if (problem) {
    return (
      <ProblemBanner
        problem={problem}
        actions={
          problem.code === 'secret-missing' ? (
            <PasswordForm
              host={problem.host}
              target={problem.host === undefined ? target.spec.name : problem.target}
              onSaved={again}
            />
          ) : (
            <Button variant="default" loading={reading.isFetching} onClick={again}>
              Try again
            </Button>
          )
        }
      />
    );
  }
  if (reading.data?.result !== 'ok') {
    return (
      <Panel label="Querying the server">
        <BlockSkeleton height={420} />
      </Panel>
    );
  }
  const { details } = reading.data;
  const moment = (
    <div className={classes.moment}>
      <span className="kp-small kp-dim">as of {formatDateTime(details.readAt)}</span>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.6} />}
        loading={reading.isFetching}
        onClick={again}
      >
        Read again
      </Button>
    </div>
  );
  return <Part part={part} details={details} moment={moment} />;
}

function Part({ part, details, moment }: { part: TargetPart; details: Details; moment: ReactNode }) {
  switch (part) {
    case 'settings':
      return <SettingsTable settings={details.settings ?? []} moment={moment} />;
    case 'sizes':
      return <DataTables sizes={details.sizes ?? { databases: [], tables: [], tablesLeftOut: 0 }} moment={moment} />;
    case 'sessions':
      return <SessionsTable sessions={details.sessions ?? []} moment={moment} />;
    case 'counters':
      return <CountersTable counters={details.counters ?? {}} moment={moment} />;
  }
}

type Counter = readonly [name: string, value: number];

const COUNTER_COLUMNS: readonly Column<Counter>[] = [
  {
    id: 'name',
    header: 'Counter',
    grow: true,
    value: ([name]) => name,
    cell: ([name]) => <code className="kp-mono">{name}</code>,
  },
  {
    id: 'value',
    header: 'Value',
    align: 'right',
    value: ([, value]) => value,
    cell: ([, value]) => formatNumber(value, Number.isInteger(value) ? 0 : 3),
  },
];

/** The server's counters by its own names. */
function CountersTable({ counters, moment }: { counters: Readonly<Record<string, number>>; moment: ReactNode }) {
  const [words, setWords] = useState('');
  const rows: Counter[] = Object.entries(counters);
  const wanted = words.trim().toLowerCase();
  return (
    <>
      <div className={classes.bar}>
        <Finder label={`Search ${rows.length} counters`} value={words} onChange={setWords} />
        {moment}
      </div>
      <Panel label="Counters" flush>
        <DataTable
          label="Counters"
          columns={COUNTER_COLUMNS}
          rows={rows.filter(([name]) => name.toLowerCase().includes(wanted))}
          rowId={([name]) => name}
          empty="No counter matches."
        />
      </Panel>
    </>
  );
}

const SESSION_COLUMNS: readonly Column<LiveSession>[] = [
  { id: 'id', header: 'Id', value: ({ id }) => id },
  {
    id: 'user',
    header: 'User',
    value: ({ user }) => user,
    cell: ({ user, own }) => (own ? `${user} (Kneepoint)` : user),
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

/** Connected clients at that moment, as far as the account may see them. */
function SessionsTable({ sessions, moment }: { sessions: readonly LiveSession[]; moment: ReactNode }) {
  const others = sessions.filter(({ own }) => !own).length;
  return (
    <>
      <div className={classes.bar}>
        <span>{others === 0 ? 'No other sessions' : formatCount(others, 'other session')}</span>
        {moment}
      </div>
      <Panel label="Database sessions" flush>
        <DataTable label="Database sessions" columns={SESSION_COLUMNS} rows={sessions} rowId={({ id }) => id} />
      </Panel>
    </>
  );
}

type Database = DataSizes['databases'][number];
type Table = DataSizes['tables'][number];

const size: Column<Database> = {
  id: 'bytes',
  header: 'Size',
  align: 'right',
  value: ({ bytes }) => bytes,
  cell: ({ bytes }) => formatBytes(bytes),
};
const name: Column<Database> = { id: 'name', header: 'Name', grow: true, value: (row) => row.name };

const TABLE_COLUMNS: readonly Column<Table>[] = [
  name,
  {
    id: 'rows',
    header: 'Approx. rows',
    align: 'right',
    value: ({ rows }) => rows,
    cell: ({ rows }) => formatNumber(rows),
  },
  {
    id: 'index',
    header: 'Indexes',
    align: 'right',
    value: ({ indexBytes }) => indexBytes,
    cell: ({ indexBytes }) => formatBytes(indexBytes),
  },
  size,
];

/** Sizes of databases and tables, as reported by the server. */
function DataTables({ sizes, moment }: { sizes: DataSizes; moment: ReactNode }) {
  const left = sizes.tablesLeftOut;
  return (
    <>
      <div className={classes.bar}>{moment}</div>
      <div className={classes.sizes}>
        <Panel
          title="Tables of its database"
          note={left > 0 ? `the largest; ${formatNumber(left)} smaller ones are not listed` : undefined}
          flush
        >
          <DataTable
            label="Tables"
            columns={TABLE_COLUMNS}
            rows={sizes.tables}
            rowId={(row) => row.name}
            empty="This database has no tables yet."
          />
        </Panel>
        <Panel title="Databases of the server" flush>
          <DataTable label="Databases" columns={[name, size]} rows={sizes.databases} rowId={(row) => row.name} />
        </Panel>
      </div>
    </>
  );
}

import { Button } from '@mantine/core';
import { IconBolt, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { DataTable, Page, PageHeader, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import { SESSION_COLUMNS } from './columns.tsx';
import { EmptyLibrary } from './EmptyLibrary.tsx';
import { ALL_SESSIONS, FilterBar, matches } from './FilterBar.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useQuickstart } from './useQuickstart.ts';
import { useRemoval } from './useRemoval.tsx';
import './library.css';

const NONE: readonly Session[] = [];

/** Home: every session there is. */
export function LibraryView() {
  const [, go] = useLocation();
  const [filter, setFilter] = useState(ALL_SESSIONS);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const query = useCall('sessions.list', { archived: filter.archived });
  const quickstart = useQuickstart();
  const { leaving, remove, archive } = useRemoval();
  const sessions = query.data ?? NONE;
  const rows = useMemo(
    () => sessions.filter((session) => !leaving.has(session.id) && matches(session, filter)),
    [sessions, leaving, filter],
  );
  const priced = sessions.some((session) => session.costPerHour !== undefined);
  const columns = useMemo(() => SESSION_COLUMNS.filter((column) => priced || column.id !== 'cost'), [priced]);
  const chosen = rows.filter((session) => selected.includes(String(session.id)));

  if (query.error) {
    return (
      <Page>
        <PageHeader title="Library" />
        <ProblemBanner
          problem={query.error.problem}
          actions={
            <Button variant="default" onClick={() => query.refetch()}>
              Try again
            </Button>
          }
        />
      </Page>
    );
  }
  if (query.data?.length === 0 && filter === ALL_SESSIONS) return <EmptyLibrary quickstart={quickstart} />;
  return (
    <Page>
      <PageHeader
        title="Library"
        subtitle={
          query.data
            ? `${formatCount(sessions.length, 'session')}${filter.archived ? ', archived ones included' : ''}`
            : 'Reading the sessions…'
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconBolt size={16} />}
              loading={quickstart.starting}
              onClick={quickstart.start}
            >
              Quick benchmark
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={() => go('/experiments/new')}>
              New experiment
            </Button>
          </>
        }
      />
      {quickstart.problem ? <ProblemBanner problem={quickstart.problem} /> : null}
      <Panel label="Sessions" flush>
        <div className="kp-library-bar">
          {chosen.length > 0 ? (
            <SelectionBar
              chosen={chosen}
              onCompare={(baseline, other) => go(`/compare?baseline=${baseline}&other=${other}`)}
              onArchive={() => archive(chosen)}
              onRemove={() => remove(chosen)}
              onClear={() => setSelected([])}
            />
          ) : (
            <FilterBar filter={filter} onChange={setFilter} />
          )}
        </div>
        {query.data ? (
          <DataTable
            label="Sessions"
            columns={columns}
            rows={rows}
            rowId={(session) => String(session.id)}
            rowLabel={(session) => session.name}
            sort={{ id: 'date', descending: true }}
            onRowClick={(session) => go(placeOf(session))}
            selected={selected}
            onSelect={setSelected}
            empty="No session fits this filter."
          />
        ) : (
          <TableSkeleton />
        )}
      </Panel>
    </Page>
  );
}

const placeOf = (session: Session): string =>
  `/sessions/${session.id}/${ENDED_SESSION.includes(session.state) ? 'results' : 'live'}`;

import { Button } from '@mantine/core';
import { IconBolt, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Problem } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { DataTable, Page, PageHeader, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import { placeOf, sessionColumns } from './columns.tsx';
import { EmptyLibrary } from './EmptyLibrary.tsx';
import { FilterBar } from './FilterBar.tsx';
import { matches, useFilter } from './filter.ts';
import { type Grouping, groupsOf } from './grouping.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useQuickstart } from './useQuickstart.ts';
import { useRemoval } from './useRemoval.tsx';
import './library.css';

const NONE: readonly Session[] = [];

/** Home: every session there is. */
export function LibraryView() {
  const [, go] = useLocation();
  const [filter, setFilter] = useFilter();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const { query, archived } = useSessions(filter.archived);
  const quickstart = useQuickstart();
  const { leaving, remove, archive } = useRemoval();
  const sessions = query.data ?? NONE;
  const rows = sessions.filter((session) => !leaving.has(session.id) && matches(session, filter));
  const tags = useMemo(() => [...new Set(sessions.flatMap((session) => session.tags))].sort(), [sessions]);
  const withTag = (tag: string): void => setFilter({ ...filter, tags: [...new Set([...filter.tags, tag])] });
  const chosen = rows.filter((session) => selected.includes(String(session.id)));

  if (query.error) {
    return <Unreadable problem={query.error.problem} onRetry={() => query.refetch()} />;
  }
  if (query.data?.length === 0 && archived.data?.length === 0) return <EmptyLibrary quickstart={quickstart} />;
  return (
    <Page>
      <PageHeader
        title="Library"
        subtitle={query.data ? countWords(sessions.length, filter.archived) : 'Reading the sessions…'}
        actions={<Actions quickstart={quickstart} />}
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
            <FilterBar filter={filter} tags={tags} onChange={setFilter} />
          )}
        </div>
        {query.data && (sessions.length > 0 || archived.data) ? (
          <DataTable
            label="Sessions"
            columns={columnsFor(sessions, withTag)}
            rows={rows}
            rowId={(session) => String(session.id)}
            rowLabel={(session) => session.name}
            sort={{ id: 'date', descending: true }}
            onRowClick={(session) => go(placeOf(session))}
            isClickable={(session) => !session.damaged}
            selected={selected}
            onSelect={setSelected}
            {...(filter.group === 'none' ? {} : { groupsOf: grouped(filter.group) })}
            empty={sessions.length === 0 ? 'Every session is archived.' : 'No session fits this filter.'}
          />
        ) : (
          <TableSkeleton />
        )}
      </Panel>
    </Page>
  );
}

const grouped = (grouping: Exclude<Grouping, 'none'>) => (session: Session) => groupsOf(grouping, session, Date.now());

const Unreadable = ({ problem, onRetry }: { problem: Problem; onRetry(): void }) => (
  <Page>
    <PageHeader title="Library" />
    <ProblemBanner
      problem={problem}
      actions={
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  </Page>
);

function Actions({ quickstart }: { quickstart: ReturnType<typeof useQuickstart> }) {
  const [, go] = useLocation();
  return (
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
  );
}

const countWords = (count: number, archived: boolean): string =>
  `${formatCount(count, 'session')}${archived ? ', archived ones included' : ''}`;

function useSessions(withArchived: boolean) {
  const query = useCall('sessions.list', { archived: withArchived });
  // Only a library that has nothing archived either is a new one.
  const archived = useCall('sessions.list', { archived: true }, { enabled: query.data?.length === 0 });
  return { query, archived };
}

/** Costs are a column when something has a price. */
function columnsFor(sessions: readonly Session[], onTag: (tag: string) => void) {
  const priced = sessions.some((session) => session.costPerHour !== undefined);
  return sessionColumns(onTag).filter((column) => priced || column.id !== 'cost');
}

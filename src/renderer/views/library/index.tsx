import './library.css';
import { Button } from '@mantine/core';
import { IconBolt, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { sessionTrend } from '../../../shared/chart-models/index.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { TrendDots } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { PendingFigure, Warnings } from '../../domain/index.ts';
import { DataTable, Page, PageHeader, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import { sessionColumns } from './columns.tsx';
import { EmptyLibrary, useQuickstart } from './EmptyLibrary.tsx';
import { FilterBar } from './FilterBar.tsx';
import { grouper, matches, placeOf, useFilter, useHiddenColumns } from './filter.ts';
import { RowMenu } from './RowMenu.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { type SessionChanges, useSessionChanges } from './useSessionChanges.tsx';

const NONE: readonly Session[] = [];
/** Columns that cannot be hidden. */
const KEPT: readonly string[] = ['name', 'menu'];
/** Two lines. */
const ROW_HEIGHT = 48;

/** Home: every session. */
export function LibraryView() {
  const [, go] = useLocation();
  const [filter, setFilter] = useFilter();
  const [hidden, setHidden] = useHiddenColumns();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const { query, archived } = useSessions(filter.archived);
  const quickstart = useQuickstart();
  const changes = useSessionChanges();
  const sessions = query.data ?? NONE;
  const rows = sessions.filter((session) => !changes.removing.includes(session.id) && matches(session, filter));
  const tags = useMemo(() => [...new Set(sessions.flatMap((session) => session.tags))].sort(), [sessions]);
  const columns = columnsFor(sessions, changes, filter.archived);
  const { group } = filter;
  const chosen = rows.filter((session) => selected.includes(String(session.id)));

  const unreadable = query.error ?? archived.error;
  if (unreadable) {
    return (
      <Unreadable
        problem={unreadable.problem}
        onRetry={() => void Promise.all([query.refetch(), archived.refetch()])}
      />
    );
  }
  if (query.data?.length === 0 && archived.data?.length === 0) return <EmptyLibrary quickstart={quickstart} />;
  return (
    <Page>
      <PageHeader
        title="Library"
        subtitle={query.data ? countWords(rows.length, sessions.length, filter.archived) : 'Loading sessions…'}
        actions={<Actions quickstart={quickstart} />}
      />
      {quickstart.problem ? <ProblemBanner problem={quickstart.problem} /> : null}
      <Panel label="Sessions" flush>
        <div className="kp-library-bar">
          <FilterBar
            {...{ filter, tags, hidden }}
            onChange={setFilter}
            columns={columns.filter(({ id }) => !KEPT.includes(id))}
            onHidden={setHidden}
          />
        </div>
        {query.data && (sessions.length > 0 || archived.data) ? (
          <DataTable
            label="Sessions"
            columns={columns.filter(({ id }) => !hidden.includes(id))}
            rows={rows}
            rowId={(session) => String(session.id)}
            rowLabel={(session) => session.name}
            rowHeight={ROW_HEIGHT}
            sort={filter.sort}
            onSort={(sort) => setFilter({ ...filter, sort })}
            onRowClick={(session) => go(placeOf(session))}
            isClickable={(session) => !session.damaged}
            selected={selected}
            onSelect={setSelected}
            groupsOf={group === 'none' ? undefined : grouper(group, rows, Date.now())}
            groupAside={group === 'experiment' ? (of) => <ExperimentTrend sessions={of} /> : undefined}
            closed={filter.closed}
            onClosed={(closed) => setFilter({ ...filter, closed })}
            empty={emptyWords(sessions.length, filter.archived)}
          />
        ) : (
          <TableSkeleton />
        )}
        {chosen.length > 0 ? (
          <SelectionBar
            chosen={chosen}
            archived={filter.archived}
            tags={tags}
            changes={changes}
            onClear={() => setSelected([])}
          />
        ) : null}
      </Panel>
    </Page>
  );
}

const emptyWords = (count: number, archived: boolean): string => {
  if (count > 0) return 'No sessions match.';
  return archived ? 'The archive is empty.' : 'Every session is archived.';
};

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
        {`Quick benchmark${quickstart.lasts}`}
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={() => go('/experiments/new')}>
        New experiment
      </Button>
    </>
  );
}

/** Number of sessions; with a filter, also the number of listed ones. */
const countWords = (listed: number, count: number, archived: boolean): string =>
  `${listed < count ? `${listed} of ` : ''}${formatCount(count, archived ? 'archived session' : 'session')}`;

function useSessions(withArchived: boolean) {
  const query = useCall('sessions.list', withArchived ? { archived: true } : {});
  // Only a library without archived sessions is new: requested at the same time, as the first-launch page waits for it.
  const archived = useCall('sessions.list', { archived: true, most: 1 }, { enabled: !query.data?.length });
  return { query, archived };
}

/** Costs are a column if anything has a price. */
function columnsFor(sessions: readonly Session[], changes: SessionChanges, archived: boolean) {
  const priced = sessions.some((session) => session.costPerHour !== undefined);
  return sessionColumns((session) => <RowMenu session={session} archived={archived} changes={changes} />).filter(
    (column) => priced || column.id !== 'cost',
  );
}

/** Shown with the name of an experiment: the trend of the best cell over its sessions. */
function ExperimentTrend({ sessions }: { sessions: readonly Session[] }) {
  // Without these the trend would compare other sessions than the last two.
  const pending = sessions.filter(({ best, figuresFollow }) => figuresFollow && !best).map(({ id }) => id);
  if (pending.length > 0 && sessions.length > 1) return <PendingFigure ids={pending} />;
  const trend = sessionTrend(sessions);
  if (!trend || trend.points.length < 2) return null;
  return (
    <span className="kp-library-trend" title={trend.words}>
      <span className="kp-small">
        {trend.short}
        <Warnings of={trend} />
      </span>
      <TrendDots trend={trend} />
    </span>
  );
}

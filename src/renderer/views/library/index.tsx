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
import { PendingFigure, useKept, Warnings } from '../../domain/index.ts';
import { DataTable, Page, PageHeader, Panel, ProblemBanner, TableSkeleton, useDropPlace } from '../../ui/index.ts';
import { sessionColumns } from './columns.tsx';
import { EmptyLibrary, useQuickstart } from './EmptyLibrary.tsx';
import { FilterBar } from './FilterBar.tsx';
import { grouper, inOrder, isInState, matches, NO_TAG, placeOf, useColumns, useFilter } from './filter.ts';
import { SessionMenu } from './RowMenu.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { type SessionChanges, useSessionChanges } from './useSessionChanges.tsx';

const NONE: readonly Session[] = [];
const NONE_SELECTED: readonly string[] = [];
/** Maximum tags of a session. */
const MOST_TAGS = 4;
/** Two lines. */
const ROW_HEIGHT = 48;

/** Home: every session. */
export function LibraryView() {
  const [, go] = useLocation();
  const [filter, setFilter] = useFilter();
  const [chosenColumns, setChosenColumns] = useColumns();
  const [selected, setSelected] = useKept('selected sessions', NONE_SELECTED);
  const [dragged, setDragged] = useState<Session>();
  const { query, archived } = useSessions(filter.archived);
  const quickstart = useQuickstart();
  const changes = useSessionChanges();
  const sessions = query.data ?? NONE;
  const inAnyState = sessions.filter(
    (session) => !changes.removing.includes(session.id) && matches(session, { ...filter, state: 'all' }),
  );
  const rows = inAnyState.filter((session) => isInState(session, filter.state));
  const tags = useMemo(() => [...new Set(sessions.flatMap((session) => session.tags))].sort(), [sessions]);
  const [first, movable, last] = columnsFor(sessions, changes, filter.archived, chosenColumns.order);
  const { group } = filter;
  const chosen = rows.filter((session) => selected.includes(String(session.id)));
  const drop = useDropPlace(() =>
    dragged ? () => setSelected([...new Set([...selected, String(dragged.id)])]) : undefined,
  );
  /** Adds a tag to the dragged session, and with it to all selected ones. */
  const dropOnTag = (moved: Session, tag: string): (() => void) | undefined => {
    if (group !== 'tag' || tag === NO_TAG) return undefined;
    const together = chosen.includes(moved) ? chosen : [moved];
    const without = together.filter(({ tags: own }) => !own.includes(tag) && own.length < MOST_TAGS);
    return without.length > 0 ? () => changes.tag(without, (session) => [...session.tags, tag]) : undefined;
  };

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
            {...{ filter, tags }}
            found={query.data && inAnyState}
            onChange={setFilter}
            columns={movable}
            chosen={chosenColumns}
            onColumns={setChosenColumns}
          />
        </div>
        {query.data && (sessions.length > 0 || archived.data) ? (
          <DataTable
            label="Sessions"
            columns={[...first, ...movable.filter(({ id }) => !chosenColumns.hidden.includes(id)), ...last]}
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
            drag={{
              onDrag: setDragged,
              onRow: (moved, onto) =>
                moved.damaged || onto.damaged ? undefined : () => go(`/compare?baseline=${onto.id}&other=${moved.id}`),
              onGroup: dropOnTag,
            }}
            closed={filter.closed}
            onClosed={(closed) => setFilter({ ...filter, closed })}
            empty={emptyWords(sessions.length, filter.archived)}
          />
        ) : (
          <TableSkeleton />
        )}
        {chosen.length > 0 ? (
          <SelectionBar
            drop={drop}
            chosen={chosen}
            archived={filter.archived}
            tags={tags}
            changes={changes}
            onClear={() => setSelected([])}
          />
        ) : dragged ? (
          <div className="kp-selection-bar kp-library-drop" {...drop}>
            {`Drop here to select it, or on another session to compare them${group === 'tag' ? ', or on a tag to add it' : ''}.`}
          </div>
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

/** The first column, those that can be hidden and moved in the user's order, and the last one. Costs are a column if anything has a price. */
function columnsFor(
  sessions: readonly Session[],
  changes: SessionChanges,
  archived: boolean,
  order: readonly string[],
) {
  const priced = sessions.some((session) => session.costPerHour !== undefined);
  const columns = sessionColumns((session) => (
    <SessionMenu session={session} archived={archived} changes={changes} />
  )).filter((column) => priced || column.id !== 'cost');
  return [columns.slice(0, 1), inOrder(columns.slice(1, -1), order), columns.slice(-1)] as const;
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

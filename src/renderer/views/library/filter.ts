import { useState } from 'react';
import { z } from 'zod';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { targetWords } from '../../../shared/model/session-words.ts';
import { useListParameters } from '../../domain/kept.ts';
import type { RowGroup } from '../../ui/index.ts';

const STATES = ['all', 'open', 'done', 'incomplete'] as const;

/** Filter and grouping of the sessions shown. */
export interface Filter {
  words: string;
  state: (typeof STATES)[number];
  /** Only sessions that have all of these. */
  tags: readonly string[];
  group: Grouping;
  /** Names of the collapsed groups. */
  closed: readonly string[];
  /** Shows the archive instead of the other sessions. */
  archived: boolean;
  /** Sort column. */
  sort: { id: string; descending: boolean };
}

/** The newest first. */
const USUAL_SORT = '-date';

/** Whether a session is in one of the states of the filter. */
export function isInState({ state }: Pick<Session, 'state'>, wanted: Filter['state']): boolean {
  const ended = ENDED_SESSION.includes(state);
  if (wanted === 'open') return !ended;
  if (wanted === 'done') return state === 'done';
  return wanted === 'all' || (ended && state !== 'done');
}

/** Whether a session matches the filter: every word occurs in its name, experiment, question, answer, tags, tool, target or generators. */
export function matches(session: Session, filter: Filter): boolean {
  if (!isInState(session, filter.state)) return false;
  if (!filter.tags.every((tag) => session.tags.includes(tag))) return false;
  const { name, experiment, question, answer, tags, tool, generators } = session;
  const text = [name, experiment, question, answer, ...tags, tool, targetWords(session), ...generators]
    .join(' ')
    .toLowerCase();
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const oneOf = <T extends string>(known: readonly T[], text: string | null, otherwise: T): T =>
  known.find((entry) => entry === text) ?? otherwise;

const GROUP_KEY = 'kneepoint-library-group';
const HIDDEN_KEY = 'kneepoint-library-hidden';
const ORDER_KEY = 'kneepoint-library-order';

function keptChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be disabled.
    return null;
  }
}

function keepChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice applies until the page is left.
  }
}

/**
 * The filter is in the address. The grouping is also stored in this browser: it is a preference that does not depend on the search.
 */
export function useFilter(): readonly [Filter, (filter: Filter) => void] {
  const [parameters, setParameters] = useListParameters();
  const filter = filterIn(parameters);
  const set = (next: Filter): void => {
    if (next.group !== filter.group) keepChoice(GROUP_KEY, next.group);
    setParameters(parametersOf(next));
  };
  return [filter, set];
}

function filterIn(parameters: URLSearchParams): Filter {
  const sort = parameters.get('sort') ?? USUAL_SORT;
  return {
    words: parameters.get('find') ?? '',
    state: oneOf(STATES, parameters.get('state'), 'all'),
    tags: parameters.getAll('tag'),
    group: oneOf(GROUPINGS, parameters.get('group') ?? keptChoice(GROUP_KEY), 'none'),
    closed: parameters.getAll('closed'),
    archived: parameters.has('archived'),
    sort: { id: sort.replace(/^-/, ''), descending: sort.startsWith('-') },
  };
}

function parametersOf({ words, state, tags, group, closed, archived, sort }: Filter): string[][] {
  const order = `${sort.descending ? '-' : ''}${sort.id}`;
  return [
    ...(words === '' ? [] : [['find', words]]),
    ...(state === 'all' ? [] : [['state', state]]),
    ...tags.map((tag) => ['tag', tag]),
    ...(group === 'none' ? [] : [['group', group]]),
    ...closed.map((label) => ['closed', label]),
    ...(archived ? [['archived', '1']] : []),
    ...(order === USUAL_SORT ? [] : [['sort', order]]),
  ];
}

export const GROUPINGS = ['none', 'experiment', 'tool', 'target', 'tag', 'date'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Sorts after every name. */
const LAST = '\uffff';

const named = (label: string): RowGroup => ({ label, order: label });

/** Group of the sessions without a tag. */
export const NO_TAG = 'No tag';

const DAY_MS = 86_400_000;

/** Today, yesterday, this week, otherwise the month; the newest first. Days are those of this computer's clock. */
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

/** Groups of a session; by tag or target there may be several. Experiments are sorted by their newest session, others by name. */
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
          ? { label: 'Unknown experiment', order: 0 }
          : { label: experiment, order: -(newest.get(experiment) ?? 0) },
      ];
    }
    case 'tool':
      return ({ tool }) => [named(tool)];
    case 'target':
      return ({ target, targets = target ? [target] : [] }) =>
        targets.length > 0 ? targets.map(named) : [{ label: 'No separate target', order: LAST }];
    case 'tag':
      return ({ tags }) => (tags.length > 0 ? tags.map(named) : [{ label: NO_TAG, order: LAST }]);
    case 'date':
      return ({ createdAt }) => [dateGroup(createdAt, now)];
  }
}

/** Columns chosen by the user. */
export interface Columns {
  readonly hidden: readonly string[];
  /** Ids of the movable columns in their order; empty: the default order. */
  readonly order: readonly string[];
}

const keptIds = (key: string): string[] => keptChoice(key)?.split(',').filter(Boolean) ?? [];

/** Hidden columns and their order, stored in this browser. */
export function useColumns(): readonly [Columns, (columns: Columns) => void] {
  const [columns, setColumns] = useState<Columns>(() => ({ hidden: keptIds(HIDDEN_KEY), order: keptIds(ORDER_KEY) }));
  const set = (next: Columns): void => {
    keepChoice(HIDDEN_KEY, next.hidden.join(','));
    keepChoice(ORDER_KEY, next.order.join(','));
    setColumns(next);
  };
  return [columns, set];
}

/** Columns in the user's order. One that the order does not contain follows the column that precedes it by default. */
export function inOrder<T extends { id: string }>(columns: readonly T[], order: readonly string[]): T[] {
  const ordered = columns
    .filter(({ id }) => order.includes(id))
    .sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  for (const [index, column] of columns.entries()) {
    if (order.includes(column.id)) continue;
    const before = columns[index - 1];
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column);
  }
  return ordered;
}

/** Filter, sorting and columns of the list under a name. */
export interface SavedView {
  readonly name: string;
  readonly filter: Filter;
  readonly columns: Columns;
}

const VIEWS_KEY = 'kneepoint-library-views';

/** A stored view: the filter is in the form of an address, so that those of earlier versions can still be read. */
const StoredViews = z.array(
  z.object({
    name: z.string(),
    address: z.string(),
    hidden: z.array(z.string()),
    order: z.array(z.string()).default([]),
  }),
);

function storedViews(): SavedView[] {
  try {
    return StoredViews.parse(JSON.parse(keptChoice(VIEWS_KEY) ?? '[]')).map(({ name, address, hidden, order }) => ({
      name,
      filter: filterIn(new URLSearchParams(address)),
      columns: { hidden, order },
    }));
  } catch {
    // Another version stored them differently.
    return [];
  }
}

/** Views stored in this browser, by name. */
export function useSavedViews(): readonly [readonly SavedView[], (views: readonly SavedView[]) => void] {
  const [views, setViews] = useState<readonly SavedView[]>(storedViews);
  const set = (next: readonly SavedView[]): void => {
    const sorted = [...next].sort((one, other) => one.name.localeCompare(other.name));
    const stored = sorted.map(({ name, filter, columns }) => ({
      name,
      address: new URLSearchParams(parametersOf({ ...filter, closed: [] })).toString(),
      ...columns,
    }));
    keepChoice(VIEWS_KEY, JSON.stringify(stored));
    setViews(sorted);
  };
  return [views, set];
}

/** Address of the page of a session. */
export const placeOf = ({ id, state }: Pick<Session, 'id' | 'state'>): string =>
  `/sessions/${id}/${ENDED_SESSION.includes(state) ? 'results' : 'live'}`;

import { useSearchParams } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { targetWords } from '../../../shared/model/session-labels.ts';
import { GROUPINGS, type Grouping } from './grouping.ts';

const STATES = ['all', 'open', 'done', 'incomplete'] as const;

/** Which sessions are shown, and how they are grouped. */
export interface Filter {
  words: string;
  state: (typeof STATES)[number];
  /** Only sessions that have all of these. */
  tags: readonly string[];
  group: Grouping;
  /** Names of the groups whose rows are hidden. */
  closed: readonly string[];
  /** Those in the archive, in place of the others. */
  archived: boolean;
}

/** Whether a session fits the filter: every word somewhere in its name, experiment, question, tags, tool, target or generators. */
export function matches(session: Session, filter: Filter): boolean {
  const ended = ENDED_SESSION.includes(session.state);
  if (filter.state === 'open' && ended) return false;
  if (filter.state === 'done' && session.state !== 'done') return false;
  if (filter.state === 'incomplete' && (!ended || session.state === 'done')) return false;
  if (!filter.tags.every((tag) => session.tags.includes(tag))) return false;
  const { name, experiment, question, tags, tool, generators } = session;
  const text = [name, experiment, question, ...tags, tool, targetWords(session), ...generators].join(' ').toLowerCase();
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const oneOf = <T extends string>(known: readonly T[], text: string | null, otherwise: T): T =>
  known.find((entry) => entry === text) ?? otherwise;

const GROUP_KEY = 'kneepoint-library-group';

function keptGroup(): string | null {
  try {
    return localStorage.getItem(GROUP_KEY);
  } catch {
    // The page may keep nothing.
    return null;
  }
}

function keepGroup(group: Grouping): void {
  try {
    localStorage.setItem(GROUP_KEY, group);
  } catch {
    // It is as chosen until the page is left.
  }
}

/**
 * The filter stands in the address, so that Back and a link lead to the same list. How the list is grouped is kept in this browser as well:
 * it is a way to look at the library, whatever is looked for.
 */
export function useFilter(): readonly [Filter, (filter: Filter) => void] {
  const [parameters, setParameters] = useSearchParams();
  const filter: Filter = {
    words: parameters.get('find') ?? '',
    state: oneOf(STATES, parameters.get('state'), 'all'),
    tags: parameters.getAll('tag'),
    group: oneOf(GROUPINGS, parameters.get('group') ?? keptGroup(), 'none'),
    closed: parameters.getAll('closed'),
    archived: parameters.has('archived'),
  };
  const set = ({ words, state, tags, group, closed, archived }: Filter): void => {
    if (group !== filter.group) keepGroup(group);
    setParameters(
      [
        ...(words === '' ? [] : [['find', words]]),
        ...(state === 'all' ? [] : [['state', state]]),
        ...tags.map((tag) => ['tag', tag]),
        ...(group === 'none' ? [] : [['group', group]]),
        ...closed.map((label) => ['closed', label]),
        ...(archived ? [['archived', '1']] : []),
      ],
      { replace: true },
    );
  };
  return [filter, set];
}

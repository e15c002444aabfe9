import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session, SessionDetail } from '../../shared/model/session.ts';
import { sampleSession } from '../testing/engine.ts';
import { createQueryClient, eventApplier } from './queries.ts';

const LIST = ['sessions', 'list', { archived: false }];
const detailKey = ['sessions', 'get', { id: 1 }];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that shows results under these keys; `asked` counts the requests for each. */
function page(answers: readonly (readonly [key: readonly unknown[], answer: unknown])[]) {
  const queries = createQueryClient();
  const asked = new Map<string, number>();
  for (const [queryKey, answer] of answers) {
    queries.setQueryData(queryKey, answer);
    const name = queryKey.slice(0, 2).join('.');
    asked.set(name, 0);
    const queryFn = () => {
      asked.set(name, (asked.get(name) ?? 0) + 1);
      return answer;
    };
    new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
  }
  return { queries, asked, apply: eventApplier(queries) };
}

const running = (changes: Partial<Session> = {}) => sampleSession({ state: 'running', trialsEnded: 1, ...changes });
const detail = { session: running(), note: 'as it was' } satisfies Partial<SessionDetail>;
const settle = () => vi.advanceTimersByTimeAsync(5000);

describe('events of a session', () => {
  it('update list and detail without a request', async () => {
    const { queries, asked, apply } = page([
      [LIST, [running(), running({ id: 2 })]],
      [detailKey, detail],
    ]);
    for (let second = 0; second < 8; second++)
      apply({ kind: 'session', session: running({ activity: `second ${second}` }) });
    await settle();
    expect(Object.fromEntries(asked)).toEqual({ 'sessions.list': 0, 'sessions.get': 0 });
    expect(queries.getQueryData<Session[]>(LIST)?.map(({ activity }) => activity)).toEqual(['second 7', undefined]);
    expect(queries.getQueryData(detailKey)).toMatchObject({ session: { activity: 'second 7' }, note: 'as it was' });
  });

  it('reload the detail after a state change', async () => {
    const { asked, apply } = page([[detailKey, detail]]);
    apply({ kind: 'session', session: running({ state: 'done' }) });
    await settle();
    expect(asked.get('sessions.get')).toBe(1);
  });

  it('reload results and runs after a trial ends, not during it', async () => {
    const { asked, apply } = page([
      [['results', 'session', { sessionId: 1 }], {}],
      [['sessions', 'runs', { id: 1 }], []],
    ]);
    apply({ kind: 'session', session: running() });
    await settle();
    apply({ kind: 'session', session: running({ activity: 'measuring' }) });
    await settle();
    expect(Object.fromEntries(asked)).toEqual({ 'results.session': 1, 'sessions.runs': 1 });
    apply({ kind: 'session', session: running({ trialsEnded: 2 }) });
    await settle();
    expect(Object.fromEntries(asked)).toEqual({ 'results.session': 2, 'sessions.runs': 2 });
  });

  it('reload the costs of their work after a trial ends, also those of a page that is left', async () => {
    const key = ['costs', 'valueForMoney', { sessionIds: [1] }];
    const { queries, asked, apply } = page([[key, {}]]);
    const left = ['costs', 'valueForMoney', { sessionIds: [1], perCell: true }];
    queries.setQueryData(left, {});
    apply({ kind: 'session', session: running() });
    await settle();
    apply({ kind: 'session', session: running({ activity: 'measuring' }) });
    await settle();
    expect(asked.get('costs.valueForMoney')).toBe(1);
    expect(queries.getQueryState(left)?.isInvalidated).toBe(true);
    apply({ kind: 'session', session: running({ trialsEnded: 2 }) });
    await settle();
    expect(asked.get('costs.valueForMoney')).toBe(2);
    // An excluded run is reported as a change of sessions.
    apply({ kind: 'changed', topic: 'sessions' });
    await settle();
    expect(asked.get('costs.valueForMoney')).toBe(3);
  });

  it('keep an outdated response marked as outdated', () => {
    const queries = createQueryClient();
    queries.setQueryData(LIST, [running()]);
    void queries.invalidateQueries({ queryKey: LIST });
    eventApplier(queries)({ kind: 'session', session: running({ activity: 'measuring' }) });
    expect(queries.getQueryState(LIST)?.isInvalidated).toBe(true);
  });
});

describe('changes of a topic', () => {
  it('reload at once, then at most once a second', async () => {
    const { asked, apply } = page([[LIST, []]]);
    apply({ kind: 'changed', topic: 'sessions' });
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.get('sessions.list')).toBe(1);
    for (let quarter = 0; quarter < 8; quarter++) {
      apply({ kind: 'changed', topic: 'sessions' });
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(asked.get('sessions.list')).toBe(3);
    await settle();
    expect(asked.get('sessions.list')).toBe(3);
  });

  it('reload the list for a session missing in it', async () => {
    const { asked, apply } = page([[LIST, []]]);
    for (let quarter = 0; quarter < 4; quarter++) apply({ kind: 'session', session: running() });
    await settle();
    expect(asked.get('sessions.list')).toBe(2);
  });
});

import { KneepointError } from '../../../shared/model/problem.ts';
import type { Run, Session } from '../../../shared/model/session.ts';
import { RUN_WORDS, sessionWords } from '../../../shared/model/session-words.ts';
import { nextRunState, nextSessionState, type RunTrigger, type SessionTrigger } from '../../../shared/model/states.ts';
import type { NewEvent, RunRow, SessionRow, Store } from '../store/store.ts';
import type { RunsContext } from './context.ts';

type Context = Pick<RunsContext, 'store' | 'clock'>;
type SessionChange = Omit<Parameters<Store['sessions']['update']>[1], 'state'>;
type RunChange = Omit<Parameters<Store['runs']['update']>[1], 'state'>;

/** Moves a session to its next state and stores it together with `change`. Throws `internal` if the state table has no such transition. */
export function moveSession(
  context: Context,
  id: number,
  trigger: SessionTrigger,
  change: SessionChange = {},
): SessionRow {
  const { store, clock } = context;
  const before = store.sessions.get(id);
  if (!before) throw new KneepointError({ code: 'not-found', message: `Session ${id} no longer exists.`, session: id });
  const state = nextSessionState(before.state, trigger);
  if (state === undefined) throw invalidTransition(`Session ${id}`, before.state, trigger, { session: id });
  return store.atomically(() => {
    if (state !== before.state) {
      const { word } = sessionWords({ state });
      store.events.add({ sessionId: id, kind: 'state', at: clock.now(), level: 'info', message: `Session ${word}.` });
    }
    return store.sessions.update(id, { ...change, state });
  });
}

/** Moves a run likewise; its stored state counts. */
export function moveRun(context: Context, id: number, trigger: RunTrigger, change: RunChange = {}): RunRow {
  const { store, clock } = context;
  const before = store.runs.get(id);
  if (!before) throw new KneepointError({ code: 'not-found', message: `Run ${id} no longer exists.`, run: id });
  const state = nextRunState(before.state, trigger);
  if (state === undefined) throw invalidTransition(`Run ${id}`, before.state, trigger, { run: id });
  return store.atomically(() => {
    if (state !== before.state) store.events.add(stateEvent(before, state, clock.now()));
    return store.runs.update(id, { ...change, state });
  });
}

/** Skips every pending run of a session with this message, in one transaction. Runs that have begun stay as they are. */
export function skipPending({ store, clock }: Context, sessionId: number, message: string): void {
  store.atomically(() => {
    const at = clock.now();
    for (const { id, trial } of store.runs.skipPending(sessionId, message))
      store.events.add(stateEvent({ id, sessionId, trial }, 'skipped', at));
  });
}

const stateEvent = (
  { id, sessionId, trial }: Pick<RunRow, 'id' | 'sessionId' | 'trial'>,
  state: Run['state'],
  at: number,
): NewEvent => {
  const message = `Trial ${trial + 1} ${RUN_WORDS[state].word}.`;
  return { sessionId, runId: id, kind: 'state', at, level: 'info', message };
};

const invalidTransition = (
  what: string,
  state: Run['state'] | Session['state'],
  trigger: string,
  place: { session: number } | { run: number },
): KneepointError =>
  new KneepointError({
    code: 'internal',
    message: `${what} is ${state}, so “${trigger}” is not possible.`,
    ...place,
    safe: 'Everything recorded so far is stored.',
    next: 'Report this with the log of Kneepoint.',
  });

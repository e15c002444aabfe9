import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { addRuns, libraryFolder } from '../store/testing/library.ts';
import { moveRun, moveSession, skipPending } from './move.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let context: Parameters<typeof moveRun>[0];
let runId: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  [runId = 0] = addRuns(store, 2);
  context = { store, clock: { now: () => 5_000, monotonic: () => 0 } };
});
afterEach(() => {
  store.close();
  folder.remove();
});

const sessionId = (): number => store.runs.get(runId)?.sessionId ?? 0;
const states = () => store.events.ofSession(sessionId(), ['state'], 0, 100);

it('stores a state with its other changes, and one event for it', () => {
  expect(moveRun(context, runId, 'launch', { startedAt: 4_000 })).toMatchObject({ startedAt: 4_000 });
  expect(moveRun(context, runId, 'run').state).toBe('running');
  expect(states().map(({ message, at }) => [message, at])).toEqual([
    [expect.stringMatching(/^Trial 1 /), 5_000],
    [expect.stringMatching(/^Trial 1 /), 5_000],
  ]);
  expect(store.runs.get(runId)).toMatchObject({ state: 'running', startedAt: 4_000 });
});

it('changes nothing if the transition is not allowed', () => {
  const before = store.runs.get(runId);
  expect(() => moveRun(context, runId, 'finish', { message: 'never' })).toThrow(/is pending, so “finish” is not/);
  expect(store.runs.get(runId)).toEqual(before);
  expect(() => moveRun(context, 999, 'run')).toThrow('Run 999 no longer exists.');
  expect(() => moveSession(context, 999, 'measure')).toThrow('Session 999 no longer exists.');
  expect(states()).toEqual([]);
});

it('publishes a state change of a session once', () => {
  expect(moveSession(context, sessionId(), 'ask-pause').state).toBe('pausing');
  moveSession(context, sessionId(), 'pause', { message: 'Paused.' });
  expect(states()).toHaveLength(2);
  expect(store.sessions.get(sessionId())).toMatchObject({ state: 'paused', message: 'Paused.' });
});

it('skips pending runs with an event for each', () => {
  moveRun(context, runId, 'launch');
  const before = states().length;
  skipPending(context, sessionId(), 'Stopped before.');
  expect(store.runs.ofSession(sessionId()).map(({ state, message }) => [state, message])).toEqual([
    ['launching', null],
    ['skipped', 'Stopped before.'],
  ]);
  const [, second] = store.runs.ofSession(sessionId());
  expect(states().slice(before)).toMatchObject([{ runId: second?.id, at: 5_000, message: 'Trial 2 skipped.' }]);
  expect(store.sessions.get(sessionId())).toMatchObject({ trialsEnded: 1 });
});

it('stores the states of many runs with their events, or nothing', () => {
  // An event without a time cannot be stored.
  const timeless = { store, clock: { now: () => Number.NaN, monotonic: () => 0 } };
  expect(() => skipPending(timeless, sessionId(), 'Stopped before.')).toThrow();
  expect(store.runs.ofSession(sessionId()).map(({ state }) => state)).toEqual(['pending', 'pending']);
  expect(states()).toEqual([]);
});

import { z } from 'zod';

/**
 * starting: facts are read, data is prepared. running / pausing (stops after this trial) / paused / stopping. interrupted: not executed at
 * the moment, remote work may continue; it can be resumed. done, failed (Kneepoint could not continue), stopped (by the user).
 */
export const SessionState = z.enum([
  'starting',
  'running',
  'pausing',
  'paused',
  'stopping',
  'interrupted',
  'done',
  'failed',
  'stopped',
]);
export type SessionState = z.infer<typeof SessionState>;

/**
 * Triggers of state changes. `repeat`: ended trials are measured again. `close`: the app ends; an earlier request of the user stays in the
 * state.
 */
export type SessionTrigger =
  | 'prepare'
  | 'measure'
  | 'repeat'
  | 'ask-pause'
  | 'pause'
  | 'ask-stop'
  | 'stop'
  | 'close'
  | 'interrupt'
  | 'fail'
  | 'finish';

type SessionTable = Readonly<Record<SessionState, Readonly<Partial<Record<SessionTrigger, SessionState>>>>>;

const executed = { 'ask-stop': 'stopping', stop: 'stopped', interrupt: 'interrupted', fail: 'failed' } as const;
const continued = { prepare: 'starting', measure: 'running', 'ask-stop': 'stopping' } as const;

const SESSION_TRANSITIONS: SessionTable = {
  starting: {
    ...executed,
    prepare: 'starting',
    measure: 'running',
    'ask-pause': 'pausing',
    close: 'interrupted',
    finish: 'done',
  },
  running: {
    ...executed,
    prepare: 'starting',
    measure: 'running',
    'ask-pause': 'pausing',
    close: 'interrupted',
    finish: 'done',
  },
  // Pausing during the last trial ends as done. Cancelling the pause continues.
  pausing: {
    ...executed,
    prepare: 'starting',
    measure: 'running',
    'ask-pause': 'pausing',
    pause: 'paused',
    close: 'pausing',
    finish: 'done',
  },
  // Continuing is possible only while nothing executes it: the stop was requested then, but not carried out. If its last trial may end at
  // any time, it ends as done.
  stopping: { ...executed, prepare: 'starting', measure: 'running', close: 'stopping', finish: 'done' },
  paused: { ...continued, repeat: 'starting' },
  interrupted: { ...continued, repeat: 'starting', 'ask-pause': 'pausing', interrupt: 'interrupted' },
  failed: { ...continued, repeat: 'starting' },
  done: { repeat: 'starting' },
  stopped: { repeat: 'starting' },
};

/** The state after a trigger; undefined if it is impossible in this state. */
export const nextSessionState = (state: SessionState, trigger: SessionTrigger): SessionState | undefined =>
  SESSION_TRANSITIONS[state][trigger];

/** lost: the end of the job could not be determined (host restarted, supervisor killed); its samples are kept. */
export const RunState = z.enum(['pending', 'launching', 'running', 'done', 'failed', 'skipped', 'stopped', 'lost']);
export type RunState = z.infer<typeof RunState>;

export type RunTrigger = 'launch' | 'run' | 'finish' | 'fail' | 'lose' | 'skip' | 'stop';

type RunTable = Readonly<Record<RunState, Readonly<Partial<Record<RunTrigger, RunState>>>>>;

const ended = { finish: 'done', fail: 'failed', lose: 'lost', skip: 'skipped', stop: 'stopped' } as const;

const RUN_TRANSITIONS: RunTable = {
  pending: { launch: 'launching', fail: 'failed', skip: 'skipped', stop: 'stopped' },
  // A launch that is repeated after a lost reply launches again, or finds the tool running.
  launching: { ...ended, launch: 'launching', run: 'running' },
  // A conclusion interrupted by the end of the app is repeated.
  running: { ...ended, run: 'running' },
  // A trial is judged again when it is read again from its raw output. Measuring it again creates a new run.
  done: { finish: 'done', fail: 'failed' },
  failed: { finish: 'done', fail: 'failed' },
  skipped: {},
  stopped: {},
  lost: {},
};

export const nextRunState = (state: RunState, trigger: RunTrigger): RunState | undefined =>
  RUN_TRANSITIONS[state][trigger];

const sessionStatesWith = (trigger: SessionTrigger): SessionState[] =>
  SessionState.options.filter((state) => nextSessionState(state, trigger) !== undefined);
/** Resulting states of these triggers from all states that allow them, in state order. */
const targetsOf = <State, Trigger>(
  states: readonly State[],
  triggers: readonly Trigger[],
  next: (state: State, trigger: Trigger) => State | undefined,
): State[] =>
  states.filter((target) => states.some((state) => triggers.some((trigger) => next(state, trigger) === target)));

/** It is being executed, or was when the app ended. */
export const EXECUTED_SESSION: readonly SessionState[] = sessionStatesWith('close');
/** One of its tools may be running, or is about to. */
export const LOADING_SESSION: readonly SessionState[] = [...EXECUTED_SESSION, 'interrupted'];
/** It waits for the user to continue it. */
export const RESUMABLE_SESSION: readonly SessionState[] = sessionStatesWith('measure').filter(
  (state) => !EXECUTED_SESSION.includes(state),
);
export const ENDED_SESSION: readonly SessionState[] = targetsOf(
  SessionState.options,
  ['finish', 'fail', 'stop'],
  nextSessionState,
);

/** One of its jobs may be on a host. */
export const OPEN_RUN: readonly RunState[] = RunState.options.filter(
  (state) => nextRunState(state, 'run') !== undefined,
);
export const ENDED_RUN: readonly RunState[] = RunState.options.filter(
  (state) => state !== 'pending' && !OPEN_RUN.includes(state),
);
/** It failed to measure, and not because the user wanted that. */
export const FAILED_RUN: readonly RunState[] = targetsOf(RunState.options, ['fail', 'lose'], nextRunState);

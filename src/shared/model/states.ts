import { z } from 'zod';

/**
 * starting: facts are read, data is prepared. running / pausing (stops after this trial) / paused / stopping.
 * interrupted: nobody executes it, its remote work may continue; resuming continues. done, failed (we could not continue), stopped (by a person).
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

/** What happens to a session. `repeat`: trials that have ended are measured again. `close`: the app ends; what a person asked for before stays in the state. */
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
  // Pausing in the last trial ends as done. Taking the pause back is going on.
  pausing: {
    ...executed,
    prepare: 'starting',
    measure: 'running',
    'ask-pause': 'pausing',
    pause: 'paused',
    close: 'pausing',
    finish: 'done',
  },
  // Going on is possible only while nobody executes it: then the stop was asked for, but not carried out.
  // Whose last trial may be ended at any time ends as done.
  stopping: { ...executed, prepare: 'starting', measure: 'running', close: 'stopping', finish: 'done' },
  paused: { ...continued, repeat: 'starting' },
  interrupted: { ...continued, repeat: 'starting', 'ask-pause': 'pausing', interrupt: 'interrupted' },
  failed: { ...continued, repeat: 'starting' },
  done: { repeat: 'starting' },
  stopped: { repeat: 'starting' },
};

/** The state after a trigger; undefined when that cannot happen in this state. */
export const nextSessionState = (state: SessionState, trigger: SessionTrigger): SessionState | undefined =>
  SESSION_TRANSITIONS[state][trigger];

/** lost: the job's end could not be learnt (host restarted, supervisor killed); its samples are kept. */
export const RunState = z.enum(['pending', 'launching', 'running', 'done', 'failed', 'skipped', 'stopped', 'lost']);
export type RunState = z.infer<typeof RunState>;

export type RunTrigger = 'launch' | 'run' | 'finish' | 'fail' | 'lose' | 'skip' | 'stop';

type RunTable = Readonly<Record<RunState, Readonly<Partial<Record<RunTrigger, RunState>>>>>;

const ended = { finish: 'done', fail: 'failed', lose: 'lost', skip: 'skipped', stop: 'stopped' } as const;

const RUN_TRANSITIONS: RunTable = {
  pending: { launch: 'launching', fail: 'failed', skip: 'skipped', stop: 'stopped' },
  // A launch that is repeated after a lost reply launches again, or finds the tool running.
  launching: { ...ended, launch: 'launching', run: 'running' },
  // A conclusion cut off by the end of the app is repeated.
  running: { ...ended, run: 'running' },
  // Read again from its raw output, a trial is judged again. One that is measured again is a run of its own.
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
/** Where these triggers lead, from wherever they are possible, in the order of the states. */
const targetsOf = <State, Trigger>(
  states: readonly State[],
  triggers: readonly Trigger[],
  next: (state: State, trigger: Trigger) => State | undefined,
): State[] =>
  states.filter((target) => states.some((state) => triggers.some((trigger) => next(state, trigger) === target)));

/** Somebody executes it, or did when the app ended. */
export const EXECUTED_SESSION: readonly SessionState[] = sessionStatesWith('close');
/** A tool of it may be running, or is about to be. */
export const LOADING_SESSION: readonly SessionState[] = [...EXECUTED_SESSION, 'interrupted'];
/** It waits for a person to let it go on. */
export const RESUMABLE_SESSION: readonly SessionState[] = sessionStatesWith('measure').filter(
  (state) => !EXECUTED_SESSION.includes(state),
);
export const ENDED_SESSION: readonly SessionState[] = targetsOf(
  SessionState.options,
  ['finish', 'fail', 'stop'],
  nextSessionState,
);

/** A job of it may be on a host. */
export const OPEN_RUN: readonly RunState[] = RunState.options.filter(
  (state) => nextRunState(state, 'run') !== undefined,
);
export const ENDED_RUN: readonly RunState[] = RunState.options.filter(
  (state) => state !== 'pending' && !OPEN_RUN.includes(state),
);
/** It did not measure what it should have, and no person wanted that. */
export const FAILED_RUN: readonly RunState[] = targetsOf(RunState.options, ['fail', 'lose'], nextRunState);

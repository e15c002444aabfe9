import type { RunState, Session, SessionState } from './session.ts';

/** A state as a person reads it, and how it looks: ok, work going on, needs attention, bad, nothing to say. */
export interface StateWords {
  word: string;
  tone: 'ok' | 'busy' | 'warn' | 'bad' | 'idle';
}

const SESSION_WORDS: Readonly<Record<SessionState, StateWords>> = {
  starting: { word: 'starting', tone: 'busy' },
  running: { word: 'running', tone: 'busy' },
  pausing: { word: 'pausing after this trial', tone: 'busy' },
  paused: { word: 'paused', tone: 'warn' },
  stopping: { word: 'stopping', tone: 'busy' },
  interrupted: { word: 'interrupted', tone: 'warn' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
  stopped: { word: 'stopped', tone: 'idle' },
};

/** Of a session that came to its end and has something to say, no trial was measured. */
export function sessionWords({ state, message, damaged }: Pick<Session, 'state' | 'message' | 'damaged'>): StateWords {
  if (damaged) return { word: 'damaged', tone: 'bad' };
  return state === 'done' && message ? { word: 'done, none measured', tone: 'bad' } : SESSION_WORDS[state];
}

export const RUN_WORDS: Readonly<Record<RunState, StateWords>> = {
  pending: { word: 'waiting', tone: 'idle' },
  launching: { word: 'launching', tone: 'busy' },
  running: { word: 'running', tone: 'busy' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
  skipped: { word: 'skipped', tone: 'idle' },
  stopped: { word: 'stopped', tone: 'idle' },
  lost: { word: 'lost', tone: 'bad' },
};

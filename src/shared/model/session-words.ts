import type { Run, RunState, Session, SessionOrigin, SessionState } from './session.ts';
import { ENDED_RUN, FAILED_RUN } from './states.ts';

/** Seconds in which a session was worked on: without those in which it was paused or the app was closed. Undefined before its start. */
export function workedSeconds(
  { startedAt, endedAt, idleSince, idleMs = 0 }: Pick<Session, 'startedAt' | 'endedAt' | 'idleSince' | 'idleMs'>,
  now?: number,
): number | undefined {
  const until = endedAt ?? idleSince ?? now;
  return startedAt === undefined || until === undefined ? undefined : Math.max(0, until - startedAt - idleMs) / 1000;
}

const ORIGINS: Readonly<Record<SessionOrigin, string>> = {
  measured: 'measured by this Kneepoint',
  imported: 'imported: measured by another system',
  received: 'received: measured by another Kneepoint',
};

/** Where the runs of a session are from. */
export const originWords = ({ origin = 'measured' }: { origin?: SessionOrigin | undefined }): string => ORIGINS[origin];

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
export function sessionWords({
  state,
  message,
  damaged,
  needs,
  trialsMissing = 0,
}: Pick<Session, 'state' | 'message' | 'damaged' | 'needs' | 'trialsMissing'>): StateWords {
  if (damaged) return { word: 'damaged', tone: 'bad' };
  if (needs) return { word: 'waiting for you', tone: 'warn' };
  if (state !== 'done') return SESSION_WORDS[state];
  if (message) return { word: 'done, none measured', tone: 'bad' };
  return trialsMissing > 0 ? { word: `done, ${trialsMissing} missing`, tone: 'warn' } : SESSION_WORDS.done;
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

/** A trial's state as it is shown: one whose tool never started was not run, whatever ended it. */
export function runWords({
  state,
  startedAt,
  partial,
  excluded,
}: Pick<Run, 'state' | 'startedAt' | 'partial' | 'excluded'>): StateWords {
  if (ENDED_RUN.includes(state) && startedAt === undefined)
    return { word: 'not run', tone: FAILED_RUN.includes(state) ? 'bad' : 'idle' };
  const { word, tone } = RUN_WORDS[state];
  const whole = partial ? `${word}, partial` : word;
  return excluded ? { word: `${whole}, excluded`, tone: 'idle' } : { word: whole, tone };
}

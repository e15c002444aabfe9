import { describe, expect, it } from 'vitest';
import {
  ENDED_RUN,
  ENDED_SESSION,
  EXECUTED_SESSION,
  FAILED_RUN,
  LOADING_SESSION,
  nextRunState,
  nextSessionState,
  OPEN_RUN,
  RESUMABLE_SESSION,
  RunState,
  type RunTrigger,
  SessionState,
  type SessionTrigger,
} from './states.ts';

const SESSION_TRIGGERS: readonly SessionTrigger[] = [
  'prepare',
  'measure',
  'repeat',
  'ask-pause',
  'pause',
  'ask-stop',
  'stop',
  'close',
  'interrupt',
  'fail',
  'finish',
];

/** One row per state, one column per trigger in the order above; a dot: not possible. */
const SESSION_TABLE = `
  starting    starting running .        pausing .      stopping stopped interrupted interrupted failed done
  running     starting running .        pausing .      stopping stopped interrupted interrupted failed done
  pausing     starting running .        pausing paused stopping stopped pausing     interrupted failed done
  paused      starting running starting .       .      stopping .       .           .           .      .
  stopping    starting running .        .       .      stopping stopped stopping    interrupted failed done
  interrupted starting running starting pausing .      stopping .       .           interrupted .      .
  done        .        .       starting .       .      .        .       .           .           .      .
  failed      starting running starting .       .      stopping .       .           .           .      .
  stopped     .        .       starting .       .      .        .       .           .           .      .
`;

const RUN_TRIGGERS: readonly RunTrigger[] = ['launch', 'run', 'finish', 'fail', 'lose', 'skip', 'stop'];
const RUN_TABLE = `
  pending   launching .       .    failed .    skipped stopped
  launching launching running done failed lost skipped stopped
  running   .         running done failed lost skipped stopped
  done      .         .       done failed .    .       .
  failed    .         .       done failed .    .       .
  skipped   .         .       .    .      .    .       .
  stopped   .         .       .    .      .    .       .
  lost      .         .       .    .      .    .       .
`;

/** [state, trigger, next state] for every field of a table. */
const fieldsOf = <State, Trigger>(
  table: string,
  triggers: readonly Trigger[],
): [State, Trigger, string | undefined][] =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [state, ...next] = line.trim().split(/\s+/);
      return triggers.map((trigger, at): [State, Trigger, string | undefined] => [
        state as State,
        trigger,
        next[at] === '.' ? undefined : next[at],
      ]);
    });

describe('the states of a session', () => {
  const fields = fieldsOf<SessionState, SessionTrigger>(SESSION_TABLE, SESSION_TRIGGERS);
  it('are all in the table', () => {
    expect([...new Set(fields.map(([state]) => state))].sort()).toEqual([...SessionState.options].sort());
  });
  it.each(fields)('change from %s on “%s” to %s', (state, trigger, next) => {
    expect(nextSessionState(state, trigger)).toBe(next);
  });
  it('are in lists that match the table', () => {
    expect(EXECUTED_SESSION).toEqual(['starting', 'running', 'pausing', 'stopping']);
    expect(LOADING_SESSION).toEqual(['starting', 'running', 'pausing', 'stopping', 'interrupted']);
    expect(RESUMABLE_SESSION).toEqual(['paused', 'interrupted', 'failed']);
    expect(ENDED_SESSION).toEqual(['done', 'failed', 'stopped']);
  });
});

describe('the states of a run', () => {
  const fields = fieldsOf<RunState, RunTrigger>(RUN_TABLE, RUN_TRIGGERS);
  it('are all in the table of runs', () => {
    expect([...new Set(fields.map(([state]) => state))].sort()).toEqual([...RunState.options].sort());
  });
  it.each(fields)('go from %s on “%s” to %s', (state, trigger, next) => {
    expect(nextRunState(state, trigger)).toBe(next);
  });
  it('are in lists that match the table of runs', () => {
    expect(OPEN_RUN).toEqual(['launching', 'running']);
    expect(ENDED_RUN).toEqual(['done', 'failed', 'skipped', 'stopped', 'lost']);
    expect(FAILED_RUN).toEqual(['failed', 'lost']);
  });
});

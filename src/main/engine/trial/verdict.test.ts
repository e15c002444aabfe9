import { describe, expect, it } from 'vitest';
import type { JobEnd } from '../jobs/job.ts';
import { type Judged, verdictOf } from './verdict.ts';

const BROKEN = {
  code: 'tool-failed',
  severity: 'error',
  message: 'It was ended by SIGTERM.',
  next: 'Look at it.',
} as const;

/** A tool that received SIGTERM and printed no result. */
const ended = (cause?: string): Judged => {
  const end: JobEnd = { code: 143, at: 0, stdout: 10, stderr: 0, ...(cause !== undefined && { cause }) };
  return {
    recorder: { findings: [], unparsed: [] },
    outcome: { ok: false, summary: {}, reason: BROKEN },
    status: { state: 'ended', stdout: 10, stderr: 0, end },
    exit: { code: 143, signal: 'SIGTERM' },
    end,
  };
};

describe.each([
  ['limit', 'time-limit', 'still running long after its planned end', 'stalled server'],
  ['output-limit', 'output-limit', 'exceeded the output limit', 'raw output'],
  ['disk-full', 'host-disk-full', 'disk that holds the job folder on the host is full', 'Free space on the host'],
  ['TERM', 'supervisor-ended', 'received SIGTERM', 'otherwise idle'],
])('a tool ended for %s', (cause, code, why, next) => {
  it('has failed for that reason, not for the signal it received', () => {
    const verdict = verdictOf(ended(cause), undefined);
    expect(verdict.state).toBe('failed');
    expect(verdict.message).toContain(why);
    expect(verdict.message).toContain(next);
    expect(verdict.message).not.toContain(BROKEN.message);
    expect(verdict.findings).toEqual([
      {
        code,
        severity: 'error',
        message: expect.stringContaining(why),
        next: expect.stringContaining(next),
      },
    ]);
  });

  it.each([
    ['stopped', 'Stopped by user.'],
    ['skipped', 'Skipped by user.'],
  ] as const)('is %s if the user ended the trial', (state, message) => {
    expect(verdictOf(ended(cause), state)).toMatchObject({ state, message });
  });
});

it('reports the error of the tool if nothing ended it', () => {
  const verdict = verdictOf(ended(), undefined);
  expect(verdict).toEqual({ state: 'failed', message: `${BROKEN.message} ${BROKEN.next}`, findings: [BROKEN] });
});

it('reports a repeated error of the parser once, before its other findings', () => {
  const other = { code: 'reconnected', severity: 'warn', message: 'Connections were lost.' } as const;
  const outcome = { ...ended(), recorder: { findings: [other, BROKEN], unparsed: [] } };
  expect(verdictOf(outcome, undefined).findings).toEqual([BROKEN, other]);
});

it('does not fail a tool that succeeded, whatever the cause of its end', () => {
  const verdict = verdictOf({ ...ended('TERM'), outcome: { ok: true, summary: {} } }, undefined);
  expect(verdict.state).toBe('done');
  expect(verdict.message).toBeUndefined();
});

it('omits the signal reported by the tool after a stop by the user', () => {
  const outcome = { ...ended('stop'), recorder: { findings: [{ ...BROKEN, code: 'killed-by-signal' }], unparsed: [] } };
  expect(verdictOf(outcome, 'stopped')).toEqual({
    state: 'stopped',
    message: 'Stopped by user.',
    findings: [],
  });
});

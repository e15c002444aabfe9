import { describe, expect, it } from 'vitest';
import { runWords, sessionWords } from './session-words.ts';

describe('a session', () => {
  it('is green only when every planned trial was measured', () => {
    expect(sessionWords({ state: 'done' })).toEqual({ word: 'done', tone: 'ok' });
    expect(sessionWords({ state: 'done', trialsMissing: 3 })).toEqual({ word: 'done, 3 missing', tone: 'warn' });
    expect(sessionWords({ state: 'done', trialsMissing: 3, message: 'None was measured.' }).tone).toBe('bad');
  });

  it('that needs a person says so, whatever it does', () => {
    const needs = { code: 'secret-missing', message: 'The password is missing.' } as const;
    expect(sessionWords({ state: 'running', needs })).toEqual({ word: 'waiting for you', tone: 'warn' });
  });
});

describe('a trial', () => {
  it.each([
    ['failed', 'bad'],
    ['skipped', 'idle'],
    ['stopped', 'idle'],
  ] as const)('whose tool never started was not run: %s', (state, tone) => {
    expect(runWords({ state, partial: true })).toEqual({ word: 'not run', tone });
  });

  it('that ended early is partial', () => {
    expect(runWords({ state: 'failed', startedAt: 1, partial: true })).toEqual({
      word: 'failed, partial',
      tone: 'bad',
    });
    expect(runWords({ state: 'done', startedAt: 1, partial: false })).toEqual({ word: 'done', tone: 'ok' });
    expect(runWords({ state: 'pending', partial: false }).word).toBe('waiting');
  });
});

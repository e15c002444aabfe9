import { describe, expect, it } from 'vitest';
import { secretWords } from './app.ts';
import { repeatsWords } from './result-words.ts';
import { runWords, sessionFacts, sessionLabel, sessionWords, workedSeconds } from './session-words.ts';

describe('a session', () => {
  it('is green only if every planned trial was measured', () => {
    expect(sessionWords({ state: 'done' })).toEqual({ word: 'done', tone: 'ok' });
    expect(sessionWords({ state: 'done', trialsMissing: 3 })).toEqual({ word: 'incomplete, 3 missing', tone: 'warn' });
    expect(sessionWords({ state: 'done', trialsMissing: 3, message: 'None was measured.' }).tone).toBe('bad');
  });

  it('that needs input states it in any state', () => {
    const needs = { code: 'secret-missing', message: 'The password is missing.' } as const;
    expect(sessionWords({ state: 'running', needs })).toEqual({ word: 'input needed', tone: 'warn' });
  });
});

it('the duration of a session excludes time paused or with the app closed', () => {
  const times = { startedAt: 1000, idleMs: 60_000 };
  expect(workedSeconds({ ...times, endedAt: 101_000 })).toBe(40);
  expect(workedSeconds(times, 71_000)).toBe(10);
  expect(workedSeconds({ ...times, idleSince: 91_000 }, 500_000)).toBe(30);
  expect([workedSeconds({ idleMs: 1 }, 5), workedSeconds(times)]).toEqual([undefined, undefined]);
});

it('the number of repeats is that measured, next to that planned', () => {
  const cell = (...repeats: number[]) => ({ runs: repeats.map((repeat) => ({ repeat }) as never) });
  expect(repeatsWords(4, [cell(0, 1, 2, 3), cell(0, 1, 2, 3)])).toBe('4 repeats');
  expect(repeatsWords(4, [cell(0, 1, 2, 3), cell(0, 1, 2, 3, 4, 5, 6, 7)])).toBe('4 to 8 repeats (4 planned)');
  expect(repeatsWords(4, [cell(0, 1, 2, 2, 3)])).toBe('4 repeats');
  expect(repeatsWords(2, [cell(0, 1, 2)])).toBe('3 repeats (2 planned)');
});

it('a password held in memory only is not called stored', () => {
  const status = { unlocked: false, vaultExists: false, message: '' };
  expect(secretWords({ ...status, keeper: 'launch' })).toBe('in memory');
  expect(secretWords({ ...status, keeper: 'keychain' })).toBe('stored');
  expect(secretWords({ ...status, keeper: 'vault', vaultExists: true })).toBe('stored');
});

describe('a trial', () => {
  it.each([
    ['failed', 'bad'],
    ['skipped', 'idle'],
    ['stopped', 'idle'],
  ] as const)('whose tool never started is “not run”: %s', (state, tone) => {
    expect(runWords({ state, partial: true })).toEqual({ word: 'not run', tone });
  });

  it('that ended early is “partial”', () => {
    expect(runWords({ state: 'failed', startedAt: 1, partial: true })).toEqual({
      word: 'failed, partial',
      tone: 'bad',
    });
    expect(runWords({ state: 'done', startedAt: 1, partial: false })).toEqual({ word: 'done', tone: 'ok' });
    expect(runWords({ state: 'pending', partial: false }).word).toBe('waiting');
  });
});

it('never gives two sessions the same label, however similar their names are', () => {
  const long = 'sysbench oltp_read_write on db1, innodb_flush_log_at_trx_commit';
  const labels = [
    { id: 7, name: long },
    { id: 8, name: long },
    { id: 9, name: `${long} = 2` },
  ].map(sessionLabel);
  expect(new Set(labels).size).toBe(3);
  expect(labels[2]).toBe('9 · sysbench oltp…x_commit = 2');
  for (const label of labels) expect(label.length).toBeLessThanOrEqual(30);
});

it('lists date, tool, target, size and tags of a session', () => {
  const session = {
    createdAt: new Date(2026, 10, 20, 14, 32).getTime(),
    tool: 'fio',
    cells: 6,
    repeats: 3,
    tags: ['raid'],
  };
  expect(sessionFacts(session)).toBe('2026-11-20 14:32 · fio · 6 × 3 · raid');
  expect(sessionFacts({ ...session, target: 'db1', tags: [] })).toBe('2026-11-20 14:32 · fio → db1 · 6 × 3');
});

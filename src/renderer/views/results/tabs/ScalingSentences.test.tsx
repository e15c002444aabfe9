import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { caveatsOf } from '../../../../shared/model/figure.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { LevelFilter } from '../useResults.ts';
import { ScalingSentences } from './curve-choices.tsx';

afterEach(cleanup);

const line = (sync: string, sentence: string): NonNullable<SessionResult['scaling']>[number] => ({
  factor: 'threads',
  levels: { sync },
  knee: { verdict: 'none', within: 0.03 },
  sentences: [sentence],
});
const result: SessionResult = {
  ...{ sessionId: 1, metric: 'tps', metrics: ['tps'], warmup: 0, cells: [] },
  factors: [
    { name: 'sync', levels: ['FULL', 'OFF'] },
    { name: 'threads', levels: [1, 2, 4], load: 'concurrency' },
  ],
  scaling: [line('FULL', 'Knee at threads 2.'), line('OFF', 'No knee in the measured range.')],
};
const shown = (filter: LevelFilter, of = result): (string | null)[] => {
  render(<ScalingSentences result={of} filter={filter} />);
  return screen.queryAllByRole('listitem').map((item) => item.textContent);
};

it('states the knee of every visible line, or why there is none', () => {
  expect(shown({})).toEqual(['sync FULL: Knee at threads 2.', 'sync OFF: No knee in the measured range.']);
  cleanup();
  expect(shown({ sync: ['OFF'] })).toEqual(['sync OFF: No knee in the measured range.']);
});

it('shows nothing without a load factor', () => {
  const { scaling: _, ...without } = result;
  expect(shown({}, without)).toEqual([]);
});

it('merges equal sentences of several lines', () => {
  const none = 'No knee: at least three load levels are needed.';
  const three = (...sentences: string[]) => ({
    ...result,
    scaling: ['FULL', 'OFF', 'NORMAL'].map((sync, index) => line(sync, sentences[index] ?? none)),
  });
  expect(shown({}, three())).toEqual([none]);
  cleanup();
  expect(shown({}, three('Knee at threads 2.'))).toEqual([
    'sync FULL: Knee at threads 2.',
    `sync OFF; sync NORMAL: ${none}`,
  ]);
});

it('names the cells with errors, most errors first', () => {
  const cells = [0, 30_000, 60].map((events, cell) => ({
    ...{ cell, levels: { sync: 'OFF', threads: 2 ** cell }, runs: [], means: [1], partial: false },
    errors: events,
    failures: [{ events, seconds: 60 }],
  }));
  expect(shown({ sync: ['OFF'] }, { ...result, cells })).toEqual([
    'sync OFF: No knee in the measured range.',
    'Errors: sync OFF · threads 2, 30,000 errors (500 per s); sync OFF · threads 4, 60 errors (1.00 per s).',
  ]);
  cleanup();
  expect(shown({ sync: ['FULL'] }, { ...result, cells })).toEqual(['sync FULL: Knee at threads 2.']);
});

it('warns next to the knee about visible load-bound cells', () => {
  const bound = { verdict: 'generator-core' as const, sentence: '' };
  const cells = ['FULL', 'OFF'].map((sync, cell) => ({
    ...{ cell, levels: { sync, threads: 4 }, runs: [], means: [1], partial: false, errors: 0 },
    ...(sync === 'OFF' && caveatsOf({ partial: false, means: [1, 1], errors: 0, bound })),
  }));
  shown({}, { ...result, cells });
  expect(screen.getByRole('note').textContent).toBe(
    '1 cell of 2 was limited by one core of the load generator, not by the system under test: sync OFF · threads 4.',
  );
  cleanup();
  shown({ sync: ['FULL'] }, { ...result, cells });
  expect(screen.queryByRole('note')).toBeNull();
});

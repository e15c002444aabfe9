import { expect, it } from 'vitest';
import { admitted, type Timings } from './schedule.ts';

const timings: Timings = {
  'works.test.ts': { wall: 100, cpu: 100 },
  'works-less.test.ts': { wall: 90, cpu: 90 },
  'both-cores.test.ts': { wall: 50, cpu: 100 },
  'waits-a.test.ts': { wall: 300, cpu: 30 },
  'waits-b.test.ts': { wall: 200, cpu: 20 },
  'waits-c.test.ts': { wall: 80, cpu: 8 },
};
const works = (...names: string[]) => names.map((name) => ({ file: `${name}.test.ts` }));
const start = (waiting: string[], running: string[] = [], cores = 2): string[] =>
  admitted(works(...waiting), works(...running), { timings, cores }).map(({ file }) => file.replace('.test.ts', ''));

it('starts the longest first, and waiting files next to working ones', () => {
  expect(start(['works-less', 'waits-c', 'works', 'waits-b', 'waits-a'])).toEqual([
    'waits-a',
    'waits-b',
    'works',
    'works-less',
    'waits-c',
  ]);
});

it('does not overload the cores', () => {
  expect(start(['works-less'], ['works', 'both-cores'])).toEqual([]);
  expect(start(['works-less'], ['works'])).toEqual(['works-less']);
});

it('always runs something, whatever it needs', () => {
  expect(start(['both-cores', 'works'], [], 0.5)).toEqual(['works']);
  expect(start(['both-cores'], [], 0.5)).toEqual(['both-cores']);
  expect(start(['both-cores'], ['works'], 0.5)).toEqual([]);
});

it('admits another file next to one that seems to need both cores', () => {
  expect(start(['both-cores', 'works'])).toEqual(['works', 'both-cores']);
});

it('assumes a third of a core for an unmeasured file', () => {
  expect(start(['new-1', 'new-2', 'new-3', 'new-4', 'new-5', 'new-6', 'new-7'])).toHaveLength(7);
});

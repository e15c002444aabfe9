import { expect, it } from 'vitest';
import { INTEGRITY_ERROR, integrity } from './integrity.ts';
import type { TestRecord } from './outcome.ts';
import { MOST_CHANCES, withSecondChance } from './second-chance.ts';

const record = (title: string | undefined, state: TestRecord['state'], reason = ''): TestRecord => ({
  runner: 'vitest',
  file: 'a.test.ts',
  ...(title === undefined ? {} : { title: [title] }),
  state,
  reasons: [reason],
});
const unexpected = (): never => {
  throw new Error('nothing may be run again');
};
const states = (records: readonly TestRecord[]): string[] =>
  records.map(({ title = ['whole file'], state }) => `${title} ${state}`).sort();

it('repeats nothing without a failure', async () => {
  const first = [record('one', 'passed'), record('two', 'skipped')];
  expect(await withSecondChance(first, unexpected)).toEqual({ records: first, unstable: [] });
});

it('reports a test that passes alone as unstable, with its failure', async () => {
  const first = [record('one', 'passed'), record('two', 'failed', 'timed out')];
  const { records, unstable } = await withSecondChance(first, async (failed) => {
    expect(failed).toEqual([first[1]]);
    return [record('one', 'skipped'), record('two', 'passed')];
  });
  expect(states(records)).toEqual(['one passed', 'two passed']);
  expect(unstable).toEqual([first[1]]);
});

it('fails a test that fails again or is missing in the second run', async () => {
  const first = [record('one', 'failed', 'first'), record('two', 'failed', 'first')];
  const { records, unstable } = await withSecondChance(first, async () => [record('one', 'failed', 'second')]);
  expect(states(records)).toEqual(['one failed', 'two failed']);
  expect(records.find(({ title }) => title?.[0] === 'one')?.reasons).toEqual(['second']);
  expect(unstable).toEqual([]);
});

it('repeats a file whose hook failed, and uses all its new results', async () => {
  const first = [record(undefined, 'failed', 'beforeAll'), record('one', 'skipped'), record('two', 'skipped')];
  const passed = await withSecondChance(first, async () => [record('one', 'passed'), record('two', 'passed')]);
  expect(states(passed.records)).toEqual(['one passed', 'two passed']);
  expect(passed.unstable).toEqual([first[0]]);
  const half = await withSecondChance(first, async () => [record('one', 'passed'), record('two', 'failed')]);
  expect(states(half.records)).toEqual(['one passed', 'two failed', 'whole file failed']);
  expect(half.unstable).toEqual([]);
});

it('distinguishes the same test of two runners', async () => {
  const first = [record('one', 'failed'), { ...record('one', 'failed'), runner: 'electron' } as const];
  const { records } = await withSecondChance(first, async () => [record('one', 'passed')]);
  expect(records.map(({ runner, state }) => `${runner} ${state}`).sort()).toEqual(['electron failed', 'vitest passed']);
});

it('repeats nothing if too many tests failed', async () => {
  const first = Array.from({ length: MOST_CHANCES + 1 }, (_, i) => record(`test ${i}`, 'failed'));
  expect(await withSecondChance(first, unexpected)).toEqual({ records: first, unstable: [] });
});

it('repeats nothing if data was lost, duplicated or wrong, or an error occurred outside any test', async () => {
  let thrown = new Error();
  try {
    integrity('seconds', () => expect([1, 2, 4]).toEqual([1, 2, 3, 4]));
  } catch (error) {
    thrown = error as Error;
  }
  const lost = [record('one', 'failed'), record('two', 'failed', `${thrown.name}: ${thrown.message}`)];
  expect(thrown.name).toBe(INTEGRITY_ERROR);
  expect(await withSecondChance(lost, unexpected)).toEqual({ records: lost, unstable: [] });
  const outside: TestRecord[] = [{ runner: 'vitest', state: 'failed', reasons: ['out of memory'] }];
  expect(await withSecondChance(outside, unexpected)).toEqual({ records: outside, unstable: [] });
});

it('passes valid assertions about data', () => {
  integrity('seconds', () => expect([1, 2]).toEqual([1, 2]));
});

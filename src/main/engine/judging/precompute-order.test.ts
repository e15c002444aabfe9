import { setImmediate as next } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Precomputation } from './precompute.ts';

const run = (sessionId: number, duration = 3600) => ({ sessionId, warmup: 60, duration });
const DAMAGED = 13;
const STEPS = 3;

function bed(remaining: readonly number[] = []) {
  const steps: string[] = [];
  const work = new Precomputation({
    *steps(sessionId) {
      for (let step = 1; step <= STEPS; step += 1)
        yield () => {
          steps.push(`${sessionId}.${step}`);
          if (sessionId === DAMAGED) throw new Error('damaged');
        };
    },
    done: (sessionId) => steps.push(`${sessionId} done`),
    remaining: () => remaining,
    failed: (_, sessionId) => steps.push(`${sessionId} failed`),
  });
  const until = async (words: string): Promise<void> => {
    while (!steps.includes(words)) await next();
  };
  return { work, steps, until };
}

it('processes a session once if many of its long runs end together, after their other work', async () => {
  const { work, steps, until } = bed();
  work.after(run(1));
  work.after(run(1));
  work.after(run(2));
  expect(steps).toEqual([]);
  await until('2 done');
  expect(steps).toEqual(['1.1', '1.2', '1.3', '1 done', '2.1', '2.2', '2.3', '2 done']);
  work.after(run(1));
  await until('1 done');
});

it('processes a session again if more of it is sealed meanwhile', async () => {
  const { work, steps, until } = bed();
  work.session(1);
  await until('1.1');
  work.session(1);
  await until('1 done');
  steps.length = 0;
  await until('1 done');
  expect(steps).toEqual(['1.1', '1.2', '1.3', '1 done']);
});

it('yields between two steps and accepts nothing after it is closed', async () => {
  const { work, steps, until } = bed();
  work.session(1);
  await until('1.1');
  await work.close();
  expect(steps).toEqual(['1.1']);
});

it('skips short runs', async () => {
  const { work, steps, until } = bed();
  work.after(run(1, 60));
  work.after(run(2));
  await until('2 done');
  expect(steps.filter((words) => words.startsWith('1'))).toEqual([]);
});

it('reports a failure and continues with the next session', async () => {
  const { work, steps, until } = bed();
  work.after(run(DAMAGED));
  work.after(run(1));
  await until('1 done');
  expect(steps.slice(0, 3)).toEqual(['13.1', '13 failed', '1.1']);
});

it('continues with remaining work', async () => {
  const { work, steps, until } = bed([5, 4]);
  work.resume();
  await until('4 done');
  expect(steps.filter((words) => words.endsWith('done'))).toEqual(['5 done', '4 done']);
});

it('processes requested sessions first, the latest request first, then resumes', async () => {
  const { work, steps, until } = bed();
  work.session(1);
  work.session(2);
  await until('1.1');
  work.first([3]);
  work.first([4, 5]);
  await until('2 done');
  expect(steps.filter((words) => words.endsWith('done'))).toEqual(['4 done', '5 done', '3 done', '1 done', '2 done']);
  expect(steps.slice(0, 4)).toEqual(['1.1', '4.1', '4.2', '4.3']);
});

import { setImmediate as next } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WorkAhead } from './work-ahead.ts';

const run = (sessionId: number, duration = 3600) => ({ sessionId, warmup: 60, duration });

function ahead() {
  const asked: number[] = [];
  const failed: number[] = [];
  const work = new WorkAhead(
    (sessionId) => {
      asked.push(sessionId);
      if (sessionId === 13) throw new Error('damaged');
    },
    (_, sessionId) => failed.push(sessionId),
  );
  return { work, asked, failed };
}

it('asks for a session once however many of its long runs end together, after what else their end brings', async () => {
  const { work, asked } = ahead();
  work.after(run(1));
  work.after(run(1));
  work.after(run(2));
  expect(asked).toEqual([]);
  await next();
  expect(asked).toEqual([1, 2]);
  work.after(run(1));
  await next();
  expect(asked).toEqual([1, 2, 1]);
});

it('leaves short runs alone, and does nothing once the engine is closed', async () => {
  const { work, asked } = ahead();
  work.after(run(1, 60));
  work.after(run(2));
  work.close();
  await next();
  expect(asked).toEqual([]);
});

it('tells of a failure and goes on', async () => {
  const { work, asked, failed } = ahead();
  work.after(run(13));
  work.after(run(1));
  await next();
  expect(asked).toEqual([13, 1]);
  expect(failed).toEqual([13]);
});

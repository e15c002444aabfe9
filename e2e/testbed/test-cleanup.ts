import { afterAll, afterEach } from 'vitest';
import { endFile, putBackAll } from './left.ts';

/** No test fails the next one: what it left is put back, and it has failed if nothing else was wrong with it. */
afterEach(async ({ task }) => {
  // Others of its file are still at work.
  if (task.concurrent) return;
  const left = await putBackAll();
  if (left.length > 0 && task.result?.state !== 'fail') throw new Error(`The test left behind: ${left.join(' ')}`);
});

afterAll(endFile);

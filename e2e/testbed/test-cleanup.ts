import { afterAll, afterEach } from 'vitest';
import { endFile, putBackAll } from './left.ts';

/** No test affects the next one: its leftovers are removed, and it then fails if nothing else was wrong with it. */
afterEach(async ({ task }) => {
  // Others of its file are still running.
  if (task.concurrent) return;
  const left = await putBackAll();
  if (left.length > 0 && task.result?.state !== 'fail') throw new Error(`The test left behind: ${left.join(' ')}`);
});

afterAll(endFile);

import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Pauses take no time in the tests of this file: whenever nothing else is left to do, the next timer fires. Only for tests that wait for
 * timers; real servers and processes take real time.
 */
export function skipPauses(): void {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync'),
  );
  afterEach(() => void vi.useRealTimers());
}

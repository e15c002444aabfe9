import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Pauses pass at once in the tests of this file: whenever nothing else is left to do, the time of the next one has come. For what waits for clocks alone;
 * real servers and processes take real time.
 */
export function skipPauses(): void {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync'),
  );
  afterEach(() => void vi.useRealTimers());
}

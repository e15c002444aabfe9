/** Silent seconds after which a link counts as dead: three pings without a single byte in return. */
const SILENT_TICKS = 8;
const TICK_MS = 1_000;

/** Calls `onSilent` when no byte has come for 8 s. Counts ticks, not time: after a sleep of this computer the link gets a fair hearing. */
export function watchSilence(received: () => number, onSilent: () => void): NodeJS.Timeout {
  let before = received();
  let silent = 0;
  const timer = setInterval(() => {
    const now = received();
    silent = now === before ? silent + 1 : 0;
    before = now;
    if (silent >= SILENT_TICKS) onSilent();
  }, TICK_MS);
  timer.unref();
  return timer;
}

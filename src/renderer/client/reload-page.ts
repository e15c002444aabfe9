const TIMES = 'kneepoint-loaded-again';
/** A network change is over after a moment; a file that is still missing then will not return by itself. */
const PAUSES_MS = [0, 500, 2_000];
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/**
 * Reloads the page, which keeps its address, after one of its files failed to load: because of a network change, a server that is gone or a
 * new build that removed it. Does not resolve then. Throws the error after the third time in a row.
 */
export async function reloadPage(error: unknown): Promise<never> {
  const times = Number(sessionStorage.getItem(TIMES) ?? 0);
  const pause = PAUSES_MS[times];
  if (pause === undefined) throw error;
  sessionStorage.setItem(TIMES, String(times + 1));
  await rest(pause);
  await serverAnswers();
  location.reload();
  return new Promise<never>(() => undefined);
}

/** To be called when everything shown has loaded. */
export const loadedWell = (): void => sessionStorage.removeItem(TIMES);

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** If the server did not respond to the reload, the tab would show the browser's own error page, and stay there. */
async function serverAnswers(): Promise<void> {
  if (!location.protocol.startsWith('http')) return;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    try {
      // Any response shows that it is there.
      await fetch('/', { method: 'HEAD', cache: 'no-store' });
      return;
    } catch {
      await rest(wait);
    }
  }
}

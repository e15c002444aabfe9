const TIMES = 'kneepoint-loaded-again';
/** A network that changes is at rest again after a moment; a file that is still not there then will not come by itself. */
const PAUSES_MS = [0, 500, 2_000];
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/**
 * For a file of the page that did not arrive, because the network changed in that moment, the server is gone or a new build took the file
 * away: loads the page again, which stays at its address. Never resolves then. Throws the error after the third time in a row.
 */
export async function loadAgain(error: unknown): Promise<never> {
  const times = Number(sessionStorage.getItem(TIMES) ?? 0);
  const pause = PAUSES_MS[times];
  if (pause === undefined) throw error;
  sessionStorage.setItem(TIMES, String(times + 1));
  await rest(pause);
  await serverAnswers();
  location.reload();
  return new Promise<never>(() => undefined);
}

/** To be called when everything that is shown has arrived. */
export const loadedWell = (): void => sessionStorage.removeItem(TIMES);

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Loaded again while nobody answers, the tab would show the browser's own error page, and stay there. */
async function serverAnswers(): Promise<void> {
  if (!location.protocol.startsWith('http')) return;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    try {
      // Whatever it answers: it is there.
      await fetch('/', { method: 'HEAD', cache: 'no-store' });
      return;
    } catch {
      await rest(wait);
    }
  }
}

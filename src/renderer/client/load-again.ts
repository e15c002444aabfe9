const TIMES = 'kneepoint-loaded-again';
/** A network that changes is at rest again after a moment; a file that is still not there then will not come by itself. */
const PAUSES_MS = [0, 500, 2_000];

/**
 * For a file of the page that did not arrive, because the network changed in that moment or a new build took it away: loads the page
 * again, which stays at its address. Never resolves then. Throws the error after the third time in a row.
 */
export async function loadAgain(error: unknown): Promise<never> {
  const times = Number(sessionStorage.getItem(TIMES) ?? 0);
  const pause = PAUSES_MS[times];
  if (pause === undefined) throw error;
  sessionStorage.setItem(TIMES, String(times + 1));
  await new Promise((resolve) => setTimeout(resolve, pause));
  location.reload();
  return new Promise<never>(() => undefined);
}

/** To be called when everything that is shown has arrived. */
export const loadedWell = (): void => sessionStorage.removeItem(TIMES);

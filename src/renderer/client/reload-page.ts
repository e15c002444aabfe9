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
  // The reload would take the reason with it.
  console.warn('A file of the page failed to load, so the page is reloaded.', error);
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

/** Addresses of stylesheets that failed to load. */
const missing = new Set<string>();

/**
 * Must be called before anything is drawn. The bundler requests the styles of a view only once, whether they load or not: failed ones are
 * remembered here, for `fetchMissingStyles`. Rejects if styles of the page itself are missing.
 */
export async function watchStyles(): Promise<void> {
  const remember = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
    missing.add(target.href);
    target.remove();
  };
  // An error event of a link does not bubble: the document only sees it while capturing.
  document.addEventListener('error', remember, { capture: true });
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].find(
    (link) => !isLoaded(link),
  );
  if (failed) throw notLoaded(failed.href);
}

export const areStylesMissing = (): boolean => missing.size > 0;

/** Fetches failed stylesheets again; rejects if they still fail. */
export async function fetchMissingStyles(): Promise<void> {
  const addresses = [...missing];
  missing.clear();
  await Promise.all(addresses.map(fetchStyles));
}

const fetchStyles = (href: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(notLoaded(href)));
    document.head.append(link);
  });

const notLoaded = (href: string): Error => new Error(`The styles ${href} could not be loaded.`);

/** Rules of a file that failed to load cannot be read. */
function isLoaded({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

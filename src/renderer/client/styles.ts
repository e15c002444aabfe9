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

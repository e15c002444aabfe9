/** Addresses of stylesheets that did not arrive. */
const missing = new Set<string>();

/**
 * To be called before anything is drawn. The bundler asks for the styles of a view only once, whether they arrive or not: those that did not are remembered here,
 * for `fetchMissingStyles`. Rejects where styles of the page itself are missing.
 */
export async function watchStyles(): Promise<void> {
  const remember = ({ target }: Event): void => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
    missing.add(target.href);
    target.remove();
  };
  // An error of a link reaches the document only on its way down.
  document.addEventListener('error', remember, { capture: true });
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].find((link) => !arrived(link));
  if (failed) throw notArrived(failed.href);
}

export const areStylesMissing = (): boolean => missing.size > 0;

/** Fetches again what did not arrive; rejects where it still does not. */
export async function fetchMissingStyles(): Promise<void> {
  const addresses = [...missing];
  missing.clear();
  await Promise.all(addresses.map(fetchStyles));
}

const fetchStyles = (href: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(notArrived(href)));
    document.head.append(link);
  });

const notArrived = (href: string): Error => new Error(`The styles ${href} did not arrive.`);

/** Rules of a file that did not arrive cannot be read. */
function arrived({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

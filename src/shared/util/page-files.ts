/** Content types of the files of a built page, by extension. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
    svg: 'image/svg+xml',
    png: 'image/png',
    woff2: 'font/woff2',
    json: 'application/json',
  }),
);

export interface PageFile {
  /** Relative to the folder of the built page, with `/`; never outside it. */
  readonly path: string;
  readonly type: string;
}

/**
 * The file for the path of an address, undefined if no built page contains it. A path without an extension is an address within the page:
 * it returns the page itself.
 */
export function pageFile(pathname: string): PageFile | undefined {
  const wanted = decoded(pathname);
  if (wanted === undefined || !/^\/[\w./@~-]*$/.test(wanted)) return undefined;
  const names = wanted.split('/').filter((name) => name !== '');
  if (names.some((name) => name.startsWith('.'))) return undefined;
  const last = names.at(-1) ?? '';
  if (!last.includes('.')) return { path: 'index.html', type: 'text/html' };
  const type = TYPES.get(last.slice(last.lastIndexOf('.') + 1));
  return type ? { path: names.join('/'), type } : undefined;
}

function decoded(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

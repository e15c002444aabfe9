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

/** Placeholder in the built page for the nonce of each response. */
const NONCE_PLACE = '%STYLE_NONCE%';

interface PagePolicy {
  /** Address of the WebSocket, in browser mode. */
  engine?: string;
  /** Random for each response with a page: only style elements that the page's own scripts mark with it are applied. */
  styleNonce?: string;
}

/**
 * Content policy of Kneepoint's pages: only their own files, and one connection to the engine. Scripts and styles are never inline and
 * never from text, except style elements with the nonce (`docs/security.md`).
 */
export function contentSecurityPolicy({ engine, styleNonce }: PagePolicy = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleNonce ? ` 'nonce-${styleNonce}'` : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src 'self'${engine ? ` ${engine}` : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page as sent, with the nonce for its own scripts. */
export const withStyleNonce = (html: string, nonce: string): string => html.replaceAll(NONCE_PLACE, nonce);

/** Sent with every response, page or not. */
export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

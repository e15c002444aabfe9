/** Placeholder in the built page for the nonce of each response. */
const NONCE_PLACE = '%STYLE_NONCE%';

export interface PagePolicy {
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

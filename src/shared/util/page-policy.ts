/** Stands in the built page where each answer puts its own nonce. */
const NONCE_PLACE = '%STYLE_NONCE%';

export interface PagePolicy {
  /** Address of the WebSocket, in browser mode. */
  engine?: string;
  /** Random for each answer that brings a page: only style elements which the page's own scripts mark with it are taken. */
  styleNonce?: string;
}

/**
 * What a page of ours may load and do: its own files, and one connection to the engine. Scripts and styles never inline and
 * never from text, but for style elements that bear the nonce (`docs/security.md`).
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

/** The page as it is sent: it tells its nonce to its own scripts. */
export const withStyleNonce = (html: string, nonce: string): string => html.replaceAll(NONCE_PLACE, nonce);

/** Sent with every answer, page or not. */
export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { contentSecurityPolicy, pageFile, SAFE_HEADERS, withStyleNonce } from '../../../shared/util/page-files.ts';

const SCHEME = 'kneepoint';
/** The only origin whose pages may communicate with the shell. */
export const HOME = `${SCHEME}://app/`;

/** Call before the app is ready. Unlike file:, a standard, secure scheme gives the page an origin, storage and modules. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built page from `folder`. */
export function serveScheme(folder: string): void {
  const headersWith = (styleNonce?: string) => ({
    ...SAFE_HEADERS,
    'Content-Security-Policy': contentSecurityPolicy(styleNonce ? { styleNonce } : {}),
  });
  const missing = {
    statusCode: 404,
    mimeType: 'text/plain',
    data: Buffer.from('File not found.'),
    headers: headersWith(),
  };
  // The older of Electron's two interfaces, available in every version since 22.
  protocol.registerBufferProtocol(SCHEME, (request, answer) => {
    const url = new URL(request.url);
    const file = request.method === 'GET' && url.host === 'app' ? pageFile(url.pathname) : undefined;
    if (!file) {
      answer(missing);
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    const prepared = (data: Buffer): Buffer =>
      file.type === 'text/html' ? Buffer.from(withStyleNonce(data.toString(), nonce)) : data;
    readFile(path.join(folder, file.path)).then(
      (data) => answer({ data: prepared(data), mimeType: file.type, charset: 'utf-8', headers: headersWith(nonce) }),
      () => answer(missing),
    );
  });
}

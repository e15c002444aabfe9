import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { pageFile } from '../../../shared/util/page-files.ts';
import { contentSecurityPolicy, SAFE_HEADERS } from '../../../shared/util/page-policy.ts';

const SCHEME = 'kneepoint';
/** The one origin whose pages may talk to the shell. */
export const HOME = `${SCHEME}://app/`;

/** Before the app is ready: a standard, secure scheme gives the page an origin, storage and modules, which file: has not. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built page from `folder`. */
export function serveScheme(folder: string): void {
  const headers = { ...SAFE_HEADERS, 'Content-Security-Policy': contentSecurityPolicy() };
  const missing = { statusCode: 404, mimeType: 'text/plain', data: Buffer.from('There is no such file.'), headers };
  // The older of Electron's two interfaces: it is the one that every version since 22 has.
  protocol.registerBufferProtocol(SCHEME, (request, answer) => {
    const url = new URL(request.url);
    const file = request.method === 'GET' && url.host === 'app' ? pageFile(url.pathname) : undefined;
    if (!file) {
      answer(missing);
      return;
    }
    readFile(path.join(folder, file.path)).then(
      (data) => answer({ data, mimeType: file.type, charset: 'utf-8', headers }),
      () => answer(missing),
    );
  });
}

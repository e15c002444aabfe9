import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LINK_PARAMETER, SOCKET_PROTOCOL } from '../../shared/contract/browser.ts';

/** 256 bits, safe in URLs and headers. */
const newSecret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Access control of the server: only for browsers that opened its link once, from its own page, at its own address. The `Host` header is checked to
 * reject foreign names that resolve to 127.0.0.1.
 */
export class Guard {
  readonly origin: string;
  readonly #authority: string;
  #link = newSecret();
  /** Stored as digests, so that the time of a comparison does not depend on the secrets. */
  readonly #sessions: Buffer[] = [];

  readonly #renewed: (link: string) => void;

  /** `renewed` receives the link that replaces a used one. */
  constructor(port: number, renewed: (link: string) => void) {
    this.#renewed = renewed;
    this.#authority = `127.0.0.1:${port}`;
    this.origin = `http://${this.#authority}`;
  }

  /** The one-time address. A new one is created after its use. */
  get link(): string {
    return `${this.origin}/#${LINK_PARAMETER}=${this.#link}`;
  }

  isOurAddress(request: IncomingMessage): boolean {
    return request.headers.host === this.#authority;
  }

  /** Scripts of pages send an Origin; it must be this one. Other requests do not have it. */
  isForeign(request: IncomingMessage): boolean {
    return request.headers.origin !== undefined && request.headers.origin !== this.origin;
  }

  /** Browsers always send an Origin with an upgrade request. */
  isOurPage(request: IncomingMessage): boolean {
    return request.headers.origin === this.origin;
  }

  isKnown(secret: string | undefined): boolean {
    if (secret === undefined) return false;
    const given = digest(secret);
    return this.#sessions.some((session) => timingSafeEqual(session, given));
  }

  /** Consumes the secret of the link and returns the secret of a new session. */
  exchange(secret: string | undefined): string | undefined {
    if (secret === undefined || !timingSafeEqual(digest(secret), digest(this.#link))) return undefined;
    this.#link = newSecret();
    const session = newSecret();
    this.#sessions.push(digest(session));
    this.#renewed(this.link);
    return session;
  }
}

/** The secret in an HTTP request. */
export const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '')?.[1];

/** The secret in an upgrade request, sent after the protocol name. */
export function offeredSecret({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered[0] === SOCKET_PROTOCOL ? offered[1] : undefined;
}

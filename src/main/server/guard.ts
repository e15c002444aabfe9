import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** 256 bits, safe in an address and in a cookie. */
const newSecret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/**
 * Who may talk to the server: whoever opened its link once, from its own page, by its own address.
 * The address (`Host`) is compared so that a foreign name which resolves to 127.0.0.1 gets nothing.
 */
export class Guard {
  readonly origin: string;
  readonly #authority: string;
  readonly #cookie: string;
  #token: string | undefined = newSecret();
  #session: string | undefined;

  constructor(port: number) {
    this.#authority = `127.0.0.1:${port}`;
    this.origin = `http://${this.#authority}`;
    // Cookies do not know ports: two libraries open at the same time must not overwrite each other's.
    this.#cookie = `kneepoint_${port}`;
  }

  /** The address that works once. */
  get link(): string {
    return `${this.origin}/?token=${this.#token ?? ''}`;
  }

  isOurAddress(request: IncomingMessage): boolean {
    return request.headers.host === this.#authority;
  }

  /** A request without Origin is no page's script; a page's script must be ours. */
  isForeign(request: IncomingMessage): boolean {
    return request.headers.origin !== undefined && request.headers.origin !== this.origin;
  }

  /** An upgrade always names its origin when a browser sends it. */
  isOurPage(request: IncomingMessage): boolean {
    return request.headers.origin === this.origin;
  }

  isKnown(request: IncomingMessage): boolean {
    const session = this.#session;
    if (session === undefined) return false;
    const cookies = (request.headers.cookie ?? '').split(';').map((entry) => entry.trim().split('='));
    return cookies.some(([name, value]) => name === this.#cookie && value !== undefined && same(value, session));
  }

  /** Takes the token of the link, which is worth nothing afterwards, and returns the cookie to set. */
  exchange(token: string): string | undefined {
    if (this.#token === undefined || !same(token, this.#token)) return undefined;
    this.#token = undefined;
    this.#session = newSecret();
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }
}

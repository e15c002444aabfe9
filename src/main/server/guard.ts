import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LINK_PARAMETER, SOCKET_PROTOCOL } from '../../shared/contract/browser.ts';

/** 256 bits, safe in an address and in a header. */
const newSecret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Who may talk to the server: whoever opened its link once, from its own page, by its own address.
 * The address (`Host`) is compared so that a foreign name which resolves to 127.0.0.1 gets nothing.
 */
export class Guard {
  readonly origin: string;
  readonly #authority: string;
  #link = newSecret();
  /** Digests, so that secrets are compared in the same time whatever they are. */
  readonly #sessions: Buffer[] = [];

  readonly #renewed: (link: string) => void;

  /** `renewed` gets the link that takes the place of one that was used. */
  constructor(port: number, renewed: (link: string) => void) {
    this.#renewed = renewed;
    this.#authority = `127.0.0.1:${port}`;
    this.origin = `http://${this.#authority}`;
  }

  /** The address that works once. After its use there is another. */
  get link(): string {
    return `${this.origin}/#${LINK_PARAMETER}=${this.#link}`;
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

  isKnown(secret: string | undefined): boolean {
    if (secret === undefined) return false;
    const given = digest(secret);
    return this.#sessions.some((session) => timingSafeEqual(session, given));
  }

  /** Takes the secret of the link, which is worth nothing afterwards, and returns the secret of a new session. */
  exchange(secret: string | undefined): string | undefined {
    if (secret === undefined || !timingSafeEqual(digest(secret), digest(this.#link))) return undefined;
    this.#link = newSecret();
    const session = newSecret();
    this.#sessions.push(digest(session));
    this.#renewed(this.link);
    return session;
  }
}

/** The secret that an HTTP request carries. */
export const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '')?.[1];

/** The secret that an upgrade carries beside the name of the protocol. */
export function offeredSecret({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered[0] === SOCKET_PROTOCOL ? offered[1] : undefined;
}

import { KneepointError } from '../../../../shared/model/problem.ts';
import type { KeyVerdict } from './host-keys.ts';

export interface Place {
  host: string;
  address: string;
  port: number;
}

/** Omitted for a host that is not saved yet, as it has no jobs. */
export const JOBS_KEEP_RUNNING = 'Jobs on the host keep running.';
const SAFE = JOBS_KEEP_RUNNING;

/** First bytes of servers other than SSH, or their response to an SSH client. */
const OTHER_SERVERS: readonly (readonly [(received: string) => boolean, string])[] = [
  // A packet with number 0: a handshake of version 10, or an error.
  [(received) => received[3] === '\0' && /^[\n\u00ff]/.test(received.slice(4)), 'a MySQL or MariaDB server'],
  [(received) => /^(HTTP\/|<)/i.test(received), 'a web server'],
  [(received) => /^220[ -]/.test(received), 'a mail or FTP server'],
  [(received) => received.startsWith('-ERR'), 'a Redis server'],
  [(received) => received.startsWith('\u0015\u0003'), 'a server that expects TLS'],
];
/** Ports whose servers close an SSH connection without a message. */
const OTHER_PORTS: Readonly<Record<number, string>> = {
  3306: 'MySQL and MariaDB',
  5432: 'PostgreSQL',
  6432: 'PgBouncer',
  8123: 'ClickHouse',
  9000: 'ClickHouse',
  27017: 'MongoDB',
};
const SSH_PORT = 'Enter the port of its SSH server, usually 22.';

/** Converts an error of Node or ssh2 before login. `received`: the first bytes from the other side, decoded as Latin-1. */
export function connectProblem(place: Place, error: unknown, received = ''): KneepointError {
  const { code, level, message } = detailsOf(error);
  const at = `${place.host} (${place.address}:${place.port})`;
  const make = (problem: 'host-unreachable' | 'host-refused', text: string, next: string, cause = error) =>
    new KneepointError({ code: problem, host: place.host, message: text, safe: SAFE, next }, { cause });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return make(
      'host-unreachable',
      `The address of ${at} cannot be resolved.`,
      'Check the spelling, the VPN and the name server.',
    );
  }
  if (code === 'ECONNREFUSED') {
    const text = `${at} refused the connection: no SSH server is listening on that port.`;
    return make('host-refused', text, 'Check the port and that sshd is running on the host.');
  }
  if (level === 'handshake') {
    const text = `${at} and Kneepoint have no encryption method in common: ${message}.`;
    return make('host-refused', text, 'Outdated algorithms are refused. Update the SSH server of the host.');
  }
  const isForeign = received !== '' && !/(^|\n)SSH-|MaxStartups|Not allowed at this time/.test(received);
  if (isForeign) {
    const other = OTHER_SERVERS.find(([fits]) => fits(received))?.[1];
    const words = other ? `${other} is listening on that port` : 'the service on that port does not speak SSH';
    // Without its cause, so it is not retried: each attempt would count as another error there, and MySQL blocks clients with many errors.
    return make('host-refused', `${at} is not an SSH server: ${words}.`, SSH_PORT, null);
  }
  if (wasRejected(error)) {
    const text = `${at} closed the connection before login.`;
    const usual = received === '' ? OTHER_PORTS[place.port] : undefined;
    if (usual) return make('host-refused', `${text} Port ${place.port} is the usual port of ${usual}.`, SSH_PORT);
    const log = 'It may limit connections, or block this address for a while. Check its sshd log.';
    return make('host-refused', text, received === '' ? `Check that this is the port of its SSH server. ${log}` : log);
  }
  if (level === 'protocol') {
    return make('host-refused', `${at} does not speak SSH: ${message}.`, 'Check address and port.');
  }
  const noRoute = code === 'EHOSTUNREACH' || code === 'ENETUNREACH';
  const text = `${at} does not respond: ${noRoute ? 'no route to host' : message}.`;
  return make('host-unreachable', text, 'Check that the host is on and that the network or VPN reaches it.');
}

/** Whether the server closed the connection before login: the server, or something in between, limits connections. */
export function wasRejected(error: unknown): boolean {
  const { code, message } = detailsOf(error instanceof KneepointError ? error.cause : error);
  return code === 'ECONNRESET' || /before handshake|MaxStartups|Not allowed at this time/i.test(message);
}

/** Closed after the login was sent and before the response: not a refusal, but not to be retried immediately either. */
export function brokenLoginProblem({ host, address, port }: Place): KneepointError {
  return new KneepointError({
    code: 'host-unreachable',
    host,
    message: `${host} (${address}:${port}) closed the connection during login.`,
    safe: SAFE,
    next: 'Kneepoint retries while something needs this host. If it persists, check the sshd log of the host.',
  });
}

/** A hop through another host that failed. */
export function hopProblem(place: Place, via: string, error: unknown): KneepointError {
  const { reason, message } = detailsOf(error);
  const refused = reason === 1;
  return new KneepointError(
    {
      code: refused || /refused/i.test(message) ? 'host-refused' : 'host-unreachable',
      host: place.host,
      message: refused
        ? `${via} does not allow connections through it, so ${place.host} cannot be reached.`
        : `${via} is connected, but from there ${place.host} (${place.address}:${place.port}) does not respond: ${message}.`,
      safe: SAFE,
      next: refused
        ? `Allow TCP forwarding (AllowTcpForwarding) on ${via}, or choose another jump host.`
        : `Check the address as ${via} sees it, and that sshd runs there.`,
    },
    { cause: error },
  );
}

/** A jump host that failed: its own problem, from the point of view of the host behind it. */
export function viaProblem(host: string, via: string, error: KneepointError): KneepointError {
  const { problem } = error;
  const message = `${host} is connected via ${via}, which failed. ${problem.message}`;
  return new KneepointError({ ...problem, host: problem.host ?? via, message }, { cause: error });
}

export function authProblem(place: Place, user: string, why: string | undefined): KneepointError {
  return new KneepointError({
    code: 'host-auth-failed',
    host: place.host,
    message: `${place.host} did not accept the login of ${user}${why ? `: ${why}` : ''}.`,
    safe: `${SAFE} Kneepoint does not retry, so that the account is not locked out.`,
    next: 'Check user, key or password of the host, then test it again.',
  });
}

/** For every verdict except `trusted`. `details` holds the HostKey (unknown) or both keys as `{ key, known }` (changed). */
export function keyProblem(place: Place, verdict: Exclude<KeyVerdict, { verdict: 'trusted' }>): KneepointError {
  const shown = `${verdict.key.algorithm} ${verdict.key.fingerprint}`;
  if (verdict.verdict === 'unknown') {
    return new KneepointError({
      code: 'host-key-unknown',
      host: place.host,
      message: `The host key of ${place.host} is not trusted yet: ${shown}.`,
      safe: 'No login was tried.',
      next: 'Compare this fingerprint with the host’s own, then trust it.',
      details: verdict.key,
    });
  }
  if (verdict.verdict === 'revoked') {
    return new KneepointError({
      code: 'host-key-changed',
      host: place.host,
      message: `${place.host} presents the key ${shown}, which is marked as revoked in known_hosts.`,
      safe: 'No login was tried and nothing was sent.',
      next: 'Do not use this host until its administrator has given it a new key.',
      details: { key: verdict.key, known: verdict.key },
    });
  }
  return new KneepointError({
    code: 'host-key-changed',
    host: place.host,
    message: `The host key of ${place.host} has changed: it presents ${shown}, but the known key is ${verdict.known.algorithm} ${verdict.known.fingerprint}.`,
    safe: 'No login was tried and nothing was sent. Jobs on the real host keep running.',
    next: 'Ask the administrator whether the key was replaced. If so, forget the known key in the host settings first.',
    details: { key: verdict.key, known: verdict.known },
  });
}

/** The link was up and was lost. */
export function lostProblem(host: string, why: string): KneepointError {
  return new KneepointError({
    code: 'host-unreachable',
    host,
    message: `The connection to ${host} was lost: ${why}.`,
    safe: SAFE,
    next: 'Kneepoint reconnects while something needs the host.',
  });
}

/** Distinctive parts of a Node or ssh2 error. */
export function detailsOf(error: unknown): { message: string; code?: unknown; level?: unknown; reason?: unknown } {
  // Happy Eyeballs wraps one error per address; any of them will do.
  const inner = error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error;
  if (!(inner instanceof Error)) return { message: String(inner) };
  return {
    message: inner.message.replace(/^\(SSH\) Channel open failure: /, ''),
    ...('code' in inner ? { code: inner.code } : {}),
    ...('level' in inner ? { level: inner.level } : {}),
    ...('reason' in inner ? { reason: inner.reason } : {}),
  };
}

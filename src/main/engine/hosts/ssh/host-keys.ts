import { createHash, createHmac } from 'node:crypto';
import type { HostKey } from '../../../../shared/model/host.ts';

/** Verdict on a key that a host presents. */
export type KeyVerdict =
  | { verdict: 'trusted'; by: 'library' | 'known_hosts' }
  | { verdict: 'unknown'; key: HostKey }
  | { verdict: 'changed'; key: HostKey; known: HostKey }
  | { verdict: 'revoked'; key: HostKey };

/** Sources of trusted keys: the library first, then the user's known_hosts, which is never written. */
export interface KeySource {
  knownKey(address: string, port: number): HostKey | undefined;
  knownHosts(): readonly KnownHost[];
}

/** Fingerprint in the format of OpenSSH. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/** The type name at the start of every SSH public key blob. */
export const keyTypeOf = (blob: Buffer): string => blob.toString('latin1', 4, 4 + blob.readUInt32BE(0));

/**
 * Judges the key that `host` presents. Once any key is known for an address, every other key there counts as changed, whatever its type:
 * otherwise a man in the middle could offer a type that was never seen, and the user would be asked as at first contact.
 */
export function judgeKey(
  source: KeySource,
  place: { host: string; address: string; port: number },
  blob: Buffer,
): KeyVerdict {
  const key: HostKey = { ...place, algorithm: keyTypeOf(blob), fingerprint: fingerprintOf(blob) };
  const entries = source.knownHosts().filter((entry) => entryMatches(entry, place.address, place.port));
  const text = blob.toString('base64');
  if (entries.some((entry) => entry.marker === 'revoked' && sameKey(entry, text))) return { verdict: 'revoked', key };
  const knownKey = source.knownKey(place.address, place.port);
  if (knownKey) {
    if (knownKey.fingerprint === key.fingerprint) return { verdict: 'trusted', by: 'library' };
    return { verdict: 'changed', key, known: knownKey };
  }
  const plain = entries.filter((entry) => entry.marker === undefined);
  if (plain.some((entry) => sameKey(entry, text))) return { verdict: 'trusted', by: 'known_hosts' };
  const other = plain.find((entry) => entry.type === key.algorithm) ?? plain[0];
  if (!other) return { verdict: 'unknown', key };
  const fingerprint = fingerprintOf(Buffer.from(other.key, 'base64'));
  return { verdict: 'changed', key, known: { ...place, algorithm: other.type, fingerprint } };
}

/** Key types already known for an address. They are requested first, so a host with several keys presents one that can be checked. */
export function knownKeyTypes(source: KeySource, address: string, port: number): string[] {
  const knownKey = source.knownKey(address, port);
  if (knownKey) return [knownKey.algorithm];
  return source
    .knownHosts()
    .filter((entry) => entry.marker === undefined && entryMatches(entry, address, port))
    .map((entry) => entry.type);
}

const sameKey = (entry: KnownHost, text: string): boolean => entry.key.replace(/=+$/, '') === text.replace(/=+$/, '');

/** A usable line of an OpenSSH known_hosts file. `key` is the base64 text of the public key blob. */
interface KnownHost {
  marker?: 'revoked' | 'cert-authority';
  patterns: readonly string[];
  type: string;
  key: string;
}

/** Parses a known_hosts file, see sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT". Skips comments and invalid lines, like OpenSSH. */
export function parseKnownHosts(text: string): KnownHost[] {
  const entries: KnownHost[] = [];
  for (const line of text.split(/\r?\n/)) {
    const fields = line.trim().split(/[ \t]+/);
    const [first = ''] = fields;
    if (first === '' || first.startsWith('#')) continue;
    const marker = first === '@revoked' ? 'revoked' : first === '@cert-authority' ? 'cert-authority' : undefined;
    if (first.startsWith('@') && marker === undefined) continue;
    const [names, type, key] = marker === undefined ? fields : fields.slice(1);
    if (names === undefined || type === undefined || key === undefined) continue;
    if (Buffer.from(key, 'base64').length < 12) continue;
    entries.push({ ...(marker === undefined ? {} : { marker }), patterns: names.split(','), type, key });
  }
  return entries;
}

/**
 * Whether an entry matches an address; `[address]:port` unless the port is 22. A matching negated pattern excludes the entry. Compared in
 * lower case, like ssh: a hash made from capital letters is found only by `ssh-keygen -F`, never by ssh.
 */
export function entryMatches(entry: KnownHost, address: string, port: number): boolean {
  const name = port === 22 ? address.toLowerCase() : `[${address.toLowerCase()}]:${port}`;
  let matched = false;
  for (const pattern of entry.patterns) {
    if (pattern.startsWith('!')) {
      if (matchesPattern(pattern.slice(1), name)) return false;
    } else if (pattern.startsWith('|1|') ? matchesHash(pattern, name) : matchesPattern(pattern, name)) {
      matched = true;
    }
  }
  return matched;
}

function matchesHash(pattern: string, name: string): boolean {
  const [, , salt, hash] = pattern.split('|');
  if (salt === undefined || hash === undefined) return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

function matchesPattern(pattern: string, name: string): boolean {
  const source = [...pattern.toLowerCase()].map((letter) =>
    letter === '*' ? '.*' : letter === '?' ? '.' : letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 's').test(name);
}

import { createHash } from 'node:crypto';
import type { HostKey } from '../../../../shared/model/host.ts';
import { entryMatches, type KnownHost } from './known-hosts.ts';

/** What we think of a key that a host shows. */
export type KeyVerdict =
  | { verdict: 'trusted'; by: 'library' | 'known_hosts' }
  | { verdict: 'unknown'; key: HostKey }
  | { verdict: 'changed'; key: HostKey; known: HostKey }
  | { verdict: 'revoked'; key: HostKey };

/** Where trusted keys come from: our own library first, then the person's known_hosts, which is only ever read. */
export interface KeySource {
  remembered(address: string, port: number): HostKey | undefined;
  knownHosts(): readonly KnownHost[];
}

/** Fingerprint as OpenSSH prints it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;

/** The type name that starts every SSH public key blob. */
export const keyTypeOf = (blob: Buffer): string => blob.toString('latin1', 4, 4 + blob.readUInt32BE(0));

/**
 * Judges the key that `host` shows. Once any key is known for an address, every other key there is a change, whatever its type:
 * else someone in between could offer a type that was never seen and be asked about as if it were a first contact.
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
  const remembered = source.remembered(place.address, place.port);
  if (remembered) {
    if (remembered.fingerprint === key.fingerprint) return { verdict: 'trusted', by: 'library' };
    return { verdict: 'changed', key, known: remembered };
  }
  const plain = entries.filter((entry) => entry.marker === undefined);
  if (plain.some((entry) => sameKey(entry, text))) return { verdict: 'trusted', by: 'known_hosts' };
  const other = plain.find((entry) => entry.type === key.algorithm) ?? plain[0];
  if (!other) return { verdict: 'unknown', key };
  const fingerprint = fingerprintOf(Buffer.from(other.key, 'base64'));
  return { verdict: 'changed', key, known: { ...place, algorithm: other.type, fingerprint } };
}

/** Key types already known for an address: asked for first, so that a host with several keys shows the one we can check. */
export function knownKeyTypes(source: KeySource, address: string, port: number): string[] {
  const remembered = source.remembered(address, port);
  if (remembered) return [remembered.algorithm];
  return source
    .knownHosts()
    .filter((entry) => entry.marker === undefined && entryMatches(entry, address, port))
    .map((entry) => entry.type);
}

const sameKey = (entry: KnownHost, text: string): boolean => entry.key.replace(/=+$/, '') === text.replace(/=+$/, '');

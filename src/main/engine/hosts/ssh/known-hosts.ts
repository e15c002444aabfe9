import { createHmac } from 'node:crypto';

/** A usable line of an OpenSSH known_hosts file. `key` is the base64 text of the public key blob. */
export interface KnownHost {
  marker?: 'revoked' | 'cert-authority';
  patterns: readonly string[];
  type: string;
  key: string;
}

/**
 * Lines of a known_hosts file as described in sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT". Comments and lines that make no sense
 * are left out, as OpenSSH does.
 */
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
 * Whether an entry is about an address; `[address]:port` unless the port is 22. A negated pattern that fits excludes the entry.
 * Asked in small letters, as ssh asks: a hash made from capital letters is found by `ssh-keygen -F` alone, never by ssh.
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

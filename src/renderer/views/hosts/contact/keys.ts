const FILES: readonly (readonly [RegExp, string])[] = [
  [/ed25519/, 'ed25519'],
  [/ecdsa/, 'ecdsa'],
  [/rsa/, 'rsa'],
];

/** Where OpenSSH keeps the public part of a host's key of this algorithm. */
export function keyFileOf(algorithm: string): string {
  const kind = FILES.find(([pattern]) => pattern.test(algorithm))?.[1] ?? 'ed25519';
  return `/etc/ssh/ssh_host_${kind}_key.pub`;
}

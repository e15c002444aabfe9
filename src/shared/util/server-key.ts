const PEM = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*\0?$/;

/**
 * What tells one public key from another: the base64 of a PEM text, without line ends. The client of MySQL prints these as `\\n`.
 * Undefined for a text that is anything else or more than one key.
 */
export function publicKeyBody(text: string): string | undefined {
  return PEM.exec(text.replaceAll('\\n', '\n'))?.[1]?.replaceAll(/\s+/g, '');
}

/** The same key as every program reads it. */
export const publicKeyPem = (body: string): string =>
  `-----BEGIN PUBLIC KEY-----\n${body.replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END PUBLIC KEY-----\n`;

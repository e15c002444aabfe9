/** Turns a secret into bytes that are safe on disk, and back. Implementations: keychain (from the shell), vault, launch-only memory. */
export interface SecretKeeper {
  seal(text: string): Promise<Uint8Array>;
  /** Throws `secret-missing` or `vault-locked`. */
  open(bytes: Uint8Array): Promise<string>;
}

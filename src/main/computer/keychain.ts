import { native } from '../../shared/contract/native.ts';
import { connect } from '../../shared/rpc/client.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import type { SecretKeeper } from '../engine/secrets/keeper.ts';

/** The operating system's keychain behind the shell, or nothing where it only pretends to have one. */
export async function keychainOf(transport: Transport): Promise<SecretKeeper | undefined> {
  const shell = connect(native, transport);
  const { available } = await shell.keychain({});
  if (!available) return undefined;
  return {
    seal: async (text) => (await shell.encrypt({ text })).bytes,
    open: async (bytes) => (await shell.decrypt({ bytes })).text,
  };
}

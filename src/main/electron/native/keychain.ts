import { safeStorage } from 'electron';
import type { native } from '../../../shared/contract/native.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';

/** In newer versions of Electron: obtains the key without blocking the window while the keychain prompts the user. */
interface AsyncStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Uint8Array>;
  decryptStringAsync(bytes: Uint8Array): Promise<{ result: string }>;
}
/** Missing in Electron 22. */
interface LinuxStorage {
  getSelectedStorageBackend(): string;
}

/** The operating system's keychain through safeStorage. On Linux without a keyring, that is a fixed key, which is reported as unavailable. */
export function keychain(): Implementation<typeof native> {
  const modern: AsyncStorage | undefined = 'encryptStringAsync' in safeStorage ? safeStorage : undefined;
  return {
    keychain: async () => {
      const backend = backendName();
      if (backend === 'basic_text' || backend === 'unknown') return { available: false, backend };
      return {
        available: await (modern?.isAsyncEncryptionAvailable() ?? safeStorage.isEncryptionAvailable()),
        backend,
      };
    },
    encrypt: async ({ text }) => ({
      bytes: new Uint8Array(await (modern?.encryptStringAsync(text) ?? safeStorage.encryptString(text))),
    }),
    decrypt: async ({ bytes }) => {
      const sealed = Buffer.from(bytes);
      return { text: modern ? (await modern.decryptStringAsync(sealed)).result : safeStorage.decryptString(sealed) };
    },
  };
}

function backendName(): string {
  if (process.platform === 'darwin') return 'keychain';
  if (process.platform === 'win32') return 'dpapi';
  const linux: Partial<LinuxStorage> = safeStorage;
  // If the backend is unknown, available encryption may still use the fixed key. Treat it as unavailable.
  return linux.getSelectedStorageBackend?.() ?? 'unknown';
}

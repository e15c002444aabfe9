import { safeStorage } from 'electron';
import type { native } from '../../../shared/contract/native.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';

/** What newer Electron has: the key is fetched without blocking the window while the keychain asks its owner. */
interface AsyncStorage {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Uint8Array>;
  decryptStringAsync(bytes: Uint8Array): Promise<{ result: string }>;
}
/** What Electron 22 lacks. */
interface LinuxStorage {
  getSelectedStorageBackend(): string;
}

/** The operating system's keychain through safeStorage. On Linux without a keyring that would be a fixed key: this says "none" instead. */
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
  // Without the question, an encryption that is available may still be the fixed key: better none than a false one.
  return linux.getSelectedStorageBackend?.() ?? 'unknown';
}

import { z } from 'zod';
import { Bytes } from '../model/binary.ts';
import { call } from '../rpc/define.ts';

/** Calls of the shell that only the desktop has, for the engine's process and the page. Served by the Electron main process. */
export const native = {
  /** Whether safeStorage is backed by a real keychain (on Linux: not `basic_text`). */
  keychain: call(z.object({}), z.object({ available: z.boolean(), backend: z.string() })),
  encrypt: call(z.object({ text: z.string() }), z.object({ bytes: Bytes })),
  decrypt: call(z.object({ bytes: Bytes }), z.object({ text: z.string() })),
};

import { z } from 'zod';
import { Bytes } from '../model/binary.ts';
import { call } from '../rpc/define.ts';

/** The shell's few calls to the engine's process and the page: what only the desktop has. Served by the Electron main process. */
export const native = {
  /** Whether a real keychain stands behind safeStorage (on Linux: not `basic_text`). */
  keychain: call(z.object({}), z.object({ available: z.boolean(), backend: z.string() })),
  encrypt: call(z.object({ text: z.string() }), z.object({ bytes: Bytes })),
  decrypt: call(z.object({ bytes: Bytes }), z.object({ text: z.string() })),
};

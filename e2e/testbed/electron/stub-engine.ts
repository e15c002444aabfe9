import { keychainOf, parentOf } from '../../../src/main/computer/index.ts';
import { serve } from '../../../src/shared/rpc/server.ts';
import { stub } from './stub-contract.ts';

// Replaces the engine in Electron's utility process: the oldest Electron cannot run SQLite there, but its message ports are the same.
const parent = parentOf(process);
if (!parent) throw new Error('started by nobody');
let keychain = 'not asked';

parent.onConversation((name, transport) => {
  if (name === 'native') {
    void keychainOf(transport).then((keeper) => {
      keychain = keeper ? 'available' : 'none';
      parent.ready();
    });
    return;
  }
  serve(
    stub,
    {
      about: () => ({ pid: process.pid, name, keychain, type: String((process as { type?: string }).type ?? 'node') }),
      count: async function* ({ to }) {
        for (let n = 1; n <= to; n++) yield Float64Array.of(n, Math.sqrt(n));
      },
    },
    transport,
  );
});
parent.onEnd(() => process.exit(0));

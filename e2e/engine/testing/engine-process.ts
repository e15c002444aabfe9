import { outsideOf } from '../../../src/main/computer/index.ts';
import { createEngine } from '../../../src/main/engine/index.ts';
import { ipcTransport } from '../../../src/shared/rpc/transports.ts';

// An engine in a process of its own, for tests that kill it: argv[2] is the data directory.
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const engine = await createEngine(outsideOf({ mode: 'test', dataDir: process.argv[2], log: quiet }));
engine.serve(ipcTransport(process));

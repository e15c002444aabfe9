import { createEngine } from '../../../src/main/engine/index.ts';
import { ipcTransport } from '../../../src/shared/rpc/transports.ts';
import { quietOutside } from './quiet-outside.ts';

// An engine in a separate process, for tests that kill it: argv[2] is the data directory.
const engine = await createEngine(quietOutside(process.argv[2] ?? ''));
engine.serve(ipcTransport(process));

import { problemOf } from '../shared/model/problem.ts';
import type { Transport } from '../shared/rpc/define.ts';
import type { Wire } from '../shared/rpc/wire.ts';
import { endOnSignals, keychainOf, outsideOf, parentOf } from './computer/index.ts';
import { createEngine, type Engine } from './engine/index.ts';

// The engine's process in the desktop app: Electron's utility process, or a child under another Node.
const parent = parentOf(process);
if (!parent) {
  process.stderr.write('kneepoint: this file is started by the window; use "npm start" or "npm run kneepoint".\n');
  process.exit(4);
}

const outside = outsideOf({ mode: 'desktop' });
const engine: Promise<Engine> = new Promise((resolve) => {
  parent.onConversation((name, transport) => {
    if (name === 'native') resolve(begin(transport));
    else
      engine.then(
        (running) => running.serve(transport),
        (error: unknown) => refuse(transport, error),
      );
  });
});

async function begin(native: Transport): Promise<Engine> {
  const keychain = await keychainOf(native);
  return createEngine({ ...outside, ...(keychain ? { keychain } : {}) });
}

/** An engine that could not start reports the reason to each page instead of crashing repeatedly. */
function refuse(transport: Transport, error: unknown): void {
  transport.send({ k: 'bye', problem: problemOf(error) } satisfies Wire);
}

const end = endOnSignals(
  () =>
    engine.then(
      (running) => running.close(),
      () => undefined,
    ),
  (error) => outside.log.error('The engine did not close cleanly.', { error }),
);
parent.onEnd(end);
engine
  .catch((error: unknown) => outside.log.error('The engine could not start.', { error }))
  .finally(() => parent.ready());

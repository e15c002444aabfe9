import { endOnSignals, outsideOf, parentOf } from '../../src/main/computer/index.ts';
import { createEngine } from '../../src/main/engine/index.ts';

// The engine of `npm run dev`: a separate process, so that it can be restarted while page and server continue.
const parent = parentOf(process);
if (!parent) throw new Error('This file is started by "npm run dev".');

const outside = outsideOf({ mode: 'browser' });
const engine = await createEngine(outside);
parent.onConversation((_name, transport) => engine.serve(transport));
parent.onEnd(
  endOnSignals(
    () => engine.close(),
    (error) => outside.log.error('The engine did not close cleanly.', { error }),
  ),
);
parent.ready();

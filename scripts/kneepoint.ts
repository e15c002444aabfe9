import { buildStale } from './build.ts';
import { printStatus } from './lib/terminal.ts';

// `npm run kneepoint`: the command line, and the programs that it may send to hosts. Without them, a session that needs one reports it.
await buildStale(['programs']).catch((error: unknown) =>
  printStatus(`dist/main/queries.mjs was not built: ${error instanceof Error ? error.message : String(error)}`),
);
await import('../src/main/cli.ts');

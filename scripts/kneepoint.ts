import { buildStale } from './build.ts';
import { say } from './lib/terminal.ts';

// `npm run kneepoint`: the command line, behind it what it may send to hosts. Without that, a session that needs it says so.
await buildStale(['programs']).catch((error: unknown) =>
  say(`dist/main/queries.mjs was not built: ${error instanceof Error ? error.message : String(error)}`),
);
await import('../src/main/cli.ts');

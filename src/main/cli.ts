import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Sources are TypeScript, compiled at each start. With a compile cache, a command takes half the time. Harmless if the cache cannot be written.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/kneepoint'));
const { runCli } = await import('./cli/index.ts');
process.exitCode = await runCli(process.argv.slice(2));

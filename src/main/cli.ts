import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Sources are TypeScript, read afresh at each start: kept compiled, a command answers in half the time. Harmless where it cannot be written.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/kneepoint'));
const { runCli } = await import('./cli/index.ts');
process.exitCode = await runCli(process.argv.slice(2));

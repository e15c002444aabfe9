import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

// With a compile cache, the engine starts in two thirds of the time. Harmless if it cannot be written. Only applies to modules imported afterwards.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/kneepoint'));
const { createEngine } = await import('./engine/index.ts');
const { describeProblem, problemOf } = await import('../shared/model/problem.ts');
const { endOnSignals, ignoreClosedPipe, outsideOf } = await import('./computer/index.ts');
const { startServer } = await import('./server/index.ts');

// Browser mode: the engine and its page in one process, for computers where the window cannot open.
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, 'data-dir': { type: 'string' } } });

ignoreClosedPipe(process.stdout, process.stderr);
try {
  const outside = outsideOf({ mode: 'browser', dataDir: values['data-dir'] });
  const engine = await createEngine(outside);
  const rendererDir = path.join(outside.assetsDir, 'dist/renderer');
  const server = await startServer({
    engine,
    rendererDir,
    dataDir: outside.dataDir,
    port: Number(values.port),
    onUsed: () => process.stdout.write('USED\n'),
  });
  endOnSignals(
    async () => {
      await server.close();
      await engine.close();
    },
    (error) => outside.log.error('Kneepoint did not close cleanly.', { error }),
  );
  process.stdout.write(`READY ${server.url}\n`);
} catch (error) {
  process.stderr.write(`kneepoint: ${describeProblem(problemOf(error))}\n`);
  process.exitCode = 4;
}

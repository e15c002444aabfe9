import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endOnSignals } from '../src/main/computer/index.ts';
import { startServer } from '../src/main/server/index.ts';
import { EngineHost } from './dev/engine-host.ts';
import { servePage } from './dev/page.ts';
import { watchSources } from './dev/sources.ts';
import { printStatus, root } from './lib/terminal.ts';

const HELP = `Opens Kneepoint as a page that follows its sources: views are exchanged where they stand, the engine is started again.

  npm run dev -- [options]

  --port N         port of the page (default: 5173, or a free one where that is taken)
  --data-dir DIR   where the library is kept (default: .cache/dev in this clone)
  --help           this text
`;
/** Sources that the process with the link has also loaded. */
const NEEDS_RESTART = /^src\/(main\/(server|computer)|shared\/rpc)\//;

const { values } = parseArgs({
  options: { port: { type: 'string' }, 'data-dir': { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
// A separate library: sources in development must not touch measurements.
const dataDir = path.resolve(values['data-dir'] ?? path.join(root, '.cache/dev'));
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
process.env.KNEEPOINT_DATA = dataDir;
// With production in the shell, views would be reloaded instead of hot-replaced.
process.env.NODE_ENV = 'development';

const host = new EngineHost();
const server = await startServer({ engine: host, rendererDir: path.join(root, 'dist/renderer'), dataDir, port: 0 });
const engine = `http://127.0.0.1:${server.port}`;
const page = await servePage({ root, port: Number(values.port ?? 5173), engine, strict: values.port !== undefined });
endOnSignals(
  async () => {
    await Promise.all([page.close(), server.close(), host.end()]);
  },
  (error) => printStatus(`not everything ended cleanly: ${error}`),
);
await host.restart();

watchSources(root, ['src/main', 'src/shared'], (files) => {
  printStatus(`${files.length === 1 ? files[0] : `${files.length} files`} changed: starting the engine again.`);
  const needingRestart = files.find((file) => NEEDS_RESTART.test(file));
  if (needingRestart)
    printStatus(
      `${needingRestart} is also part of what holds the link: end "npm run dev" and start it again to have that.`,
    );
  host.restart().catch((error: unknown) => printStatus(`the engine could not be started: ${error}`));
});

const link = new URL(server.url);
link.port = String(page.port);
process.stdout.write(`READY ${link}\n`);
printStatus(
  'open this link in a browser on this computer, it works once. The page and the engine follow their sources; Ctrl+C ends both.',
);

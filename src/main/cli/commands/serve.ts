import { existsSync } from 'node:fs';
import path from 'node:path';
import { libraryFolder } from '../../computer/index.ts';
import { readLink, startServer } from '../../server/index.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, printStatus, terminal } from '../terminal.ts';
import { type Common, withOpenEngine } from '../with-engine.ts';

/** Serves the app as a page on 127.0.0.1 until it is ended. */
export async function serveCommand(options: Common & { port?: string }): Promise<number> {
  const port = Number(options.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new UsageError(`--port takes 0 to 65535, not “${options.port}”.`);
  return withOpenEngine(options, 'browser', async ({ engine, appDir, dataDir }) => {
    const rendererDir = path.join(appDir, 'dist', 'renderer');
    if (!existsSync(path.join(rendererDir, 'index.html')))
      throw new UsageError('The page has not been built. Build it with: npm run build');
    // Register the handlers before printing the link: its reader may end this process immediately.
    const interrupted = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    const server = await startServer({ engine, rendererDir, dataDir, port });
    if (options.json) printJson({ url: server.url, port: server.port });
    else print(`READY ${server.url}`);
    printStatus('The link works once, in a browser of this computer; “kneepoint link” prints another.');
    printStatus('Ctrl+C ends Kneepoint; runs on hosts continue.');
    await interrupted;
    await server.close();
    return EXIT.done;
  });
}

/** Prints an unused link to the page served from this library. */
export async function linkCommand(options: Common): Promise<number> {
  const url = await readLink(libraryFolder(options.data ?? terminal().env.KNEEPOINT_DATA));
  if (options.json) printJson({ url });
  else print(url);
  return EXIT.done;
}

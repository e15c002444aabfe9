import { parseArgs } from 'node:util';
import { buildStale } from './build.ts';
import { findElectron } from './lib/electron.ts';
import { runBrowserMode, runWindow } from './lib/run.ts';
import { printStatus, root } from './lib/terminal.ts';

const HELP = `Opens Kneepoint: its window where Electron can run, else the same app as a page on 127.0.0.1.

  npm start -- [options]

  --browser        the page, even where the window could run
  --port N         port of the page (default: a free one)
  --data-dir DIR   where the library is kept (default: the usual folder for application data)
  --help           this text
`;

function options() {
  try {
    return parseArgs({
      options: {
        browser: { type: 'boolean', default: false },
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    printStatus(`${error instanceof Error ? error.message : String(error)}`);
    process.stderr.write(`\n${HELP}`);
    process.exit(2);
  }
}

/** Builds stale parts, or exits with the error. */
async function build(parts?: readonly string[]): Promise<string> {
  try {
    return (await buildStale(parts)).length > 0 ? 'set up. ' : '';
  } catch (error) {
    printStatus(`the build failed: ${error instanceof Error ? error.message : String(error)}`);
    printStatus(
      'nothing was started, and the library was not touched. Without changes of your own, remove node_modules and dist and start again.',
    );
    process.exit(1);
  }
}

const given = options();
if (given.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (given.port !== undefined && !(Number(given.port) >= 0 && Number(given.port) < 65_536)) {
  printStatus(`--port takes a number from 0 to 65535, not "${given.port}".`);
  process.exit(2);
}

process.env.KNEEPOINT_NODE = process.execPath;
if (given['data-dir']) process.env.KNEEPOINT_DATA = given['data-dir'];

const electron = given.browser ? { why: '--browser was given' } : findElectron(root);
if ('why' in electron) {
  printStatus(`${await build(['renderer', 'engine', 'programs'])}Opening in browser mode, because ${electron.why}.`);
  await runBrowserMode(Number(given.port ?? 0));
} else {
  printStatus(`${await build()}Opening the window (Electron ${electron.version}).`);
  runWindow(electron);
}

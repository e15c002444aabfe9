import path from 'node:path';
import { app } from 'electron';
import { dataFolder } from './computer/index.ts';
import { startShell } from './electron/app/shell.ts';

// Built as dist/main/electron.cjs; the other files are in the same folder.
const here = __dirname;
const development = !app.isPackaged;

startShell({
  dataDir: dataFolder(),
  page: path.resolve(here, '../renderer'),
  preload: path.join(here, 'preload.cjs'),
  // Only in a clone, the environment can select the engine: tests run it under another Node, or use a stand-in.
  engine: (development && process.env.KNEEPOINT_ENGINE_FILE) || path.join(here, 'engine.mjs'),
  engineNode: development ? process.env.KNEEPOINT_ENGINE_NODE : undefined,
});

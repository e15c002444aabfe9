import path from 'node:path';
import { app } from 'electron';
import { dataFolder } from './computer/outside.ts';
import { startShell } from './electron/app/shell.ts';

// Built as dist/main/electron.cjs; its neighbours are found from there.
const here = __dirname;
const development = !app.isPackaged;

startShell({
  dataDir: dataFolder(),
  page: path.resolve(here, '../renderer'),
  preload: path.join(here, 'preload.cjs'),
  // Only a clone lets the environment choose what is run as the engine: the tests run it under another Node, or a stand-in.
  engine: (development && process.env.KNEEPOINT_ENGINE_FILE) || path.join(here, 'engine.mjs'),
  engineNode: development ? process.env.KNEEPOINT_ENGINE_NODE : undefined,
});

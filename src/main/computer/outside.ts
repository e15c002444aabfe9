import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Log, Outside } from '../engine/outside.ts';
import { appFolder, dataFolder } from './folders.ts';
import { fileLog } from './log.ts';

const stderr = (line: string): void => {
  process.stderr.write(`kneepoint: ${line}\n`);
};

export interface Wishes {
  mode: Outside['mode'];
  /** Folder of the library, when a person named one. */
  dataDir?: string | undefined;
  /** In place of the log file, for programs that show their own words. */
  log?: Log;
}

/** What the engine takes from the process and the computer it runs on. */
export function outsideOf({ mode, dataDir, log }: Wishes): Outside {
  const data = dataDir ? path.resolve(dataDir) : dataFolder();
  const { folder, version } = appFolder(import.meta.filename);
  return {
    dataDir: data,
    // Inside a package, programs other than Electron can read only what lies beside the archive.
    assetsDir: folder.replace(/app\.asar$/, 'app.asar.unpacked'),
    nodePath: nodePath(data),
    version,
    mode,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: log ?? fileLog(path.join(data, 'logs'), stderr),
  };
}

/** A Node that can run our own programs as jobs. Inside Electron that is Electron itself, told to be Node by a small script. */
function nodePath(data: string): string {
  if (process.env.KNEEPOINT_NODE) return process.env.KNEEPOINT_NODE;
  if (!process.versions.electron) return process.execPath;
  const script = path.join(data, 'bin/node');
  mkdirSync(path.dirname(script), { recursive: true, mode: 0o700 });
  writeFileSync(script, `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec '${process.execPath.replaceAll("'", "'\\''")}' "$@"\n`);
  chmodSync(script, 0o700);
  return script;
}

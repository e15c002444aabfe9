import path from 'node:path';
import type { Log, Outside } from '../engine/outside.ts';
import { appFolder, dataFolder } from './folders.ts';
import { fileLog } from './log.ts';
import { nodePath } from './node-path.ts';

const stderr = (line: string): void => {
  process.stderr.write(`kneepoint: ${line}\n`);
};

export interface OutsideOptions {
  mode: Outside['mode'];
  /** Folder of the library, when a person named one. */
  dataDir?: string | undefined;
  /** In place of the log file, for programs that show their own words. */
  log?: Log;
}

/** Folder of the library: the one that a person named, else the usual one. */
export const libraryFolder = (named?: string): string => (named ? path.resolve(named) : dataFolder());

/** What the engine takes from the process and the computer it runs on. */
export function outsideOf({ mode, dataDir, log }: OutsideOptions): Outside {
  const data = libraryFolder(dataDir);
  const { folder, version } = appFolder(import.meta.filename);
  return {
    dataDir: data,
    // Inside a package, programs other than Electron can read only what lies beside the archive.
    assetsDir: folder.replace(/app\.asar$/, 'app.asar.unpacked'),
    nodePath: nodePath(folder),
    version,
    mode,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: log ?? fileLog(path.join(data, 'logs'), stderr),
  };
}

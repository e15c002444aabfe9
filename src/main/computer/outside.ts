import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Log, Outside } from '../engine/outside.ts';
import { fileLog } from './log.ts';

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

/** Where the library is kept: `KNEEPOINT_DATA`, else the operating system's folder for application data. */
export function dataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = os.homedir(),
): string {
  if (env.KNEEPOINT_DATA) return path.resolve(env.KNEEPOINT_DATA);
  if (platform === 'darwin') return path.join(home, 'Library/Application Support/Kneepoint');
  if (platform === 'win32') return path.join(env.APPDATA || path.join(home, 'AppData/Roaming'), 'Kneepoint');
  // The XDG rules say that a relative path in the variable is to be ignored.
  const shared = env.XDG_DATA_HOME;
  return path.join(shared && path.isAbsolute(shared) ? shared : path.join(home, '.local/share'), 'kneepoint');
}

/** The folder of the app itself, found upwards from a file of it: the same in a clone, in a build and in a package. */
export function appFolder(from: string): { folder: string; version: string } {
  for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (existsSync(manifest)) {
      const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
      if (name === 'kneepoint') return { folder, version };
    }
    if (folder === path.dirname(folder)) throw new Error(`No folder above ${from} is Kneepoint's own.`);
  }
}

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions: { readonly electron?: string };
  readonly execPath: string;
  readonly platform: string;
}

/**
 * A Node that can run our own programs as jobs, which outlive this process. A package has one beside its archive
 * (`electron-builder.yml`): Electron's own program is forbidden to act as one (`docs/security.md`).
 */
export function nodePath(appFolder: string, self: Process = process): string {
  if (self.env.KNEEPOINT_NODE) return self.env.KNEEPOINT_NODE;
  if (!self.versions.electron) return self.execPath;
  return path.join(path.dirname(appFolder), 'node', self.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * What was measured is committed within this time, or is read again from the job's files at the next start. Most of it is for hosts that are slow to
 * end the programs that watch them for a session that has just ended.
 */
const LONGEST_MS = 6000;

/** Returns a function that closes and then ends this process; also called by Ctrl+C and by a request to terminate. */
export function endOnSignals(close: () => Promise<void>, report: (error: unknown) => void): () => void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), LONGEST_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  return end;
}

/** Whoever reads what is printed may stop reading (`| head`): that is no reason to break off what is under way. */
export function ignoreClosedPipe(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

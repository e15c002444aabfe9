import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

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

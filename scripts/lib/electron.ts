import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { printStatus } from './terminal.ts';

export interface Electron {
  readonly binary: string;
  readonly version: string;
}
/** Why no window is possible; follows "because". */
export interface NoElectron {
  readonly why: string;
}

const DAY_MS = 86_400_000;
const DOWNLOAD_LIMIT_MS = 120_000;

/**
 * The Electron that can open a window here, or the reason why there is none. Never loads the `electron` package: without its binary that starts a
 * download and may hang behind a firewall.
 */
export function findElectron(root: string, env: NodeJS.ProcessEnv = process.env): Electron | NoElectron {
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return { why: 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set)' };
  const found = installed(root, env) ?? download(root, env);
  if (typeof found !== 'string') return found;
  // Missing libraries, a wrong architecture or a forbidden sandbox show up here instead of in a window that never opens.
  const probe = spawnSync(found, ['--version', '--no-sandbox'], { timeout: 10_000, encoding: 'utf8', env });
  const version = /^v(\d+\.\d+\.\d+)/m.exec(probe.stdout ?? '')?.[1];
  if (probe.status === 0 && version) return { binary: found, version };
  const words = (
    probe.stderr ||
    probe.error?.message ||
    `it ended by ${probe.signal ?? `code ${probe.status}`}`
  ).trim();
  return { why: `Electron does not start on this computer (${words.split('\n')[0]})` };
}

function installed(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const folder = path.join(root, 'node_modules/electron');
  const named = path.join(folder, 'path.txt');
  const name = existsSync(named)
    ? readFileSync(named, 'utf8')
    : process.platform === 'win32'
      ? 'electron.exe'
      : 'electron';
  const binary = path.join(override || path.join(folder, 'dist'), name);
  return existsSync(binary) ? binary : undefined;
}

function download(root: string, env: NodeJS.ProcessEnv): string | NoElectron {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return { why: `there is no Electron in ${override} (ELECTRON_OVERRIDE_DIST_PATH)` };
  const installer = path.join(root, 'node_modules/electron/install.js');
  if (!existsSync(installer)) return { why: 'the electron package is not installed' };
  const failed = path.join(root, '.cache/electron-download-failed');
  if (existsSync(failed) && Date.now() - statSync(failed).mtimeMs < DAY_MS)
    return {
      why: `the Electron binary could not be downloaded within the last day (remove ${path.relative(root, failed)} to try again now)`,
    };
  printStatus('downloading the Electron binary (about 120 MB, once).');
  const result = spawnSync(process.execPath, [installer], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: DOWNLOAD_LIMIT_MS,
    encoding: 'utf8',
    env,
  });
  const binary = result.status === 0 ? installed(root, env) : undefined;
  if (binary) {
    rmSync(failed, { force: true });
    return binary;
  }
  mkdirSync(path.dirname(failed), { recursive: true });
  writeFileSync(failed, result.stderr ?? '');
  return { why: 'the Electron binary could not be downloaded; this is tried again tomorrow' };
}

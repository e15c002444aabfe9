import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fetchElectron } from '../../e2e/testbed/electron/fetch.ts';
import { printStatus, root } from '../lib/terminal.ts';
import { FETCHED, type Fetched, type Named, PAGE_PROGRAMS, PROGRAMS } from './needs.ts';

/** The app as users see it: in a browser, in its window. */
export type Page = keyof typeof PAGE_PROGRAMS;

export interface Machine {
  /** The command that gives a program its own display; empty if there is one or none is available. */
  readonly display: readonly string[];
  /** Folder of the test Electron. */
  readonly electron: string | undefined;
  /** Pages that cannot be tested at all. */
  readonly impossible: ReadonlySet<Page>;
  /** The reasons, by name: for the list at the end. */
  readonly missing: readonly string[];
}

const FOLDERS = [
  ...(process.env.PATH ?? '').split(path.delimiter),
  '/usr/sbin',
  '/sbin',
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
];

const isThere = (file: string): boolean =>
  path.isAbsolute(file) ? existsSync(file) : FOLDERS.some((folder) => existsSync(path.join(folder, file)));

/** Installs and downloads everything that these tests need and this machine lacks, and reports what is skipped. */
export async function prepareMachine(texts: readonly string[], pages: readonly Page[]): Promise<Machine> {
  const isNamed = ({ named }: Named): boolean => texts.some((text) => named.test(text));
  const wanted = [...PROGRAMS.filter(isNamed), ...pages.flatMap((page) => PAGE_PROGRAMS[page])];
  install(wanted.filter((program) => !isThere(program.file)).flatMap((program) => program.packages));
  const absent = wanted.filter((program) => !isThere(program.file));
  const missing = absent.map(
    ({ file, packages, tests }) => `${tests}: ${file} is missing (Debian: ${packages.join(' ')})`,
  );
  for (const server of FETCHED.filter(isNamed)) missing.push(...(await fetchOne(server)));
  const impossible = new Set<Page>();
  if (absent.some((program) => program.file === 'chromium-headless-shell') && !process.env.KNEEPOINT_CHROMIUM)
    impossible.add('browser');
  return { ...prepareWindow(pages, impossible, missing), impossible, missing };
}

async function fetchOne({ tests, lacking, fetch }: Fetched): Promise<string[]> {
  const lack = lacking();
  if (lack) return [`${tests}: ${lack}`];
  try {
    printStatus(`fetching ${tests}, where it is not there yet.`);
    await fetch();
    return [];
  } catch (error) {
    return [`${tests}: it could not be fetched (${error instanceof Error ? error.message : String(error)})`];
  }
}

function prepareWindow(
  pages: readonly Page[],
  impossible: Set<Page>,
  missing: string[],
): Pick<Machine, 'display' | 'electron'> {
  const display = isThere('xvfb-run') ? ['xvfb-run', '-a', '-s', '-screen 0 1920x1080x24'] : [];
  if (display.length === 0 && !process.env.DISPLAY) impossible.add('electron');
  if (!pages.includes('electron') || impossible.has('electron')) return { display, electron: undefined };
  try {
    return { display, electron: fetchElectron(path.join(root, '.cache')) };
  } catch (error) {
    impossible.add('electron');
    const words = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    missing.push(`the window: its Electron could not be fetched (${words})`);
    return { display, electron: undefined };
  }
}

function install(packages: readonly string[]): void {
  if (packages.length === 0) return;
  const names = packages.join(' ');
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    printStatus(
      `these Debian packages are missing and cannot be installed from here (needs root and apt-get): ${names}`,
    );
    return;
  }
  printStatus(`installing Debian packages with apt-get: ${names}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Two tiers may be started at the same time: the second waits for the first.
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=600'];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const result = spawnSync('apt-get', [...patient, ...args], { env, encoding: 'utf8', maxBuffer: 64 << 20 });
    if (result.status !== 0) printStatus(`apt-get ${args[0]} failed: ${result.stderr.trim().split('\n').at(-1)}`);
  }
}

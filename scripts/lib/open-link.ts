import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** A browser that has not read the file by then will not; the link stays as it was printed. */
const LONGEST_MS = 120_000;

export interface Opening {
  /** Whether the opener said that it did. */
  readonly done: Promise<boolean>;
  /** Removes the file; to be called when the link was used. Happens by itself after a while, and when this process ends. */
  readonly forget: () => void;
}

/**
 * Opens the one-time link in a browser without naming it on a command line, which every user of the computer can read:
 * the opener gets a private file that leads there.
 */
export function openLink(link: string, opener: readonly [string, ...string[]], places = placesForFile()): Opening {
  const folder = privateFolder(places);
  if (!folder) return { done: Promise.resolve(false), forget: () => undefined };
  const file = path.join(folder, 'open.html');
  writeFileSync(file, pageTo(link), { mode: 0o600, flag: 'wx' });
  const forget = (): void => {
    clearTimeout(timer);
    process.off('exit', forget);
    rmSync(folder, { recursive: true, force: true });
  };
  const timer = setTimeout(forget, LONGEST_MS).unref();
  process.on('exit', forget);

  const child = spawn(opener[0], [...opener.slice(1), file], { stdio: 'ignore', detached: true });
  child.unref();
  const done = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
  void done.then((opened) => opened || forget());
  return { done, forget };
}

/** Browsers from the snap store read neither the system's temporary folder nor anything hidden: only what lies openly in the home. */
const placesForFile = (): string[] => (process.platform === 'linux' ? [homedir(), tmpdir()] : [tmpdir()]);

/** Made with mode 0700 in the first place that can be written. */
function privateFolder(places: readonly string[]): string | undefined {
  for (const place of places) {
    try {
      return mkdtempSync(path.join(place, 'kneepoint-open-'));
    } catch {
      // A home that is missing or read-only: the next place, or the printed link.
    }
  }
  return undefined;
}

/** The link is of our own making: nothing in it means anything in markup. */
const pageTo = (link: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Kneepoint</title>
<a href="${link}">Open Kneepoint</a>
`;

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LINK_FILE } from '../../shared/contract/browser.ts';
import { KneepointError } from '../../shared/model/problem.ts';

/** Keeps an unused link where only the owner of the library can read it: for another tab, or another browser. */
export function writeLink(dataDir: string, link: string): void {
  const file = path.join(dataDir, LINK_FILE);
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${link}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
}

export const removeLink = (dataDir: string): void => rmSync(path.join(dataDir, LINK_FILE), { force: true });

/** The unused link of the server that runs on this library. A file that a killed server left behind is no link. */
export async function readLink(dataDir: string): Promise<string> {
  const link = linkIn(dataDir);
  if (link === undefined || !(await answers(link))) {
    throw new KneepointError({
      code: 'not-found',
      message: `No page of Kneepoint is served from the library ${dataDir}.`,
      safe: 'Nothing was changed.',
      next: 'Start it with: kneepoint serve',
    });
  }
  return link;
}

function linkIn(dataDir: string): string | undefined {
  try {
    return readFileSync(path.join(dataDir, LINK_FILE), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A server whose engine is at work answers late; one that is gone refuses at once. */
const ANSWER_MS = 30_000;

/** Asked without the part behind the `#`, so that another program which took the port in the meantime learns nothing. */
async function answers(link: string): Promise<boolean> {
  try {
    await fetch(new URL('/', link), { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    return false;
  }
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPrograms } from './built.ts';
import { isOwnLibrary } from './library-folder.ts';

const CLI = path.resolve(import.meta.dirname, '../../src/main/cli.ts');
/** Where a session records that it varies settings of this computer: a link whose target names its library. */
const CLAIMS = '/var/tmp';
const CLAIM = /^kneepoint-claim-/;

/** Before the first test, however the tests were started: our programs are run as they are sent to hosts. */
export async function setup(): Promise<void> {
  await buildPrograms();
  if (process.platform === 'linux') restoreSettings();
}

/** Killed tests of this working copy leave changed settings on this computer, and claims that block every later session. */
function restoreSettings(): void {
  for (const name of readdirSync(CLAIMS).filter((each) => CLAIM.test(each))) {
    const claim = path.join(CLAIMS, name);
    const library = claimedBy(claim);
    if (library === undefined || !isOwnLibrary(library)) continue;
    if (!existsSync(library)) rmSync(claim, { force: true });
    else spawnSync(process.execPath, [CLI, 'restore', '--data', library], { stdio: 'inherit' });
  }
}

function claimedBy(claim: string): string | undefined {
  try {
    return / of \S+, (\S+), since /.exec(readlinkSync(claim))?.[1];
  } catch {
    // It has just been released.
    return undefined;
  }
}

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { SshConfigEntry } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { SafeCopies } from './copy.ts';
import { Entries } from './entries.ts';

/** Each is a process of `ssh`, of some milliseconds. */
const AT_ONCE = 4;
const MOST_HOSTS = 1000;

interface SshConfigOptions {
  /** Another file than the person's own; the system's is left out then. */
  file?: string | undefined;
  /** Read in place of a file; `file` is then only its name. */
  text?: string | undefined;
  /** Where `~` leads; by default what the account of this process has, as OpenSSH does it. */
  home?: string;
  hasAgent: boolean;
}

interface ReadSshConfig {
  file: string;
  files: string[];
  entries: SshConfigEntry[];
  /** Hosts that those pass through and that are no entries themselves. */
  jumps: SshConfigEntry[];
  notes: string[];
}

/**
 * The hosts of `~/.ssh/config` as OpenSSH itself understands them. `ssh -G` runs the commands of `Match exec`, so it is never asked with
 * the file: it gets a copy that has only lines which are known to run nothing (`copy.ts`), made for this and removed after it.
 */
export async function readSshConfig({
  file: given,
  text,
  home = userInfo().homedir,
  hasAgent,
}: SshConfigOptions): Promise<ReadSshConfig> {
  const file = given ?? path.join(home, '.ssh', 'config');
  if (text === undefined && !existsSync(file))
    throw new KneepointError({
      code: 'not-found',
      message: `There is no SSH configuration at ${file}.`,
      next: 'Add hosts by hand.',
    });
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-ssh-'));
  try {
    const copies = new SafeCopies(path.join(folder, 'files'));
    const own = copies.add({ file, folder: path.join(home, '.ssh'), home, ...(text !== undefined && { text }) });
    const ofSystem = given === undefined && text === undefined ? copies.add({ ...systemConfig(), home }) : undefined;
    const { files, notes } = copies.found;
    const names = copies.found.names.slice(0, MOST_HOSTS);
    const config = path.join(folder, 'config');
    const included = [own, ofSystem].flatMap((copy) => copy ?? []).map((copy) => `Include "${copy}"`);
    // Keywords of versions to come are no reason to refuse all.
    writeFileSync(config, ['IgnoreUnknown *', ...included, ''].join('\n'), { mode: 0o600 });
    const reader = new Entries({ config, home, names, hasAgent });
    const entries = await inTurn(names, (name) => reader.of(name));
    const jumps = reader.jumps.filter((entry) => !names.includes(entry.name));
    return { file, files, entries, jumps, notes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function systemConfig(): { file: string; folder: string } {
  const folder =
    process.platform === 'win32' ? path.join(process.env.ProgramData ?? 'C:\\ProgramData', 'ssh') : '/etc/ssh';
  return { file: path.join(folder, 'ssh_config'), folder };
}

/** In the order of the names, a few at a time. */
async function inTurn<T>(names: readonly string[], work: (name: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < names.length; at = next++) results[at] = await work(names[at] as string);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

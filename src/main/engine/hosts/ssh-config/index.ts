import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { SshConfigEntry } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { SafeCopies } from './copy.ts';
import { Entries } from './entries.ts';

/** Each starts an `ssh` process, which takes some milliseconds. */
const AT_ONCE = 4;
const MOST_HOSTS = 1000;

interface SshConfigOptions {
  /** A file other than the user's own; the system's file is left out then. */
  file?: string | undefined;
  /** Text to read instead of a file; `file` is only its name then. */
  text?: string | undefined;
  /** Home folder for `~`. Default: that of this process's account, as in OpenSSH. */
  home?: string;
  hasAgent: boolean;
}

interface ReadSshConfig {
  file: string;
  files: string[];
  entries: SshConfigEntry[];
  /** Jump hosts that are not entries themselves. */
  jumps: SshConfigEntry[];
  notes: string[];
}

/**
 * Reads the hosts of `~/.ssh/config` as OpenSSH itself interprets them. `ssh -G` runs the commands of `Match exec`, so it never gets the
 * file itself, but a temporary copy with only lines that are known to run nothing (`copy.ts`).
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
    // Keywords of future versions are ignored.
    writeFileSync(config, ['IgnoreUnknown *', ...included, ''].join('\n'), { mode: 0o600 });
    const reader = new Entries({ config, home, names, hasAgent });
    const entries = await sequentially(names, (name) => reader.of(name));
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
async function sequentially<T>(names: readonly string[], work: (name: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < names.length; at = next++) results[at] = await work(names[at] as string);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

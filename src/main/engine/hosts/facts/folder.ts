import { randomBytes } from 'node:crypto';
import type { HostFolder, SyncTest } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { median } from '../../../../shared/util/numbers.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { Machine } from '../machine.ts';
import { parseFilesystems } from './parse.ts';

/** More folders are not listed; their path can be typed. */
const MOST = 1000;

/**
 * A POSIX sh script that lists the subfolders of a folder; it writes nothing. Parts are separated by lines with the nonce, so no name on
 * the disk can pose as one. Names with a line break are not listed.
 */
function folderScript(nonce: string, path: string): string {
  const part = (name: string): string => `echo; echo '@@${nonce} ${name}'`;
  const word = path === '' ? `"\${HOME:-/}"` : shellQuote(path);
  return [
    'LC_ALL=C; export LC_ALL; exec 2>/dev/null; unset CDPATH',
    `path=${word}; limit=; command -v timeout >/dev/null && limit="timeout 10"`,
    `${part('kind')}; if [ ! -e "$path" ]; then echo missing; elif [ ! -d "$path" ]; then echo other; elif cd -- "$path"; then echo folder; else echo denied; fi`,
    `${part('real')}; pwd -P`,
    `${part('writable')}; [ -w . ] && echo yes || echo no`,
    `${part('readable')}; [ -r . ] && echo yes || echo no`,
    `${part('df')}; $limit df -kPT . || $limit df -kP .`,
    `${part('folders')}; count=0; line=$(printf '\\nx'); line=\${line%x}; for name in */ .[!.]*/; do [ -d "$name" ] || continue; case $name in *"$line"*) continue ;; esac; count=$((count + 1)); [ $count -gt ${MOST + 1} ] && break; printf '%s\\n' "\${name%/}"; done`,
    part('end'),
  ].join('\n');
}

const isHidden = (name: string): boolean => name.startsWith('.');
/** Hidden ones last. */
const byName = (one: string, other: string): number =>
  Number(isHidden(one)) - Number(isHidden(other)) || one.localeCompare(other, 'en');

/**
 * Lists the subfolders of a host's folder; an empty path is the account's home. Throws `not-found` or `host-refused`, with host and path.
 */
export async function readFolder(machine: Machine, path: string, signal?: AbortSignal): Promise<HostFolder> {
  const nonce = randomBytes(8).toString('hex');
  const { stdout } = await machine.exec(folderScript(nonce, path), signal && { signal });
  const parts = new Map(
    stdout
      .split(`\n@@${nonce} `)
      .slice(1)
      .map((text) => {
        const [name = '', ...lines] = text.split('\n');
        return [name, lines.filter((line) => line !== '')] as const;
      }),
  );
  const first = (name: string): string => parts.get(name)?.[0] ?? '';
  const host = machine.name;
  const where = path === '' ? 'The home folder of the account' : path;
  const refuse = (code: 'not-found' | 'host-refused', message: string, next: string): never => {
    throw new KneepointError({ code, host, message, next });
  };
  if (!parts.has('end'))
    refuse('host-refused', `${host} did not finish listing ${where}.`, 'Test the host, then try again.');
  const kind = first('kind');
  if (kind === 'missing')
    refuse('not-found', `${where} does not exist on ${host}.`, 'Correct the path, or open another folder.');
  if (kind === 'other') refuse('not-found', `${where} on ${host} is not a folder.`, 'Enter the path of a folder.');
  if (kind !== 'folder' || first('readable') !== 'yes')
    refuse(
      'host-refused',
      `The account on ${host} has no permission to list ${where}.`,
      'Open another folder, or type the path.',
    );
  const [fileSystem] = parseFilesystems(parts.get('df') ?? []);
  const names = parts.get('folders') ?? [];
  return {
    path: first('real'),
    writable: first('writable') === 'yes',
    folders: names.slice(0, MOST).sort(byName),
    ...(names.length > MOST && { more: true as const }),
    ...(fileSystem && { fileSystem }),
  };
}

const BLOCK = 4096;
/** Length of the file, which is overwritten like a log in use, so it does not grow. */
const BLOCKS = 2048;
const PILOT = 16;
const ROUNDS = 3;
/** Target duration of a round, seconds. */
const ROUND_S = 1;
const LIMIT_MS = 120_000;
const IN_MEMORY = ['tmpfs', 'ramfs'];

/**
 * A POSIX sh script that writes blocks to a file sequentially, each synced before the next (O_DSYNC), and removes it. `dd` reports the time
 * of each round in its last line.
 */
function syncScript(path: string, name: string, counts: readonly number[]): string {
  const round = (count: number): string =>
    `dd if=/dev/zero of="$file" bs=${BLOCK} count=${count} conv=notrunc oflag=dsync 2>&1`;
  return [
    'LC_ALL=C; export LC_ALL; unset CDPATH',
    `cd -- ${shellQuote(path)} || exit 1`,
    `file=${shellQuote(name)}; trap 'rm -f -- "$file"' EXIT; trap 'exit 1' HUP INT TERM`,
    `dd if=/dev/zero of="$file" bs=${BLOCK} count=${BLOCKS} conv=fsync 2>&1 || exit 1`,
    "echo '@@'",
    ...counts.map(round),
  ].join('\n');
}

/** Seconds of each round, parsed from the script's output. */
const secondsIn = (output: string): number[] =>
  [...(output.split('@@')[1] ?? '').matchAll(/copied, (\d[\d.e+-]*) s/g)].map(([, seconds]) => Number(seconds));

/**
 * Measures how many sequential durable writes of 4 KiB per second a folder of a host can do, in three rounds of about a second. A database
 * with more commits per second than this, times the clients that may share a write, does not commit durably. Throws `host-refused` or
 * `not-found`, with host and path.
 */
export async function testSyncs(
  machine: Machine,
  path: string,
  now: () => number,
  signal?: AbortSignal,
): Promise<SyncTest> {
  const folder = await readFolder(machine, path, signal);
  const refuse = (why: string, next: string): never => {
    throw new KneepointError({
      code: 'host-refused',
      host: machine.name,
      message: why,
      next,
    });
  };
  if (!folder.writable)
    refuse(
      `The account on ${machine.name} has no permission to write to ${folder.path}.`,
      'Choose another folder on the same device.',
    );
  if (IN_MEMORY.includes(folder.fileSystem?.type ?? ''))
    refuse(
      `${folder.path} on ${machine.name} is in memory (${folder.fileSystem?.type}): nothing in it is durable.`,
      'Choose a folder on a disk.',
    );
  const rounds = async (counts: readonly number[]): Promise<number[]> => {
    const script = syncScript(folder.path, `.kneepoint-syncs-${randomBytes(6).toString('hex')}`, counts);
    const { stdout } = await machine.exec(script, { timeoutMs: LIMIT_MS, ...(signal && { signal }) });
    const seconds = secondsIn(stdout);
    if (seconds.length === counts.length && seconds.every((each) => each > 0)) return seconds;
    const line = stdout.trim().split('\n').at(-1) ?? '';
    return refuse(
      `Synced writes could not be tested in ${folder.path} on ${machine.name}: ${line || 'dd printed nothing'}.`,
      'The test needs a dd that knows oflag=dsync (GNU coreutils), and 8 MiB of free space.',
    );
  };
  const [pilot = 1] = await rounds([PILOT]);
  const count = Math.min(BLOCKS, Math.max(PILOT, Math.round((ROUND_S * PILOT) / pilot)));
  const rates = (await rounds(Array.from({ length: ROUNDS }, () => count))).map((seconds) => count / seconds);
  return {
    path: folder.path,
    ...(folder.fileSystem && { mount: folder.fileSystem.mount, fileSystem: folder.fileSystem.type }),
    ...{ perSecond: median(rates), low: Math.min(...rates), high: Math.max(...rates), testedAt: now() },
  };
}

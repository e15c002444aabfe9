import type { EngineFinding } from '../../../../shared/checks/index.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { formatBytes } from '../../../../shared/util/format.ts';
import type { Machine } from '../../hosts/machine.ts';

/** Writing dirty pages takes as long as it takes. */
const LIMIT_MS = 600_000;
/** Other programs cache up to this much. */
const LITTLE_BYTES = 64 * 1024 ** 2;
/** For programs and libraries, which stay while they run. A server that keeps its data in mapped files has more. */
const PROGRAMS_BYTES = 1024 ** 3;

/** Only clean pages can be dropped, so dirty ones are written first. */
const SCRIPT = `LC_ALL=C
export LC_ALL
cached() { grep -E '^(Buffers|Cached|SReclaimable|Shmem|Mapped):' /proc/meminfo; }
[ -e /proc/sys/vm/drop_caches ] || { echo 'it has no /proc/sys/vm/drop_caches' >&2; exit 3; }
cached
sync
if [ "$(id -u)" = 0 ]; then echo 3 > /proc/sys/vm/drop_caches || exit 3
else sudo -n sh -c 'echo 3 > /proc/sys/vm/drop_caches' || exit 3
fi
echo dropped
cached
`;

const MAY = `LC_ALL=C
export LC_ALL
[ -e /proc/sys/vm/drop_caches ] || { echo 'it has no /proc/sys/vm/drop_caches' >&2; exit 3; }
if [ "$(id -u)" = 0 ]; then [ -w /proc/sys/vm/drop_caches ] || { echo '/proc/sys is read-only' >&2; exit 3; }
else sudo -n true || exit 3
fi
`;

/** Throws `change-not-possible` for a host on which the account may not drop caches, and the errors of machines. */
export async function requireDroppable(machine: Machine, signal: AbortSignal): Promise<void> {
  const { code, stderr } = await machine.exec(MAY, { signal });
  if (code !== 0) throw notDropped(machine.name, stderr);
}

/**
 * Drops page cache, directory entries and inodes of a host, and checks the effect. Safe to repeat. Throws `change-not-possible` if the account may
 * not, and the errors of machines.
 */
export async function dropCaches(machine: Machine, signal: AbortSignal): Promise<EngineFinding[]> {
  const { code, stdout, stderr } = await machine.exec(SCRIPT, { signal, timeoutMs: LIMIT_MS });
  const [before, after] = stdout.split(/^dropped$/m).map(readCached);
  if (code !== 0 || before === undefined || after === undefined) throw notDropped(machine.name, stderr);
  return droppedFindings(machine.name, before, after);
}

/** Bytes of files that the OS caches; `mapped`: the part mapped by programs, which keeps it cached. */
interface Cached {
  readonly all: number;
  readonly mapped: number;
}

/** Reports that caches were dropped, and what is still cached that should not be. */
export function droppedFindings(host: string, before: Cached, after: Cached): EngineFinding[] {
  const dropped: EngineFinding = {
    code: 'caches-dropped',
    severity: 'note',
    message: `OS caches of ${host} dropped before the trial: ${formatBytes(before.all)} cached before, ${formatBytes(after.all)} after.`,
  };
  const half = before.all / 2;
  const isDropped =
    after.all - after.mapped <= Math.max(half, LITTLE_BYTES) && after.all <= Math.max(half, PROGRAMS_BYTES);
  return isDropped ? [dropped] : [dropped, stillCached(host, before.all, after.all)];
}

/** Shared memory counts as cached, and cannot be dropped. Undefined if the text has no cached bytes. */
export function readCached(meminfo: string): Cached | undefined {
  const bytes = (name: string): number | undefined => {
    const found = new RegExp(`^${name}:\\s+(\\d{1,15}) kB$`, 'm').exec(meminfo)?.[1];
    return found === undefined ? undefined : Number(found) * 1024;
  };
  const cached = bytes('Cached');
  if (cached === undefined) return undefined;
  const all = Math.max(0, cached + (bytes('Buffers') ?? 0) + (bytes('SReclaimable') ?? 0) - (bytes('Shmem') ?? 0));
  return { all, mapped: Math.min(all, bytes('Mapped') ?? 0) };
}

const stillCached = (host: string, before: number, after: number): EngineFinding => ({
  code: 'caches-not-dropped',
  severity: 'warn',
  message: `${formatBytes(before)} were in the OS caches of ${host}; ${formatBytes(after)} remained after dropping them.`,
  next: 'Files mapped or locked by a program stay cached: also restart the server before each trial.',
});

function notDropped(host: string, stderr: string): KneepointError {
  const message = stderr.trim().split('\n').at(-1)?.slice(0, 300);
  return new KneepointError({
    code: 'change-not-possible',
    message: `The OS caches of ${host} cannot be dropped${message ? `: ${message}` : ''}.`,
    host,
    safe: 'The tool was not started.',
    next: 'Log in there as root, or allow sudo without a password; in a container, /proc/sys must be writable.',
  });
}

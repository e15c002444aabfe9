import type { Finding } from '../../../../shared/model/finding.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { formatBytes } from '../../../../shared/util/format.ts';
import type { Machine } from '../../hosts/machine.ts';

/** Writing back what is dirty takes as long as it takes. */
const LIMIT_MS = 600_000;
/** So little is cached by whatever runs beside. */
const LITTLE_BYTES = 64 * 1024 ** 2;

/** Only clean pages can be dropped, so what is dirty is written first. */
const SCRIPT = `LC_ALL=C
export LC_ALL
cached() { grep -E '^(Buffers|Cached|SReclaimable|Shmem):' /proc/meminfo; }
[ -e /proc/sys/vm/drop_caches ] || { echo 'it has no /proc/sys/vm/drop_caches' >&2; exit 3; }
cached
sync
if [ "$(id -u)" = 0 ]; then echo 3 > /proc/sys/vm/drop_caches || exit 3
else sudo -n sh -c 'echo 3 > /proc/sys/vm/drop_caches' || exit 3
fi
echo dropped
cached
`;

/**
 * Drops page cache, directory entries and inodes of a host, and looks whether that had an effect. Safe to repeat. Throws `change-not-possible`
 * where the account may not, and what machines throw.
 */
export async function dropCaches(machine: Machine, signal: AbortSignal): Promise<Finding[]> {
  const { code, stdout, stderr } = await machine.exec(SCRIPT, { signal, timeoutMs: LIMIT_MS });
  const [before, after] = stdout.split(/^dropped$/m).map(cachedBytes);
  if (code !== 0 || before === undefined || after === undefined) throw notDropped(machine.name, stderr);
  const dropped: Finding = {
    code: 'caches-dropped',
    severity: 'note',
    message: `The OS caches of ${machine.name} were dropped before the trial: ${formatBytes(before)} were cached, then ${formatBytes(after)}.`,
  };
  return after <= Math.max(before / 2, LITTLE_BYTES) ? [dropped] : [dropped, stillCached(machine.name, before, after)];
}

/** What can be dropped: shared memory counts as cached, and stays. Undefined for a text that does not tell. */
export function cachedBytes(meminfo: string): number | undefined {
  const kib = (name: string): number | undefined => {
    const found = new RegExp(`^${name}:\\s+(\\d{1,15}) kB$`, 'm').exec(meminfo)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const cached = kib('Cached');
  if (cached === undefined) return undefined;
  const all = cached + (kib('Buffers') ?? 0) + (kib('SReclaimable') ?? 0) - (kib('Shmem') ?? 0);
  return Math.max(0, all) * 1024;
}

const stillCached = (host: string, before: number, after: number): Finding => ({
  code: 'caches-not-dropped',
  severity: 'warn',
  message: `Of ${formatBytes(before)} in the OS caches of ${host}, ${formatBytes(after)} were still there after they were dropped.`,
  next: 'Files that a program has mapped or locked stay: restart the server before each trial too.',
});

function notDropped(host: string, stderr: string): KneepointError {
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300);
  return new KneepointError({
    code: 'change-not-possible',
    message: `The OS caches of ${host} could not be dropped${said ? `: ${said}` : ''}.`,
    host,
    safe: 'The tool was not started.',
    next: 'Log in there as root, or allow sudo without a password; in a container /proc/sys has to be writable.',
  });
}

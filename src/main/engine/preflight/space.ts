import { problemOf } from '../../../shared/model/problem.ts';
import { formatBytes } from '../../../shared/util/format.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Need } from '../data/index.ts';
import type { RunsContext } from '../runs/index.ts';
import { pathOf, programsOf, targetByKind } from '../targets/index.ts';
import { folderIn } from '../tools/tool.ts';
import { liftable, type StartFinding } from './check.ts';
import type { PreflightState } from './state.ts';

/** A disk that is fuller than this with the data on it has little room for logs and temporary files. */
const NEARLY_FULL = 0.9;
/** Less than this fits wherever a server can run, so it is not reported if the space cannot be checked. */
const LARGE = 1024 ** 3;

type Context = Pick<RunsContext, 'targets' | 'machines'>;

/** Data that exists at the same time, and whether it replaces other data, which is removed first. */
export interface Planned {
  readonly needs: readonly Need[];
  readonly replaces: boolean;
}

/** Where data will be stored and the free bytes there, or why that is unknown, a sentence. */
type Found = { readonly where: string; readonly free: number } | { readonly unknown: string };

/** Whether there is enough space for the data to be made: reports both sizes, or that the space is unknown. */
export async function checkSpace(
  context: Context,
  known: Pick<PreflightState, 'typed'>,
  { needs, replaces }: Planned,
  signal: AbortSignal,
): Promise<StartFinding[]> {
  const wanted = new Map<string, { need: Need; bytes: number }>();
  for (const { need, bytes } of needs.flatMap(byFolder)) {
    const key = `${need.kind} ${need.place} ${need.directory}`;
    wanted.set(key, { need, bytes: (wanted.get(key)?.bytes ?? 0) + bytes });
  }
  const findings: StartFinding[] = [];
  for (const { need, bytes } of wanted.values()) {
    if (bytes === 0) continue;
    const found = await spaceFor(context, need, signal).catch((error: unknown): Found => {
      signal.throwIfAborted();
      return { unknown: problemOf(error).message };
    });
    if (!found) continue;
    const what = need.kind === 'files' ? 'The test files' : `The data for target “${need.place}”`;
    if ('unknown' in found) {
      if (bytes >= LARGE)
        findings.push({
          code: 'room-not-known',
          severity: 'note',
          message: `${what} will take about ${formatBytes(bytes)}, but free space is unknown. ${found.unknown}`,
          next: 'Check free space before the start.',
        });
      continue;
    }
    const { where, free } = found;
    if (bytes <= free * NEARLY_FULL) continue;
    const finding: StartFinding = {
      code: 'data-without-room',
      severity: bytes > free && !replaces ? 'block' : 'warn',
      message: `${what} will take about ${formatBytes(bytes)}, and ${where} has ${formatBytes(free)} free${replaces ? ', before existing data is removed' : ''}.`,
      next: 'Free some space there, or make the data smaller.',
    };
    findings.push(finding.severity === 'block' ? liftable(known, finding, `${need.place}:room`) : finding);
  }
  return findings;
}

/** Files by the folder in which they are: several can be on different disks. */
function byFolder(need: Need): { need: Need; bytes: number }[] {
  if (need.kind !== 'files') return [{ need, bytes: need.bytes ?? 0 }];
  return [...Map.groupBy(need.parts, ({ name }) => folderIn(need.directory, name))].map(([directory, parts]) => ({
    need: { ...need, directory },
    bytes: parts.reduce((sum, { size }) => sum + size, 0),
  }));
}

const FREE = `LC_ALL=C; export LC_ALL; exec 2>/dev/null
free() { df -kP "$1" | sed -n '$s/.* \\([0-9][0-9]*\\)  *[0-9]*% .*/\\1/p'; }`;

/** Free space of the nearest existing folder, as the files' own may not exist yet. */
const ofFiles = (folder: string): string => `${FREE}
p=${shellQuote(folder)}; while [ ! -e "$p" ] && [ -n "$p" ]; do p=\${p%/*}; done
free "\${p:-/}"`;

/**
 * Free space of a server's folder as its process sees it: in a container it differs from the host's. If the account may not see that, the
 * host's folder is used, unless the process is in a container.
 */
const ofServer = (folder: string, programs: readonly string[]): string => `${FREE}
names=${shellQuote(` ${programs.join(' ')} `)}; d=${shellQuote(folder)}; seen=; hidden=
for p in /proc/[0-9]*; do
  c=; read -r c <"$p/comm" || continue
  case "$names" in *" $c "*) ;; *) continue ;; esac
  if [ -d "$p/root$d" ]; then seen=1; free "$p/root$d"
  elif grep -Eq 'docker|containerd|kubepods|libpod|crio|lxc' "$p/cgroup"; then hidden=1; fi
done
[ -n "$seen$hidden" ] || free "$d"`;

/** Undefined for a database in a file: the tool that loads it has the file. */
async function spaceFor(context: Context, need: Need, signal: AbortSignal): Promise<Found | undefined> {
  if (need.kind === 'files') {
    const free = await freeOn(context, need.place, ofFiles(need.directory), signal);
    if (free === undefined) return { unknown: `${need.place} does not report free space in ${need.directory}.` };
    return { where: `${need.directory} on ${need.place}`, free };
  }
  const spec = context.targets.spec(need.place);
  const { server, kind } = spec;
  if (pathOf(spec) !== undefined) return undefined;
  const located = await dataOf(context, need, signal);
  if (located?.free !== undefined) return { where: `${located.folder} of its server`, free: located.free };
  if (!located?.folder.startsWith('/')) return { unknown: 'The server does not report its data directory.' };
  if (!server) return { unknown: `It keeps its data in ${located.folder}, but its host is unknown.` };
  const free = await freeOn(context, server.host, ofServer(located.folder, programsOf(kind)), signal);
  if (free === undefined)
    return {
      unknown: `It keeps its data in ${located.folder}, which is not visible on ${server.host}, as in a container.`,
    };
  return { where: `${located.folder} on ${server.host}`, free };
}

/**
 * Free space is unknown if readings differ by more than this ratio: servers of one kind with folders of the same name on different disks
 * cannot be distinguished.
 */
const SAME_SIZE = 1.05;

async function freeOn(
  { machines }: Context,
  host: string,
  script: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { stdout } = await machines.get(host).exec(script, { signal, timeoutMs: 20_000 });
  const all = stdout.split('\n').flatMap((line) => (/^\d+$/.test(line.trim()) ? [Number(line)] : []));
  const least = Math.min(...all);
  return all.length > 0 && Math.max(...all) <= least * SAME_SIZE ? least * 1024 : undefined;
}

/** The server's data folder as it reports it, and the free space if it reports that too. */
async function dataOf(
  { targets }: Context,
  { place }: Need,
  signal: AbortSignal,
): Promise<{ folder: string; free?: number } | undefined> {
  const name = targetByKind(targets.spec(place).kind).settings?.dataFolder;
  const session = await targets.open(place, signal);
  try {
    if (session?.room) return await session.room();
    if (name === undefined) return undefined;
    const folder = (await session?.settings?.())?.find((setting) => setting.name === name)?.value;
    return folder === undefined ? undefined : { folder };
  } finally {
    await session?.close();
  }
}

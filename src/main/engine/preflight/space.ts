import { problemOf } from '../../../shared/model/problem.ts';
import { capital, formatBytes } from '../../../shared/util/format.ts';
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

/** A file system of a host, the same for all its folders. */
interface FileSystem {
  readonly id: string;
  readonly mount: string;
}

/** Where data will be stored, the free bytes there and the file system with its host if known; or why that is unknown, a sentence. */
type Found =
  | { readonly where: string; readonly free: number; readonly on?: FileSystem & { readonly host: string } }
  | { readonly unknown: string };

/** Data of one folder. */
interface Wanted {
  readonly need: Need;
  readonly bytes: number;
}

/** Data that shares free space. */
interface Placed {
  readonly all: readonly Wanted[];
  readonly found: Extract<Found, { free: number }>;
}

/** Whether there is enough space for the data to be made, on each file system: reports both sizes, or that the space is unknown. */
export async function checkSpace(
  context: Context,
  known: Pick<PreflightState, 'typed'>,
  { needs, replaces }: Planned,
  signal: AbortSignal,
): Promise<StartFinding[]> {
  const folders = new Map<string, Wanted>();
  for (const { need, bytes } of needs.flatMap(byFolder)) {
    const key = `${need.kind} ${need.place} ${need.directory}`;
    folders.set(key, { need, bytes: (folders.get(key)?.bytes ?? 0) + bytes });
  }
  const placed = new Map<string, Placed>();
  const unknown: StartFinding[] = [];
  for (const [key, wanted] of folders) {
    if (wanted.bytes === 0) continue;
    const found = await spaceFor(context, wanted.need, signal).catch((error: unknown): Found => {
      signal.throwIfAborted();
      return { unknown: problemOf(error).message };
    });
    if (!found) continue;
    if ('unknown' in found) unknown.push(...unknownFindings(wanted, found.unknown));
    else {
      const system = found.on ? `${found.on.host} ${found.on.id}` : key;
      placed.set(system, { found, all: [...(placed.get(system)?.all ?? []), wanted] });
    }
  }
  return [...unknown, ...[...placed.values()].flatMap((each) => fullFindings(each, known, replaces))];
}

const unknownFindings = ({ need, bytes }: Wanted, why: string): StartFinding[] =>
  bytes < LARGE
    ? []
    : [
        {
          code: 'room-not-known',
          severity: 'note',
          message: `${whatOf([need])} will take about ${formatBytes(bytes)}, but free space is unknown. ${why}`,
          next: 'Check free space before the start.',
        },
      ];

function fullFindings({ all, found }: Placed, known: Pick<PreflightState, 'typed'>, replaces: boolean): StartFinding[] {
  const { free, on } = found;
  const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes <= free * NEARLY_FULL) return [];
  const where = all.length > 1 && on ? `their file system, ${on.mount} on ${on.host},` : found.where;
  const finding: StartFinding = {
    code: 'data-without-room',
    severity: bytes > free && !replaces ? 'block' : 'warn',
    message: `${whatOf(all.map(({ need }) => need))} will take about ${formatBytes(bytes)}, and ${where} has ${formatBytes(free)} free${replaces ? ', before existing data is removed' : ''}.`,
    next: 'Free some space there, or make the data smaller.',
  };
  return [finding.severity === 'block' ? liftable(known, finding, `${all[0]?.need.place ?? ''}:room`) : finding];
}

/** “The data for target “db” and the test files in /a and /b”, as a subject. */
function whatOf(needs: readonly Need[]): string {
  const files = needs.flatMap((need) => (need.kind === 'files' ? [need.directory] : []));
  const targets = [...new Set(needs.flatMap((need) => (need.kind === 'files' ? [] : [need.place])))];
  const listed = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' and $1');
  const parts = [
    ...targets.map((name) => `the data for target “${name}”`),
    ...(files.length > 0 ? [`the test files${needs.length > 1 ? ` in ${listed(files)}` : ''}`] : []),
  ];
  return capital(listed(parts));
}

/** Files by the folder in which they are: several can be on different disks. */
function byFolder(need: Need): { need: Need; bytes: number }[] {
  if (need.kind !== 'files') return [{ need, bytes: need.bytes ?? 0 }];
  return [...Map.groupBy(need.parts, ({ name }) => folderIn(need.directory, name))].map(([directory, parts]) => ({
    need: { ...need, directory },
    bytes: parts.reduce((sum, { size }) => sum + size, 0),
  }));
}

/** `free FOLDER` prints free kilobytes, the device, the number of the file system, and where it is mounted. */
const FREE = `LC_ALL=C; export LC_ALL; exec 2>/dev/null
free() {
  n=$(stat -c %d "$1")
  df -kP "$1" | sed -n '$s/^\\([^ ]*\\) .* \\([0-9][0-9]*\\)  *[0-9]*%  *\\(.*\\)$/\\2 \\1 '"\${n:--}"' \\3/p'
}`;

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
    const found = await freeOn(context, need.place, ofFiles(need.directory), signal);
    if (!found) return { unknown: `${need.place} does not report free space in ${need.directory}.` };
    return { where: `${need.directory} on ${need.place}`, ...found };
  }
  const spec = context.targets.spec(need.place);
  const { server, kind } = spec;
  if (pathOf(spec) !== undefined) return undefined;
  const located = await dataOf(context, need, signal);
  if (located?.free !== undefined) return { where: `${located.folder} of its server`, free: located.free };
  if (!located?.folder.startsWith('/')) return { unknown: 'The server does not report its data directory.' };
  if (!server) return { unknown: `Its data directory is ${located.folder}, but the server host is unknown.` };
  const found = await freeOn(context, server.host, ofServer(located.folder, programsOf(kind)), signal);
  if (!found)
    return {
      unknown: `Its data directory ${located.folder} is not visible on ${server.host}; the server may run in a container.`,
    };
  return { where: `${located.folder} on ${server.host}`, ...found };
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
): Promise<Omit<Extract<Found, { free: number }>, 'where'> | undefined> {
  const { stdout } = await machines.get(host).exec(script, { signal, timeoutMs: 20_000 });
  const all = stdout.split('\n').flatMap(readFree);
  const kilobytes = all.map(({ free }) => free);
  const least = Math.min(...kilobytes);
  if (all.length === 0 || Math.max(...kilobytes) > least * SAME_SIZE) return undefined;
  const [system, ...others] = new Map(all.flatMap(({ on }) => (on ? [[on.id, on]] : []))).values();
  return { free: least * 1024, ...(system && others.length === 0 && { on: { ...system, host } }) };
}

/** Devices that several file systems have in common, as they have none of their own. */
const NO_DEVICE = /^(?!\/)|^\/dev\/fuse$/;

function readFree(line: string): { free: number; on?: FileSystem }[] {
  const [, free, device, number, mount] = /^(\d+)(?: (\S+) (\S+) (.*))?$/.exec(line.trim()) ?? [];
  if (free === undefined) return [];
  if (device === undefined || mount === undefined) return [{ free: Number(free) }];
  const id = NO_DEVICE.test(device) ? [device, number === '-' ? mount : number].join(' ') : device;
  return [{ free: Number(free), on: { id, mount } }];
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

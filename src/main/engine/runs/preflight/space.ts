import { formatBytes } from '../../../../shared/util/format.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { Machine } from '../../hosts/machine.ts';
import { targetByKind } from '../../targets/index.ts';
import type { RunsContext } from '../context.ts';
import type { Need } from '../data/kind.ts';
import type { DeviceFinding } from '../devices.ts';
import { liftable } from './finding-of.ts';
import type { Knowledge } from './knowledge.ts';

/** A disk that is fuller than this with the data on it has little room for logs and temporary files. */
const NEARLY_FULL = 0.9;

type Context = Pick<RunsContext, 'targets' | 'machines'>;

/** Data that lies side by side, and whether it comes in the place of other data, which is removed first. */
export interface Planned {
  readonly needs: readonly Need[];
  readonly replaces: boolean;
}

/** Whether there is room for what will be made, where that can be observed: both figures. */
export async function lookAtSpace(
  context: Context,
  known: Pick<Knowledge, 'confirmable' | 'confirmed' | 'destroy'>,
  { needs, replaces }: Planned,
  signal: AbortSignal,
): Promise<DeviceFinding[]> {
  const wanted = new Map<string, { need: Need; bytes: number }>();
  for (const need of needs) {
    const bytes = need.kind === 'files' ? need.parts.reduce((sum, { size }) => sum + size, 0) : (need.bytes ?? 0);
    const key = `${need.kind} ${need.place} ${need.directory}`;
    wanted.set(key, { need, bytes: (wanted.get(key)?.bytes ?? 0) + bytes });
  }
  const findings: DeviceFinding[] = [];
  for (const { need, bytes } of wanted.values()) {
    const found = bytes === 0 ? undefined : await spaceFor(context, need, signal).catch(unlessEnded(signal));
    if (!found || bytes <= found.free * NEARLY_FULL) continue;
    const { machine, folder, free } = found;
    const isFull = bytes > free;
    const finding: DeviceFinding = {
      code: 'data-without-room',
      severity: isFull && !replaces ? 'block' : 'warn',
      message: `${need.kind === 'files' ? 'The test files' : `The data for target “${need.place}”`} will take about ${formatBytes(bytes)}, and ${folder} on ${machine.name} has ${formatBytes(free)} free${replaces ? ', before what is there is removed' : ''}.`,
      next: 'Free some space there, or make the data smaller.',
    };
    findings.push(finding.severity === 'block' ? liftable(known, finding, `${need.place}:room`) : finding);
  }
  return findings;
}

/** What is not observed is not told: the folder of a server in a container is not there on its host. */
function unlessEnded(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (signal.aborted) throw error;
    return undefined;
  };
}

async function spaceFor(
  context: Context,
  need: Need,
  signal: AbortSignal,
): Promise<{ machine: Machine; folder: string; free: number } | undefined> {
  const where =
    need.kind === 'files' ? { host: need.place, folder: need.directory } : await dataOf(context, need, signal);
  if (!where?.folder.startsWith('/')) return undefined;
  const machine = context.machines.get(where.host);
  // Of files that are still to be made, the nearest folder that is there; the folder of a server has to be there itself.
  const nearest = need.kind === 'files' ? `while [ ! -e "$p" ] && [ -n "$p" ]; do p=\${p%/*}; done; p=\${p:-/}` : ':';
  const script = `LC_ALL=C; export LC_ALL
p=${shellQuote(where.folder)}; ${nearest}
df -kP "$p" 2>/dev/null | sed -n '$s/.* \\([0-9][0-9]*\\)  *[0-9]*% .*/\\1/p'`;
  const { stdout } = await machine.exec(script, { signal, timeoutMs: 20_000 });
  return /^\d+$/.test(stdout.trim()) ? { machine, folder: where.folder, free: Number(stdout) * 1024 } : undefined;
}

/** The folder in which a server has its data, by its own word, and the host where it lives. */
async function dataOf(
  { targets }: Context,
  { place }: Need,
  signal: AbortSignal,
): Promise<{ host: string; folder: string } | undefined> {
  const { server, kind } = targets.spec(place);
  const name = targetByKind(kind).settings?.dataFolder;
  if (!server || name === undefined) return undefined;
  const session = await targets.open(place, signal);
  try {
    const folder = (await session?.settings?.())?.find((setting) => setting.name === name)?.value;
    return folder === undefined ? undefined : { host: server.host, folder };
  } finally {
    await session?.close();
  }
}

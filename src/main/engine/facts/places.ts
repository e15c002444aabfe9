import type { StoragePlace, TargetFacts } from '../../../shared/model/session-snapshot.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import { hostsOf, type KnownStep } from '../plans/index.ts';
import type { RunsContext } from '../runs/index.ts';
import { pathOf, programsOf, readPlace, targetByKind } from '../targets/index.ts';

/** Maximum number of folders that are read: more are levels of a factor, which are not shown one by one. */
const MOST_PLACES = 20;
/** Timeout for one folder of a host: no session depends on the result. */
const TIMEOUT_MS = 15_000;

type Context = Pick<RunsContext, 'targets' | 'machines'>;
type Wanted = Pick<StoragePlace, 'host' | 'path' | 'target'>;

interface Asked {
  readonly steps: readonly KnownStep[];
  /** Targets of the session, with their server hosts and settings. */
  readonly targets: readonly TargetFacts[];
}

/**
 * Folders and devices in which these steps store files, on each generator, and the data folders of targets with a known server host, with
 * their file systems.
 */
export async function readPlaces(context: Context, asked: Asked, signal: AbortSignal): Promise<StoragePlace[]> {
  const wanted = new Map<string, Wanted>();
  const add = (place: Wanted): void => void wanted.set(JSON.stringify([place.host, place.path, place.target]), place);
  for (const place of placesOfSteps(context, asked.steps)) add(place);
  for (const target of asked.targets) {
    const place = await dataFolderOf(context, target, signal);
    if (place) add(place);
  }
  const places: StoragePlace[] = [];
  for (const place of [...wanted.values()].slice(0, MOST_PLACES)) {
    const found = await unlessFailed(signal, () => read(context, place, signal));
    places.push({ ...place, ...found });
  }
  return places;
}

function* placesOfSteps({ targets }: Context, steps: readonly KnownStep[]): Generator<Wanted> {
  for (const { tool, step } of steps) {
    const path = step.target === undefined ? undefined : pathOf(targets.spec(step.target));
    const folders = (tool.paths?.(step.options, path) ?? []).flatMap(({ kind, anyOf }) =>
      kind === 'writable-folder' || kind === 'new-folder' ? anyOf.slice(0, 1) : [],
    );
    const devices = tool.devices?.(step.options, path) ?? [];
    for (const named of [...folders, ...devices]) for (const host of hostsOf(step)) yield { host, path: named };
  }
}

/** The data folder as the server reports it. Undefined without a known host, and if the server or this account does not report it. */
async function dataFolderOf(
  { targets }: Context,
  { name, kind, behind = name, server, settings = [] }: TargetFacts,
  signal: AbortSignal,
): Promise<Wanted | undefined> {
  if (!server) return undefined;
  const setting = targetByKind(kind).settings?.dataFolder;
  const folder =
    setting === undefined
      ? await unlessFailed(signal, async () => {
          const session = await targets.open(behind, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
          try {
            return (await session?.room?.())?.folder;
          } finally {
            await session?.close();
          }
        })
      : settings.find((each) => each.name === setting)?.value;
  if (!folder?.startsWith('/')) return undefined;
  return { host: server.host, path: folder.replace(/(?<=.)\/+$/, ''), target: name };
}

/** Undefined if the host does not report it, or cannot be asked. */
async function read(
  { machines, targets }: Context,
  { host, path, target }: Wanted,
  signal: AbortSignal,
): Promise<Omit<StoragePlace, 'host'> | undefined> {
  const machine = machines.get(host);
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const run = (script: string): ReturnType<Machine['exec']> => machine.exec(script, { signal: timeout });
  if (target === undefined) return readPlace(run, path);
  const { stdout } = await run(hiddenIn(path, programsOf(targets.spec(target).kind)));
  return stdout.trim() === '' ? readPlace(run, path, { existing: true }) : undefined;
}

const CONTAINERS = "'docker|containerd|kubepods|libpod|crio|lxc'";

/**
 * Prints a line if a server with one of these programs sees another folder of that name, as in a container. If the account may not see the
 * root of its process, the control group decides.
 */
const hiddenIn = (folder: string, programs: readonly string[]): string => `exec 2>/dev/null
names=${shellQuote(` ${programs.join(' ')} `)}; d=${shellQuote(folder)}
for p in /proc/[0-9]*; do
  c=; read -r c <"$p/comm" || continue
  case "$names" in *" $c "*) ;; *) continue ;; esac
  if [ -d "$p/root/." ]; then [ ! -d "$p/root$d" ] || [ "$p/root$d" -ef "$d" ] || echo hidden
  elif grep -Eq ${CONTAINERS} "$p/cgroup" && ! grep -Eq ${CONTAINERS} /proc/self/cgroup; then echo hidden; fi
done
exit 0`;

/** Facts of storage are optional: a failure leaves them out, but not the end of the session. */
async function unlessFailed<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

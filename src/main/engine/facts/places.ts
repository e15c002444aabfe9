import type { StoragePlace } from '../../../shared/model/storage-place.ts';
import { hostsOf, type KnownStep } from '../plans/index.ts';
import type { RunsContext } from '../runs/index.ts';
import { pathOf, readPlace } from '../targets/index.ts';

/** Maximum number of folders that are read: more are levels of a factor, which are not shown one by one. */
const MOST_PLACES = 20;
/** Timeout for one folder of a host: no session depends on the result. */
const TIMEOUT_MS = 15_000;

/** Folders in which these steps store files, on each generator, with their file systems. */
export async function readPlaces(
  { targets, machines }: Pick<RunsContext, 'targets' | 'machines'>,
  steps: readonly KnownStep[],
  signal: AbortSignal,
): Promise<StoragePlace[]> {
  const wanted = new Map<string, { host: string; path: string }>();
  for (const { tool, step } of steps) {
    const path = step.target === undefined ? undefined : pathOf(targets.spec(step.target));
    for (const { kind, anyOf } of tool.paths?.(step.options, path) ?? []) {
      const [folder] = anyOf;
      if ((kind !== 'writable-folder' && kind !== 'new-folder') || folder === undefined) continue;
      for (const host of hostsOf(step)) wanted.set(JSON.stringify([host, folder]), { host, path: folder });
    }
  }
  const places: StoragePlace[] = [];
  for (const { host, path } of [...wanted.values()].slice(0, MOST_PLACES)) {
    const machine = machines.get(host);
    try {
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const place = await readPlace((script) => machine.exec(script, { signal: timeout }), path);
      places.push({ host, ...(place ?? { path }) });
    } catch {
      signal.throwIfAborted();
      places.push({ host, path });
    }
  }
  return places;
}

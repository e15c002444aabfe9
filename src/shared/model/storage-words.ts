import type { StoragePlace, TargetFacts } from './session-snapshot.ts';

/**
 * The folders and devices of a session, one line for each file system or device: “/mnt/a: ext4 on /dev/sdb1 (Samsung SSD 980, scheduler none,
 * non-rotational), mounted at /mnt/a with rw, noatime”, “/dev/nvme1n1: block device (PM9A3)”. A file system in memory is named as such. Without `places`, as in sessions of earlier
 * versions, those of targets that are folders.
 */
export function storageLines(places: readonly StoragePlace[] | undefined, targets: readonly TargetFacts[]): string[] {
  const all = places ?? targets.flatMap(placeOfTarget);
  const isOneHost = new Set(all.map(({ host }) => host)).size === 1;
  const systems = new Map<string, StoragePlace[]>();
  for (const place of all) systems.set(systemKey(place), [...(systems.get(systemKey(place)) ?? []), place]);
  return [...systems.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const paths = own.map(pathWords).filter((path, at, every) => every.indexOf(path) === at);
    // The host of a server is not that of the tool, which is named elsewhere.
    const isNamed = first.host !== '' && (!isOneHost || own.some(({ target }) => target !== undefined));
    const start = `${isNamed ? `${first.host}: ` : ''}${paths.join(', ')}`;
    return `${start}${paths.length > 1 ? ', all on one file system' : ''}: ${systemWords(first)}`;
  });
}

function pathWords({ path, real, target }: StoragePlace): string {
  const about = [real, target === undefined ? undefined : `data of ${target}`].filter((part) => part !== undefined);
  return `${path}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
}

/** Folders of one mount are on the same file system, whatever their paths. */
const systemKey = ({ host, path, fileSystem }: StoragePlace): string =>
  JSON.stringify(fileSystem ? [host, fileSystem.source, fileSystem.mount] : [host, path]);

function systemWords({ fileSystem, device }: StoragePlace): string {
  const about = device ? aboutDevice(device) : '';
  if (!fileSystem) return device ? `block device${about}` : 'file system not reported';
  const { type, source, mount, options } = fileSystem;
  const from = `${source === type ? '' : ` on ${source}`}${about}`;
  const lost = IN_MEMORY.includes(type) ? ' (in memory: nothing survives a restart)' : '';
  return `${type || 'unknown type'}${lost}${from}, mounted at ${mount}${options.length > 0 ? ` with ${options.join(', ')}` : ''}`;
}

/** File systems without a device: a sync makes nothing durable there. */
export const IN_MEMORY: readonly string[] = ['tmpfs', 'ramfs'];

function aboutDevice({ model, below, scheduler, rotational }: NonNullable<StoragePlace['device']>): string {
  const known = [
    model,
    below.length > 0 ? `built of ${below.join(', ')}` : undefined,
    scheduler === undefined ? undefined : `scheduler ${scheduler}`,
    rotational === undefined ? undefined : rotational ? 'rotational' : 'non-rotational',
  ].filter((part) => part !== undefined && part !== '');
  return known.length > 0 ? ` (${known.join(', ')})` : '';
}

function placeOfTarget({ server, description }: TargetFacts): StoragePlace[] {
  if (!description?.location) return [];
  const { path, mount } = description.location;
  const fact = (wanted: string): string | undefined =>
    description.settings.find(({ name }) => name === wanted)?.value ?? undefined;
  const type = fact('file system');
  const options = fact('mount options');
  const model = fact('model');
  const device = fact('device');
  return [
    {
      ...{ host: server?.host ?? '', path },
      ...(type !== undefined &&
        mount !== undefined && {
          fileSystem: { type, source: device ?? '', mount, options: options?.split(',') ?? [] },
        }),
      ...(device !== undefined && { device: { name: device, ...(model !== undefined && { model }), below: [] } }),
    },
  ];
}

/** The warning about a folder that a tool measures in memory. */
export const inMemoryWords = (host: string, path: string, type: string) => ({
  code: 'folder-in-memory',
  message: `${path} on ${host} is in memory (${type}): its reads and writes reach no disk, and a sync makes nothing durable.`,
  next: 'Choose a folder on a disk, unless memory is what you measure.',
});

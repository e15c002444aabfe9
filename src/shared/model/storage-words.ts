import type { TargetFacts } from './session-snapshot.ts';
import type { StoragePlace } from './storage-place.ts';

/**
 * The folders of a session, one line for each file system: “/mnt/a: ext4 on /dev/sdb1 (Samsung SSD 980), mounted at /mnt/a with rw,
 * noatime”. Without `places`, as in sessions of earlier versions, those of targets that are folders.
 */
export function storageLines(places: readonly StoragePlace[] | undefined, targets: readonly TargetFacts[]): string[] {
  const all = places ?? targets.flatMap(placeOfTarget);
  const isOneHost = new Set(all.map(({ host }) => host)).size === 1;
  const systems = new Map<string, StoragePlace[]>();
  for (const place of all) systems.set(systemKey(place), [...(systems.get(systemKey(place)) ?? []), place]);
  return [...systems.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const paths = own
      .map(({ path, real }) => (real === undefined ? path : `${path} (${real})`))
      .filter((path, at, every) => every.indexOf(path) === at);
    const start = `${isOneHost || first.host === '' ? '' : `${first.host}: `}${paths.join(', ')}`;
    return `${start}${paths.length > 1 ? ', all on one file system' : ''}: ${systemWords(first)}`;
  });
}

/** Folders of one mount are on the same file system, whatever their paths. */
const systemKey = ({ host, path, fileSystem }: StoragePlace): string =>
  JSON.stringify(fileSystem ? [host, fileSystem.source, fileSystem.mount] : [host, path]);

function systemWords({ fileSystem, device }: StoragePlace): string {
  if (!fileSystem) return 'file system not reported';
  const { type, source, mount, options } = fileSystem;
  const about = [device?.model, device && device.below.length > 0 ? `built of ${device.below.join(', ')}` : undefined]
    .filter(Boolean)
    .join(', ');
  const from = [source === type ? '' : ` on ${source}`, about === '' ? '' : ` (${about})`].join('');
  return `${type || 'unknown type'}${from}, mounted at ${mount}${options.length > 0 ? ` with ${options.join(', ')}` : ''}`;
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

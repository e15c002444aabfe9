import type { Experiment } from './experiment.ts';
import { LOCAL_HOST_NAME } from './host.ts';
import type { Target, TargetKindInfo } from './target.ts';

/** Prefix of a folder that a template leaves open. No such folder should exist, so nothing starts until another one is chosen. */
const OPEN = '/choose/';

export const isOpenFolder = (path: string): boolean => path.startsWith(OPEN) && path.length > OPEN.length;

/** The parts of an option that lists several folders. */
const partsOf = (value: string): string[] => value.split(/[,\n]/).map((part) => part.trim());

/** “first file system”, worded to follow “Folder:”. */
export const openFolderWords = (folder: string): string => folder.slice(OPEN.length).replaceAll('-', ' ');

/** The only folder of its template, which needs no other name. */
export const isOnlyFolder = (folder: string): boolean => folder === `${OPEN}folder`;

/** The distinct folders that a document leaves open, in order of appearance. */
export function openFolders(experiment: Experiment): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const part of partsOf(value)) if (isOpenFolder(part)) found.add(part);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look([experiment.workload, experiment.factors, experiment.steps ?? []]);
  return [...found];
}

/** A saved target that is a folder, by its name. */
export interface SavedFolder {
  readonly name: string;
  readonly path: string;
}

type Kind = Pick<TargetKindInfo, 'kind' | 'via' | 'schema'>;

/** Devices are no folders, unlike the memory that Linux mounts among them. */
const DEVICE = /^\/dev\/(?!shm(\/|$))/;

/** Saved folders of a host that a document can use. Omits those that it uses already: two open folders are two places. */
export function savedFolders(
  targets: readonly Target[],
  kinds: readonly Kind[],
  host: string,
  experiment: Experiment,
): SavedFolder[] {
  const used = JSON.stringify([experiment.workload, experiment.factors, experiment.steps ?? []]);
  return targets.flatMap(({ spec: { name, kind, via, config } }) => {
    const option = folderOption(kinds.find((each) => each.kind === kind));
    const path = option === undefined ? undefined : config[option];
    const isUsable =
      typeof path === 'string' &&
      (via ?? LOCAL_HOST_NAME) === host &&
      path.startsWith('/') &&
      !DEVICE.test(path) &&
      !used.includes(JSON.stringify(path));
    return isUsable ? [{ name, path }] : [];
  });
}

/** The option of a target that is a folder of its host. */
function folderOption(kind: Kind | undefined): string | undefined {
  if (kind?.via !== 'place') return undefined;
  const properties = Object.entries(kind.schema.properties ?? {}) as [string, { folder?: boolean }][];
  return properties.find(([, { folder }]) => folder === true)?.[0];
}

/** The document with a folder in place of an open one, wherever it occurs. */
export function withFolder(experiment: Experiment, folder: string, chosen: string): Experiment {
  // Documents are plain data.
  return JSON.parse(
    JSON.stringify(experiment, (_, value: unknown) =>
      typeof value === 'string' && partsOf(value).includes(folder)
        ? partsOf(value)
            .map((part) => (part === folder ? chosen : part))
            .join(', ')
        : value,
    ),
  ) as Experiment;
}

import type { NeededPath } from '../tool.ts';
import type { EmbeddedOptions } from './options.ts';

/** Where the database is: the folder that is named, or that of the file of a target. SQLite makes files beside its own. */
export function pathsOf({ directory }: EmbeddedOptions, path: string | undefined): NeededPath[] {
  const folder = path === undefined ? directory : path.replace(/\/[^/]*$/, '') || '/';
  // Paths of Windows are the program's own matter: no shell there takes them.
  return folder.startsWith('/') ? [{ what: 'Folder of the database', kind: 'writable-folder', anyOf: [folder] }] : [];
}

import { watch } from 'node:fs';
import path from 'node:path';

/** Editors write a file in several steps, and save several files at once. */
const SETTLED_MS = 150;

/** Reports all sources that have changed since the last report, once changes have settled. Paths from the root. */
export function watchSources(
  root: string,
  folders: readonly string[],
  changed: (files: readonly string[]) => void,
): void {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const notify = (): void => {
    const batch = [...files];
    files.clear();
    changed(batch);
  };
  for (const folder of folders)
    watch(path.join(root, folder), { recursive: true }, (_event, name) => {
      if (!name || !/(?<!\.test)\.tsx?$/.test(name)) return;
      files.add(path.posix.join(folder, name.split(path.sep).join('/')));
      clearTimeout(timer);
      timer = setTimeout(notify, SETTLED_MS);
    });
}

import { afterEach, beforeEach } from 'vitest';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { libraryFolder } from './library.ts';

/** Opens a new library for each test of a file and passes it to `use` before the test. */
export function withStore(use: (store: Store) => void): void {
  let folder: ReturnType<typeof libraryFolder>;
  let store: Store;
  beforeEach(() => {
    folder = libraryFolder();
    store = openStore(folder.path, { mode: 'test' });
    use(store);
  });
  afterEach(() => {
    store.close();
    folder.remove();
  });
}

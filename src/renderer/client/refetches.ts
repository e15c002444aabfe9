import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

const SPACING_MS = 1000;

/**
 * Asks again for what changed: at once, then at most once a second for each key. The engine tells of changes four times a second, and
 * a list of a thousand sessions is not free.
 */
export class Refetches {
  readonly #queries: QueryClient;
  /** Keys asked for within the last second, and whether they changed again since. */
  readonly #recent = new Map<string, boolean>();

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  readonly changed = (queryKey: QueryKey): void => {
    const hash = hashKey(queryKey);
    if (this.#recent.has(hash)) {
      this.#recent.set(hash, true);
      return;
    }
    this.#recent.set(hash, false);
    void this.#queries.invalidateQueries({ queryKey });
    setTimeout(() => {
      const again = this.#recent.get(hash);
      this.#recent.delete(hash);
      if (again) this.changed(queryKey);
    }, SPACING_MS);
  };
}

/** Tells whoever watches that something of a session changed; what changed they read from the store, so nothing piles up for a slow reader. */
export class SessionChanges {
  readonly #listeners = new Map<number, Set<() => void>>();
  readonly #all = new Set<(sessionId: number) => void>();

  changed(sessionId: number): void {
    for (const listener of this.#listeners.get(sessionId) ?? []) listener();
    for (const listener of this.#all) listener(sessionId);
  }

  /** Returns the function that ends it. */
  watch(sessionId: number, listener: () => void): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(sessionId);
    };
  }

  watchAll(listener: (sessionId: number) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }
}

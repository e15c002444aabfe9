import type { LinkState } from '../../../../shared/model/host.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import { isOwnDiskFull } from '../trial/trial.ts';
import { pauseFor } from '../wait.ts';

const FULL_DISK_RETRY_MS = 3000;

export interface HindranceOptions {
  /** Names of the generators. */
  hosts: readonly string[];
  signal: AbortSignal;
  /** Into the session's log; may fail for want of room. */
  log(level: 'info' | 'warn', message: string): void;
  onChange(): void;
}

/** What keeps a session from going on that mends itself: no room on this computer's disk, a generator out of reach. Each is told once, and its end. */
export class Hindrances {
  readonly #options: HindranceOptions;
  #full: string | undefined;
  readonly #cut = new Map<string, string>();

  constructor(options: HindranceOptions) {
    this.#options = options;
  }

  /** Words on what is in the way now. */
  get words(): string | undefined {
    return this.#full ?? ([...this.#cut.values()].join(' ') || undefined);
  }

  linksChanged(links: readonly LinkState[]): void {
    for (const host of this.#options.hosts) {
      const link = links.find((entry) => entry.host === host);
      if (link?.state === 'down' && !this.#cut.has(host)) {
        const why = link.message ? ` (${link.message})` : '';
        const words = `${host} cannot be reached${why}. What runs there goes on; its output is fetched when the connection is back.`;
        this.#cut.set(host, words);
        this.#tell('warn', words);
      } else if (link?.state === 'up' && this.#cut.delete(host)) {
        this.#tell('info', `${host} is connected again; what was missed is being fetched.`);
      }
    }
  }

  /** Something was stored: there is room. */
  stored(): void {
    if (this.#full === undefined) return;
    this.#full = undefined;
    this.#tell('info', 'There is room on the disk of this computer again; recording went on, nothing was lost.');
  }

  /** Repeats what a full disk of this computer stopped, until there is room. The host keeps the output meanwhile. */
  async withRoom(act: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await act();
        return;
      } catch (error) {
        const { signal, onChange } = this.#options;
        if (!isOwnDiskFull(error) || signal.aborted) throw error;
        // Shown, not stored: there is no room to store it.
        this.#full = `${problemOf(error).message} Recording waits; the host keeps the output, and it is fetched when there is room.`;
        onChange();
        await pauseFor(FULL_DISK_RETRY_MS, signal);
      }
    }
  }

  /** The words are shown at any rate; that they cannot be stored too must not break the link that reports them. */
  #tell(level: 'info' | 'warn', message: string): void {
    try {
      this.#options.log(level, message);
    } catch (error) {
      if (!isOwnDiskFull(error)) throw error;
      this.#options.onChange();
    }
  }
}

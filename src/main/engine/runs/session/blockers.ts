import type { LinkState } from '../../../../shared/model/host.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import { isOwnDiskFull } from '../trial/trial.ts';
import { pauseFor } from '../wait.ts';

const FULL_DISK_RETRY_MS = 3000;

export interface BlockerOptions {
  /** Names of the generators. */
  hosts: readonly string[];
  signal: AbortSignal;
  /** Into the session's log; may fail for want of room. */
  log(level: 'info' | 'warn', message: string): void;
  onChanged(): void;
}

/** What keeps a session from going on that mends itself: no room on this computer's disk, a generator out of reach. Each is told once, and its end. */
export class Blockers {
  readonly #options: BlockerOptions;
  #full: string | undefined;
  readonly #cut = new Map<string, { words: string; refused: LinkState['refused'] }>();

  constructor(options: BlockerOptions) {
    this.#options = options;
  }

  /** Words on what is in the way now. */
  get words(): string | undefined {
    return this.#full ?? ([...this.#cut.values()].map(({ words }) => words).join(' ') || undefined);
  }

  linksChanged(links: readonly LinkState[]): void {
    for (const host of this.#options.hosts) {
      const link = links.find((entry) => entry.host === host);
      if (link?.state === 'down' && this.#isNews(link)) {
        const words = `${cutWords(link)} What runs on ${host} goes on; its output is fetched when the connection is back.`;
        this.#cut.set(host, { words, refused: link.refused });
        this.#tell('warn', words);
      } else if (link?.state === 'up' && this.#cut.delete(host)) {
        this.#tell('info', `${host} is connected again; what was missed is being fetched.`);
      }
    }
  }

  /** A link that was cut is told once, and again when the host turns out to need a person. */
  #isNews({ host, refused }: LinkState): boolean {
    const told = this.#cut.get(host);
    if (told === undefined) return true;
    return refused !== undefined && (refused.what !== told.refused?.what || refused.host !== told.refused.host);
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
        const { signal, onChanged } = this.#options;
        if (!isOwnDiskFull(error) || signal.aborted) throw error;
        // Shown, not stored: there is no room to store it.
        this.#full = `${problemOf(error).message} Recording waits; the host keeps the output, and it is fetched when there is room.`;
        onChanged();
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
      this.#options.onChanged();
    }
  }
}

function cutWords({ host, message, refused }: LinkState): string {
  const why = message ?? '';
  if (refused?.what === 'key')
    return `The key of ${refused.host} has changed, so nothing was sent to it. ${why} Ask its administrator whether the key was replaced; if so, forget the known key on the page of ${refused.host} under Hosts, test the connection, and accept the new one there.`;
  if (refused?.what === 'login')
    return `${refused.host} refuses the login. ${why} It is not tried again by itself, so that the account is not locked: correct the login on the page of ${refused.host} under Hosts.`;
  return `${host} cannot be reached${why && ` (${why})`}.`;
}

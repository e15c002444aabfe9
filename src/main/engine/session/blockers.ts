import type { LinkState } from '../../../shared/model/host.ts';
import { describeProblem, type Problem } from '../../../shared/model/problem.ts';
import { isForPerson, isOwnDiskFull, pauseFor } from '../runs/index.ts';

/** A retry on this computer is cheap. */
const ROOM_RETRY_MS = 3000;
/** On a host, a retry costs a launch. */
const HOST_ROOM_RETRY_MS = 15_000;

/** The longest delay of a timer; only a user ends this wait. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface BlockerOptions {
  /** Names of the generators. */
  hosts: readonly string[];
  signal: AbortSignal;
  /** Writes to the session's log; fails if the disk is full. */
  log(level: 'info' | 'warn', message: string): void;
  onChanged(): void;
}

/**
 * Obstacles that suspend a session without ending it: input needed from a user, a full disk, an unreachable generator. Logs each one once, and its
 * end.
 */
export class Blockers {
  readonly #options: BlockerOptions;
  #needs: Problem | undefined;
  #wake = new AbortController();
  readonly #cut = new Map<string, { words: string; refused: LinkState['refused'] }>();

  constructor(options: BlockerOptions) {
    this.#options = options;
  }

  /** Describes the current obstacle. */
  get words(): string | undefined {
    if (this.#needs) return waitingWords(this.#needs);
    return [...this.#cut.values()].map(({ words }) => words).join(' ') || undefined;
  }

  /** The problem that a user has to resolve. */
  get needs(): Problem | undefined {
    if (this.#needs) return this.#needs;
    for (const { words, refused } of this.#cut.values())
      if (refused)
        return {
          code: refused.what === 'key' ? 'host-key-changed' : 'host-auth-failed',
          host: refused.host,
          message: words,
        };
    return undefined;
  }

  /** Retries the waiting work: a user has provided something, or wants something else. */
  wake(): void {
    this.#wake.abort();
  }

  linkChanged(link: LinkState): void {
    const { host, state, refused } = link;
    if (!this.#options.hosts.includes(host)) return;
    if (state === 'down' && this.#isNew(link)) {
      const words = `${cutWords(link)} Jobs on ${host} keep running; their output is fetched after reconnecting.`;
      this.#cut.set(host, { words, refused });
      this.#log('warn', words);
    } else if (state === 'up' && this.#cut.delete(host)) {
      this.#log('info', `${host} is connected again; fetching missed output.`);
    }
  }

  /** A broken link is logged once, and again if the host needs a user. */
  #isNew({ host, refused }: LinkState): boolean {
    const reported = this.#cut.get(host);
    if (reported === undefined) return true;
    return refused !== undefined && (refused.what !== reported.refused?.what || refused.host !== reported.refused.host);
  }

  /** Something was stored, so there is room. */
  stored(): void {
    if (this.#needs && isOwnDisk(this.#needs)) this.#over();
  }

  /** Ends the wait: the obstacle is gone. */
  #over(): void {
    const before = this.#needs;
    this.#needs = undefined;
    if (!before) return;
    if (isOwnDisk(before))
      this.#log('info', 'This computer has disk space again; recording continued, nothing was lost.');
    else this.#log('info', `The session continues. It was waiting because: ${before.message}`);
  }

  /**
   * Retries work that a full disk stopped, until there is room, and work that needs a user, when `wake` is called. The hosts keep their output
   * meanwhile. `act` calls `advance` when it has got past the obstacle.
   */
  async untilUnblocked(act: (advance: () => void) => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await act(() => this.#needs && !isOwnDisk(this.#needs) && this.#over());
        return;
      } catch (error) {
        const { signal, onChanged } = this.#options;
        if (signal.aborted || !isForPerson(error)) throw error;
        this.#wait(error.problem);
        onChanged();
        this.#wake = new AbortController();
        await pauseFor(retryAfter(error.problem), AbortSignal.any([signal, this.#wake.signal]));
      }
    }
  }

  #wait(problem: Problem): void {
    const isNew = this.#needs?.message !== problem.message;
    this.#needs = problem;
    // With a full disk, there is no room to store it: it is only shown.
    if (isNew && !isOwnDisk(problem)) this.#log('warn', `The session is waiting. ${describeProblem(problem)}`);
  }

  /** The words are shown in any case; a failure to store them too must not break the link that reports them. */
  #log(level: 'info' | 'warn', message: string): void {
    try {
      this.#options.log(level, message);
    } catch (error) {
      if (!isOwnDiskFull(error)) throw error;
      this.#options.onChanged();
    }
  }
}

const isOwnDisk = ({ code, host }: Problem): boolean => code === 'disk-full' && host === undefined;

function retryAfter(problem: Problem): number {
  if (problem.code !== 'disk-full') return LONGEST_WAIT_MS;
  return isOwnDisk(problem) ? ROOM_RETRY_MS : HOST_ROOM_RETRY_MS;
}

const waitingWords = (problem: Problem): string =>
  isOwnDisk(problem)
    ? `${problem.message} Recording is suspended; output stays on the host and is fetched once there is space.`
    : describeProblem(problem);

function cutWords({ host, message, refused }: LinkState): string {
  const why = message ?? '';
  if (refused?.what === 'key')
    return `The key of ${refused.host} has changed, so nothing was sent to it. ${why} Ask its administrator whether the key was replaced; if so, forget the known key on the page of ${refused.host} under Hosts, test the connection, and accept the new one there.`;
  if (refused?.what === 'login')
    return `${refused.host} refused the login. ${why} Kneepoint does not retry, to avoid locking the account: correct the login on the page of ${refused.host} under Hosts.`;
  return `${host} cannot be reached${why && ` (${why})`}.`;
}

import type { SessionState } from '../../../shared/model/session.ts';
import type { Clock } from '../outside.ts';
import { pauseFor } from '../runs/index.ts';

/** Two quick clicks count as one stop. */
const SECOND_STOP_AFTER_MS = 2000;

/** Requests to a session under way, by a user or by the closing app, and the signals that carry them. */
export class SessionRequests {
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  /** A user abandoned a host that does not respond. */
  readonly #abandoning = new AbortController();
  /** Ends every wait: the app closes, or the host was abandoned. */
  readonly ends = AbortSignal.any([this.#closing.signal, this.#abandoning.signal]);
  /** Cuts the rest between trials short. */
  #rest = new AbortController();
  #restCut = false;
  /** A stop cannot be undone. */
  #asked: 'pause' | 'stop' | undefined;
  /** Time of the user's first stop, on the clock of waits. */
  #stopAskedAt: number | undefined;
  #skipping: readonly number[] = [];

  /** The stored state holds requests from before the app went away: pausing and stopping still count. */
  constructor(clock: Clock, state: SessionState) {
    this.#clock = clock;
    this.#asked = state === 'pausing' ? 'pause' : state === 'stopping' ? 'stop' : undefined;
  }

  get pausing(): boolean {
    return this.#asked === 'pause';
  }
  get stopping(): boolean {
    return this.#asked === 'stop';
  }
  /** The pause has cut a rest short, so it can no longer be undone: the trial after it would begin too early. */
  get hasPauseBegun(): boolean {
    return this.pausing && this.#restCut;
  }
  get closing(): AbortSignal {
    return this.#closing.signal;
  }
  get isAbandoned(): boolean {
    return this.#abandoning.signal.aborted;
  }

  pause(): void {
    this.#asked ??= 'pause';
    this.#rest.abort();
  }

  unpause(): void {
    if (this.pausing) this.#asked = undefined;
  }

  skip(runIds: readonly number[]): void {
    this.#skipping = runIds;
  }

  stop(): void {
    this.#stopAskedAt ??= this.#clock.monotonic();
    this.#asked = 'stop';
    this.#rest.abort();
  }

  /** Whether a stop now would be the second one. */
  get isRepeatedStop(): boolean {
    return this.#stopAskedAt !== undefined && this.#clock.monotonic() - this.#stopAskedAt > SECOND_STOP_AFTER_MS;
  }

  abandon(): void {
    this.#abandoning.abort();
  }

  close(): void {
    this.#closing.abort();
    this.#rest.abort();
  }

  /** How a user ended the trial; undefined if no user did. */
  endedBy(runId: number | undefined): 'skipped' | 'stopped' | undefined {
    if (this.stopping) return 'stopped';
    return runId !== undefined && this.#skipping.includes(runId) ? 'skipped' : undefined;
  }

  /** Waits the whole time, even if a user pauses and unpauses meanwhile: a shorter rest is another experiment. */
  async rest(seconds: number): Promise<void> {
    const end = this.#clock.monotonic() + seconds * 1000;
    for (;;) {
      const remaining = end - this.#clock.monotonic();
      this.#restCut = remaining > 0 && this.#asked !== undefined;
      if (remaining <= 0 || this.#asked !== undefined || this.#closing.signal.aborted) return;
      this.#rest = new AbortController();
      await pauseFor(remaining, this.#rest.signal);
    }
  }
}

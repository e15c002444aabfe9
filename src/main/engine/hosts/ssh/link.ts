import type { LinkState } from '../../../../shared/model/host.ts';
import { KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import { cancelled, unlessCancelled } from '../cancel.ts';
import { Channels } from './channels.ts';
import type { Connection } from './connection.ts';

const LATCH_CHECK_MS = 30_000;

/** A new logged-in connection, with the round trip measured while connecting, milliseconds. */
export interface Opened {
  connection: Connection;
  roundTripMs: number;
}

/** A failure that another attempt would only repeat; applies until `holds` returns false or the user acts. */
export interface Latch {
  problem: KneepointError;
  holds: () => boolean;
}

export interface LinkOptions {
  name: string;
  /** One attempt. Calls `latch` before throwing a failure that must not be retried automatically. */
  open(connectLimitMs: number, latch: (latch: Latch) => void): Promise<Opened>;
  onChanged(): void;
  /** Time after which an unused connection is closed. */
  idleAfterMs: number;
}

/** The only connection to a host: opened on first use, shared, reconnected while it is needed, closed when it is not. */
export class Link {
  readonly #options: LinkOptions;
  #state: LinkState;
  #up: { connection: Connection; channels: Channels } | undefined;
  #attempt: Promise<Connection> | undefined;
  #latch: Latch | undefined;
  #needs = 0;
  #uses = 0;
  #failures = 0;
  /** Why it is not up, without the time of the next attempt. */
  #reason: string | undefined;
  #refused: LinkState['refused'];
  #everUp = false;
  #downSince = performance.now();
  #closed = false;
  readonly #retrier = new Retrier(
    () => this.#needs > 0 && !this.#up && !this.#closed,
    () => this.#retry(),
  );
  /** Number of disconnects: the result of an attempt from before one is discarded. */
  #drops = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Number of user actions: an attempt from before one must not latch what the user has just changed. */
  #acts = 0;
  readonly #onUp = new Set<() => void>();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#state = { host: options.name, state: 'idle', since: Date.now() };
  }

  get state(): LinkState {
    return this.#up ? { ...this.#state, channels: this.#up.channels.open } : this.#state;
  }

  get hostKey(): string | undefined {
    return this.#up?.connection.hostKey;
  }

  /** Returns the connection, and opens it if needed. Throws the problem of this attempt, or the latched one without trying. */
  async connection(signal?: AbortSignal): Promise<Connection> {
    if (this.#up) return this.#up.connection;
    if (this.#closed) throw cancelled(this.#options.name);
    this.#throwIfLatched();
    return unlessCancelled(this.#options.name, this.#connectOnce(), signal);
  }

  async channels(signal?: AbortSignal): Promise<Channels> {
    const connection = await this.connection(signal);
    if (this.#up?.connection !== connection) throw connection.lost() ?? new Error('connection replaced while waiting');
    return this.#up.channels;
  }

  /** Keeps the link up, with back-off and without a limit, until the returned function is called. */
  need(): () => void {
    this.#needs += 1;
    this.#retrier.start();
    return this.#release(() => {
      this.#needs -= 1;
      this.#retrier.wake();
    });
  }

  /** Resolves when the link is up; tries until the signal fires. */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.#up) return;
    let onUp: () => void = () => undefined;
    const up = new Promise<void>((resolve) => {
      onUp = resolve;
    });
    this.#onUp.add(onUp);
    const release = this.need();
    try {
      await unlessCancelled(this.#options.name, up, signal);
    } finally {
      this.#onUp.delete(onUp);
      release();
    }
  }

  /** Keeps an existing connection from being closed as idle. */
  use(): () => void {
    this.#uses += 1;
    return this.#release(() => {
      this.#uses -= 1;
    });
  }

  /** Called when the user has acted: clears what stopped the attempts, and ends the pause before the next one. */
  retry(): void {
    this.#acts += 1;
    this.#latch = undefined;
    this.#failures = 0;
    this.#downSince = performance.now();
    this.#retrier.wake();
  }

  /** Disconnects and clears everything learned. If the link is needed, it is opened again. */
  drop(): void {
    this.#drops += 1;
    this.retry();
    this.#up?.connection.close();
    if (!this.#up && this.#needs === 0) this.#set({ state: 'idle' });
  }

  close(): void {
    this.#closed = true;
    this.#needs = 0;
    this.drop();
    clearTimeout(this.#idleTimer);
  }

  #release(change: () => void): () => void {
    clearTimeout(this.#idleTimer);
    let done = false;
    return () => {
      if (done) return;
      done = true;
      change();
      this.#closeWhenIdle();
    };
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    if (this.#needs > 0 || this.#uses > 0 || !this.#up) return;
    this.#idleTimer = setTimeout(() => {
      this.#up?.connection.close();
      this.#set({ state: 'idle' });
    }, this.#options.idleAfterMs);
    this.#idleTimer.unref();
  }

  #throwIfLatched(): void {
    if (!this.#latch) return;
    if (this.#latch.holds()) throw this.#latch.problem;
    this.#latch = undefined;
  }

  #connectOnce(): Promise<Connection> {
    this.#attempt ??= this.#connect().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #connect(): Promise<Connection> {
    this.#set({ state: 'connecting', ...(this.#reason === undefined ? {} : { message: this.#reason }) });
    try {
      const limit = connectLimitMs(this.#everUp, performance.now() - this.#downSince);
      const [acts, drops] = [this.#acts, this.#drops];
      const opened = await this.#options.open(limit, (latch) => {
        if (acts === this.#acts) this.#latch = latch;
      });
      if (drops !== this.#drops) opened.connection.close();
      const lost = opened.connection.lost();
      if (lost) throw lost;
      this.#goUp(opened);
      return opened.connection;
    } catch (error) {
      this.#failures += 1;
      this.#reason = problemOf(error).message;
      this.#refused = refusedBy(error, this.#options.name);
      this.#set({ state: 'down', message: this.#reason });
      throw error;
    }
  }

  #goUp({ connection, roundTripMs }: Opened): void {
    const channels = new Channels(this.#options.name, connection, () => this.#options.onChanged());
    this.#up = { connection, channels };
    this.#latch = undefined;
    this.#reason = undefined;
    this.#refused = undefined;
    this.#everUp = true;
    this.#failures = 0;
    const message = connection.trustedBy === 'known_hosts' ? 'Its key was already trusted in known_hosts.' : undefined;
    this.#set({ state: 'up', roundTripMs, ...(message ? { message } : {}) });
    connection.onLost((problem) => this.#goDown(problem));
    for (const onUp of this.#onUp) onUp();
    this.#closeWhenIdle();
  }

  #goDown(problem: KneepointError): void {
    this.#up = undefined;
    this.#downSince = performance.now();
    clearTimeout(this.#idleTimer);
    this.#reason = problem.problem.message;
    this.#set({ state: 'down', message: this.#reason });
    this.#retrier.start();
  }

  /** Attempts to connect for waiting callers; returns the pause before the next attempt. */
  async #retry(): Promise<number> {
    const acts = this.#acts;
    // A changed key costs no login, so it is checked again whether the right host is back; other latches wait for the user.
    const latched = this.#latch?.holds() === true && this.#latch.problem.code !== 'host-key-changed';
    const message = latched
      ? this.#latch?.problem.problem.message
      : await this.#connectOnce().then(() => undefined, messageOf);
    if (message === undefined || acts !== this.#acts) return 0;
    const pause = this.#latch ? LATCH_CHECK_MS : retryDelayMs(performance.now() - this.#downSince, this.#failures);
    this.#set({
      state: 'down',
      message: this.#latch ? message : `${message} Next attempt in ${Math.ceil(pause / 1000)} s.`,
    });
    return pause;
  }

  #set(change: Pick<LinkState, 'state'> & Partial<LinkState>): void {
    const same = change.state === this.#state.state && change.message === this.#state.message;
    if (same) return;
    const since = change.state === this.#state.state ? this.#state.since : Date.now();
    const refused = change.state === 'down' && this.#refused !== undefined ? { refused: this.#refused } : {};
    this.#state = { host: this.#options.name, since, ...change, ...refused };
    this.#options.onChanged();
  }
}

/** Failures that further attempts do not fix. */
function refusedBy(error: unknown, name: string): LinkState['refused'] {
  if (!(error instanceof KneepointError)) return undefined;
  const host = error.problem.host ?? name;
  if (error.code === 'host-key-changed') return { host, what: 'key' };
  return error.code === 'host-auth-failed' ? { host, what: 'login' } : undefined;
}

const messageOf = (error: unknown): string => problemOf(error).message;

const FAST_PHASE_MS = 5 * 60_000;

/**
 * Milliseconds before the next attempt. Short for the first minutes (a brief outage, a VPN that reconnects), then twice a minute for as
 * long as the host is needed: a laptop may sleep for days while a run continues.
 */
export const retryDelayMs = (downForMs: number, failures: number): number =>
  downForMs < FAST_PHASE_MS ? Math.min(4_000, 500 * 2 ** Math.max(0, failures - 1)) : 30_000;

/** Timeout of a TCP connect. Short while attempts are frequent: a new attempt sends a fresh packet, while the old one only backs off. */
export const connectLimitMs = (reconnecting: boolean, downForMs: number): number =>
  reconnecting && downForMs < FAST_PHASE_MS ? 4_000 : 10_000;

/** Repeats an action with pauses as long as it is wanted; a pause can be cut short. */
class Retrier {
  readonly #wanted: () => boolean;
  readonly #attempt: () => Promise<number>;
  #running = false;
  #wake: () => void = () => undefined;

  /** `attempt` never rejects; it resolves with the milliseconds before the next attempt, if there is one. */
  constructor(wanted: () => boolean, attempt: () => Promise<number>) {
    this.#wanted = wanted;
    this.#attempt = attempt;
  }

  /** Does nothing if it is already running. */
  start(): void {
    if (this.#running || !this.#wanted()) return;
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
      // It may be wanted again since the last check.
      this.start();
    });
  }

  wake(): void {
    this.#wake();
  }

  async #run(): Promise<void> {
    while (this.#wanted()) {
      const pause = await this.#attempt();
      if (this.#wanted()) await this.#sleep(pause);
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

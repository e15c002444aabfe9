import { setTimeout } from 'node:timers/promises';
import type { ClientChannel } from 'ssh2';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { cancelled } from '../cancel.ts';
import { SHELL_COMMAND } from '../shell.ts';
import type { Connection } from './connection.ts';
import { detailsOf } from './link-problems.ts';

/** sshd allows 10 sessions per connection by default (MaxSessions); a user's own tools may share the connection. */
const PLACES = 6;
/** Long-running scripts (followers, monitors) leave one place for short ones, which could never run otherwise. */
const LONG_PLACES = 5;
const QUEUE_LIMIT_MS = 30_000;
const RELEASE_WAIT_MS = 100;
const RELEASE_TRIES = 50;

/** Shell channels of one connection: a few at a time, others wait in a queue. */
export class Channels {
  readonly #host: string;
  readonly connection: Connection;
  readonly #all = new Gate(PLACES);
  readonly #long = new Gate(LONG_PLACES);
  readonly #lost = new AbortController();
  readonly #onCount: () => void;
  #open = 0;
  /** Whether this connection has had a session yet. */
  #served = false;
  #asking = 0;

  constructor(host: string, connection: Connection, onCount: () => void) {
    this.#host = host;
    this.connection = connection;
    this.#onCount = onCount;
    connection.onLost((problem) => this.#lost.abort(problem));
  }

  get open(): number {
    return this.#open;
  }

  async shell(kind: 'short' | 'long', signal: AbortSignal | undefined): Promise<ClientChannel> {
    const releaseLong = kind === 'long' ? await this.#enter(this.#long, signal) : () => undefined;
    try {
      const { channel, release } = await this.#openOne(signal);
      this.#count(1);
      channel.once('close', () => {
        release();
        releaseLong();
        this.#count(-1);
      });
      return channel;
    } catch (error) {
      releaseLong();
      throw error;
    }
  }

  async #openOne(signal: AbortSignal | undefined): Promise<{ channel: ClientChannel; release: () => void }> {
    let triesLeft = RELEASE_TRIES;
    for (;;) {
      const release = await this.#enter(this.#all, signal);
      this.#asking += 1;
      try {
        const channel = await this.connection.shell(SHELL_COMMAND);
        this.#served = true;
        return { channel, release };
      } catch (error) {
        const lost = this.connection.lost();
        if (lost || this.#open + this.#asking === 1) {
          release();
          // A busy server counts a session for a while after its channel was closed: if one was opened before, another one will be
          // possible.
          if (lost || !this.#served || triesLeft-- === 0 || signal?.aborted) throw lost ?? this.#refused(error);
          await setTimeout(RELEASE_WAIT_MS);
        }
        // The server allows fewer sessions than assumed. This place stays occupied for good; the request waits for another.
      } finally {
        this.#asking -= 1;
      }
    }
  }

  async #enter(gate: Gate, signal: AbortSignal | undefined): Promise<() => void> {
    const release = gate.tryEnter();
    if (release) return release;
    const signals = [this.#lost.signal, AbortSignal.timeout(QUEUE_LIMIT_MS), ...(signal ? [signal] : [])];
    try {
      return await gate.enter(AbortSignal.any(signals));
    } catch (error) {
      if (signal?.aborted) throw cancelled(this.#host);
      throw this.connection.lost() ?? this.#busy(error);
    }
  }

  #busy(cause: unknown): KneepointError {
    return new KneepointError(
      {
        code: 'host-refused',
        host: this.#host,
        message: `${this.#host} already runs as many commands as one connection allows, and none ended within 30 s.`,
        safe: 'Running commands are not affected.',
        next: 'Stop a session or a monitor that uses this host, then try again.',
      },
      { cause },
    );
  }

  #refused(cause: unknown): KneepointError {
    return new KneepointError(
      {
        code: 'host-refused',
        host: this.#host,
        message: `${this.#host} accepted the login but refuses to run commands: ${detailsOf(cause).message}.`,
        next: 'Check MaxSessions and the shell of this account on the host.',
      },
      { cause },
    );
  }

  #count(change: number): void {
    this.#open += change;
    this.#onCount();
  }
}

/** Admits a few at a time, in order of arrival. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Returns a function that releases the place (calling it twice is harmless). Undefined if all places are taken. */
  tryEnter(): (() => void) | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return this.#release();
  }

  /** Waits for a place. Throws the signal's reason. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const release = this.tryEnter();
    if (release) return release;
    await this.#turn(signal);
    return this.#release();
  }

  #release(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }
}

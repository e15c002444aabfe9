import type { FactsContext } from '../facts/index.ts';
import type { RunRow } from '../store/store.ts';
import type { Command } from '../tools/tool.ts';
import type { WatchingContext } from '../watching/index.ts';

/** How a trial is led from outside, and how it tells of itself. */
export interface TrialControl {
  /** Aborts when the app closes: the job continues. */
  signal: AbortSignal;
  /** Set when a person ended this trial; the job is then already being stopped. */
  ended(): 'skipped' | 'stopped' | undefined;
  /** Why it was ended where that was not by a person: a sentence. */
  why?(): string | undefined;
  onChanged(): void;
  /** `host`: it is out of reach, and waited for. */
  notice(level: 'info' | 'warn' | 'error', message: string, host?: string): void;
}

/**
 * How late the output of the runs that are being recorded is. It keeps growing while nothing arrives: a link that is down, or a host that
 * stalls, is late by as much as is missing.
 */
export class Lags {
  readonly #runs = new Map<number, Map<number, number>>();

  /** The newest of a generator that has arrived was written at that moment, milliseconds on our clock. */
  note(runId: number, generator: number, writtenAt: number): void {
    const run = this.#runs.get(runId);
    if (run) run.set(generator, writtenAt);
    else this.#runs.set(runId, new Map([[generator, writtenAt]]));
  }

  /** Nothing of this generator is under way any more. */
  forget(runId: number, generator: number): void {
    const run = this.#runs.get(runId);
    run?.delete(generator);
    if (run?.size === 0) this.#runs.delete(runId);
  }

  /** Milliseconds; of several generators the latest, because their sum is complete only then. Undefined while nothing is recorded. */
  of(runId: number, now: number): number | undefined {
    const run = this.#runs.get(runId);
    return run && Math.max(0, now - Math.min(...run.values()));
  }
}

/** Adds the recording of a trial. */
export interface TrialContext extends WatchingContext, FactsContext {
  lags: Lags;
  /** A step as a person would type it, without secrets. */
  shownCommand(command: Command): string;
  /** The samples of a run that has ended are sealed. */
  sealed?(run: RunRow): void;
}

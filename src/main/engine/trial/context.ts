import type { FactsContext } from '../facts/index.ts';
import type { RunRow } from '../store/store.ts';
import type { Command } from '../tools/tool.ts';
import type { WatchingContext } from '../watching/index.ts';

/** External control of a trial, and its reports. */
export interface TrialControl {
  /** Aborts when the app closes: the job continues. */
  signal: AbortSignal;
  /** Set if a user ended this trial; the job is then being stopped already. */
  ended(): 'skipped' | 'stopped' | undefined;
  /** A sentence: why the trial was ended if not by a user. */
  why?(): string | undefined;
  onChanged(): void;
  /** `host`: the unreachable host that is waited for. */
  notice(level: 'info' | 'warn' | 'error', message: string, host?: string): void;
}

/** Delay of the output of runs that are being recorded. It grows while nothing arrives, as with a broken link or a stalled host. */
export class Lags {
  readonly #runs = new Map<number, Map<number, number>>();

  /** `writtenAt`: when the newest output of a generator that has arrived was written, milliseconds on our clock. */
  note(runId: number, generator: number, writtenAt: number): void {
    const run = this.#runs.get(runId);
    if (run) run.set(generator, writtenAt);
    else this.#runs.set(runId, new Map([[generator, writtenAt]]));
  }

  /** No more output of this generator is expected. */
  forget(runId: number, generator: number): void {
    const run = this.#runs.get(runId);
    run?.delete(generator);
    if (run?.size === 0) this.#runs.delete(runId);
  }

  /** Milliseconds; the largest among several generators, because their sum is complete only then. Undefined while nothing is recorded. */
  of(runId: number, now: number): number | undefined {
    const run = this.#runs.get(runId);
    return run && Math.max(0, now - Math.min(...run.values()));
  }
}

/** Adds the recording of a trial. */
export interface TrialContext extends WatchingContext, FactsContext {
  lags: Lags;
  /** A command as a user would type it, without secrets. */
  shownCommand(command: Command): string;
  /** Called when the samples of an ended run are sealed. */
  sealed?(run: RunRow): void;
}

/** Names a run in the log: “Trial 3”, with its step if others run at the same time. */
export function runWords({ store }: Pick<TrialContext, 'store'>, { sessionId, trial, step }: RunRow): string {
  const { name, parallel } = store.sessions.get(sessionId)?.steps[step] ?? {};
  return `Trial ${trial + 1}${parallel === undefined ? '' : `, step “${name}”`}`;
}

import type { RunJudgement } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CommandMonitor } from '../../../shared/model/monitors.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import type { RunRow } from '../store/store.ts';
import type { WorldContext } from '../world/index.ts';

/** Works for the same key wait for each other, in the order in which they came. Works for different keys do not. */
export class OneByOne<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? before.then(work, work) : work();
    this.#last.set(key, mine);
    const forget = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }
}

/** Programs that watch hosts; a kind that is absent is not watched. */
export interface MonitorPrograms {
  host?(options: {
    processes: readonly string[];
    ports?: readonly number[];
    serverPorts?: readonly number[];
    ofJobs?: readonly string[];
  }): MonitorProgram;
  command?(spec: CommandMonitor): MonitorProgram;
  /** Whether servers are asked for their counters. */
  servers?: boolean;
  /** How long the first trial waits for the first samples, milliseconds from the start of the monitors; absent: it does not wait. */
  firstSampleMs?: number;
}

/** What is made of all that was watched in a run; without a judgement there is nothing to say of it. */
export interface JudgedRun {
  /** Of the rules by which it was judged. */
  readonly version: number;
  readonly findings: readonly Finding[];
  readonly judgement?: RunJudgement;
  /** Whether nothing by which it was judged has changed since. */
  isStill(): boolean;
}

/** Adds monitors, and the judging of a run by their series. */
export interface WatchingContext extends WorldContext {
  monitors: MonitorPrograms;
  /** Works out what bounds a run from all that was watched in it: in turns, as that takes seconds for a long run. */
  judge(run: RunRow, signal?: AbortSignal): Promise<JudgedRun>;
  /** Runs that are being judged, by their ids. */
  judgings: OneByOne<number>;
  /** All that was watched in a session beside its tool is sealed. */
  sealedWatched?(sessionId: number): void;
}

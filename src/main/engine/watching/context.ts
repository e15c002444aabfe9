import type { RunJudgement } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CommandMonitor } from '../../../shared/model/monitors.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import type { RunRow } from '../store/store.ts';
import type { WorldContext } from '../world/index.ts';

/** Runs work for the same key one by one, in order of arrival. Work for different keys runs independently. */
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

/** Programs that monitor hosts; a kind that is absent is not monitored. */
export interface MonitorPrograms {
  host?(options: {
    processes: readonly string[];
    ports?: readonly number[];
    serverPorts?: readonly number[];
    ofJobs?: readonly string[];
  }): MonitorProgram;
  command?(spec: CommandMonitor): MonitorProgram;
  /** Whether counters of servers are read. */
  servers?: boolean;
  /** How long the first trial waits for the first samples, milliseconds from the start of the monitors; absent: it does not wait. */
  firstSampleMs?: number;
}

/** Result of judging a run by its monitoring data. Without a judgement there was nothing to judge. */
export interface JudgedRun {
  /** Version of the rules by which it was judged. */
  readonly version: number;
  readonly findings: readonly Finding[];
  readonly judgement?: RunJudgement;
  /** Whether its input is still unchanged. */
  isStill(): boolean;
}

/** Adds monitors, and the judging of a run by their series. */
export interface WatchingContext extends WorldContext {
  monitors: MonitorPrograms;
  /** Determines the bottleneck of a run from all its monitoring data. Yields to other work, as that takes seconds for a long run. */
  judge(run: RunRow, signal?: AbortSignal): Promise<JudgedRun>;
  /** Runs that are being judged, by their ids. */
  judgings: OneByOne<number>;
  /** Called when all monitoring data of a session is sealed. */
  sealedWatched?(sessionId: number): void;
}

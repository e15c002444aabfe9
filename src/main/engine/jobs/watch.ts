import { setTimeout as delay } from 'node:timers/promises';
import type { Machine } from '../hosts/machine.ts';
import { isLinkLoss } from './protocol.ts';
import { fetchReport, type JobReport } from './status.ts';

/**
 * The reports of one job, shared by all who follow one of its files: one short exec every few seconds (sooner at first, rarer while it is heard
 * of), however many they are.
 */
export interface Watch {
  /** The latest one; undefined before the first. */
  latest(): JobReport | undefined;
  /** Resolves with the next report; rejects with an error that is no link loss (those are waited out). */
  next(): Promise<JobReport>;
  /** Its supervisor has just written something: it is running. */
  heard(): void;
  close(): void;
}

/** Watches of jobs, each shared by all who follow one of its files. */
export interface Watches {
  /**
   * `everyMs`: between two looks, for who needs not know at once that it has ended. `dueMs`: it is expected to end so long from now. The first who
   * follows says it for all.
   */
  of(machine: Machine, id: string, everyMs?: number, dueMs?: number): Watch;
  /** Something is known to have happened to a job: it is looked at now. */
  hasten(machine: Machine, id: string): void;
}

interface Shared {
  users: number;
  /** Ends the pause between two looks. */
  hurry: AbortController;
  latest: JobReport | undefined;
  next: PromiseWithResolvers<JobReport>;
  /** When its supervisor was heard of, by `performance.now()`. */
  heardAt: number;
  stop: AbortController;
}

/** The first reports come sooner than the later ones: many a step is over in a moment, and nothing is measured that early. So when its end is due. */
const FIRST_PAUSE_MS = 400;
/** A supervisor writes a line each second: after two without one it is looked at. */
const SILENT_MS = 2_000;
/** Of a job that is heard of, only one look in so many: whether what was delivered is all there is. */
const SPARED_LOOKS = 5;

export function createWatches(pollMs: number, firstPollMs = FIRST_PAUSE_MS): Watches {
  const machines = new WeakMap<Machine, Map<string, Shared>>();

  const poll = async (
    machine: Machine,
    id: string,
    shared: Shared,
    { everyMs, dueMs = Number.POSITIVE_INFINITY }: { everyMs: number; dueMs: number | undefined },
  ): Promise<void> => {
    const { signal } = shared.stop;
    const firstMs = Math.min(firstPollMs, everyMs);
    const soonMs = Math.min(FIRST_PAUSE_MS, everyMs);
    let due = performance.now() + dueMs;
    let pauseMs = firstMs;
    while (!signal.aborted) {
      try {
        await machine.ready(signal);
        const report = await fetchReport(machine, id, signal);
        shared.latest = report;
        const { resolve } = shared.next;
        shared.next = newNext();
        resolve(report);
      } catch (error) {
        if (!signal.aborted && !isLinkLoss(error)) {
          // Those who follow now get the error; whoever comes later starts a polling of his own.
          machines.get(machine)?.delete(id);
          shared.next.reject(error);
          return;
        }
      }
      const ends = AbortSignal.any([signal, shared.hurry.signal]);
      const leftMs = (): number => due - performance.now();
      await pause(Math.max(0, Math.min(pauseMs, leftMs())), ends);
      if (pauseMs === everyMs) await whileHeard(shared, everyMs * (SPARED_LOOKS - 1), leftMs, ends);
      shared.hurry = new AbortController();
      const isDue = leftMs() < 1;
      if (isDue) due = Number.POSITIVE_INFINITY;
      pauseMs = isDue ? soonMs : Math.min(pauseMs * 2, everyMs);
    }
  };

  const of: Watches['of'] = (machine, id, everyMs = pollMs, dueMs = undefined) => {
    const jobs = machines.get(machine) ?? new Map<string, Shared>();
    machines.set(machine, jobs);
    let shared = jobs.get(id);
    if (!shared) {
      shared = {
        ...{ users: 0, latest: undefined, next: newNext(), heardAt: Number.NEGATIVE_INFINITY },
        ...{ hurry: new AbortController(), stop: new AbortController() },
      };
      jobs.set(id, shared);
      void poll(machine, id, shared, { everyMs, dueMs });
    }
    const mine = shared;
    mine.users++;
    return {
      latest: () => mine.latest,
      next: () => mine.next.promise,
      heard() {
        mine.heardAt = performance.now();
      },
      close() {
        mine.users--;
        if (mine.users > 0) return;
        mine.stop.abort();
        if (jobs.get(id) === mine) jobs.delete(id);
      },
    };
  };
  return { of, hasten: (machine, id) => machines.get(machine)?.get(id)?.hurry.abort() };
}

/** Resolves when the job has fallen silent, its end is due (`leftMs`), the time is over, or the signal fires. */
async function whileHeard(shared: Shared, longestMs: number, leftMs: () => number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + longestMs;
  while (!signal.aborted) {
    const now = performance.now();
    const ms = Math.min(shared.heardAt + SILENT_MS - now, until - now, leftMs());
    if (ms < 1) return;
    await pause(ms, signal);
  }
}

/** Resolves after the time, or at once when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function newNext(): PromiseWithResolvers<JobReport> {
  const next = Promise.withResolvers<JobReport>();
  // Nobody may be waiting when it fails; whoever asks gets the error.
  next.promise.catch(() => undefined);
  return next;
}

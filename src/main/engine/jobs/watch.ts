import { setTimeout as delay } from 'node:timers/promises';
import type { Machine } from '../hosts/machine.ts';
import { isLinkLoss } from './protocol.ts';
import { fetchReport, type JobReport } from './status.ts';

/**
 * The reports of one job, shared by all who follow one of its files: one short exec when its end was read, and otherwise every few seconds, rarer
 * while its supervisor writes, however many they are.
 */
export interface Watch {
  /** The latest one; undefined before the first. */
  latest(): JobReport | undefined;
  /** Resolves with the next report; rejects with an error that is no link loss (those are waited out). */
  next(): Promise<JobReport>;
  /** Its supervisor, or a tool that prints each second, has just written something: it is running. */
  heard(): void;
  /** The last line of its index was read: its end is published at any moment. */
  ending(): void;
  close(): void;
}

/** Watches of jobs, each shared by all who follow one of its files. */
export interface Watches {
  /** `everyMs`: between two looks, for a caller that need not know at once that it has ended. The first follower decides for all. */
  of(machine: Machine, id: string, everyMs?: number): Watch;
  /** Something is known to have happened to a job: it is looked at now. */
  hasten(machine: Machine, id: string): void;
}

interface Shared {
  users: number;
  /** Ends the pause between two looks. */
  hurry: AbortController;
  latest: JobReport | undefined;
  next: PromiseWithResolvers<JobReport>;
  /** When it last wrote something, by `performance.now()`. */
  heardAt: number;
  isEnding: boolean;
  stop: AbortController;
}

/** The first reports come sooner than the later ones: a file that was read to its end says nothing more. */
const FIRST_PAUSE_MS = 400;
/** The end is published right after the last line of the index, but for a disk that is full. */
const ENDING_PAUSE_MS = 50;
/** A supervisor writes a line each second: after two without one it is looked at. */
const SILENT_MS = 2_000;
/** Of a job that is heard of, only one look in so many: whether what was delivered is all there is. */
const SPARED_LOOKS = 5;

export function createWatches(pollMs: number, firstPollMs = FIRST_PAUSE_MS): Watches {
  const machines = new WeakMap<Machine, Map<string, Shared>>();

  const poll = async (machine: Machine, id: string, shared: Shared, everyMs: number): Promise<void> => {
    const { signal } = shared.stop;
    let pauseMs = Math.min(firstPollMs, everyMs);
    let wasEnding = false;
    while (!signal.aborted) {
      const ends = AbortSignal.any([signal, shared.hurry.signal]);
      await pause(pauseMs, ends);
      await whileHeard(shared, everyMs * SPARED_LOOKS - pauseMs, ends);
      shared.hurry = new AbortController();
      if (signal.aborted) return;
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
      pauseMs = Math.min(shared.isEnding && !wasEnding ? ENDING_PAUSE_MS : pauseMs * 2, everyMs);
      wasEnding = shared.isEnding;
    }
  };

  const of: Watches['of'] = (machine, id, everyMs = pollMs) => {
    const jobs = machines.get(machine) ?? new Map<string, Shared>();
    machines.set(machine, jobs);
    let shared = jobs.get(id);
    if (!shared) {
      shared = {
        ...{ users: 0, latest: undefined, next: newNext(), heardAt: Number.NEGATIVE_INFINITY, isEnding: false },
        ...{ hurry: new AbortController(), stop: new AbortController() },
      };
      jobs.set(id, shared);
      void poll(machine, id, shared, everyMs);
    }
    const mine = shared;
    mine.users++;
    return {
      latest: () => mine.latest,
      next: () => mine.next.promise,
      heard() {
        mine.heardAt = performance.now();
      },
      ending() {
        mine.isEnding = true;
        mine.hurry.abort();
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

/** Resolves when the job has fallen silent or is ending, the time is over, or the signal fires. */
async function whileHeard(shared: Shared, longestMs: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + longestMs;
  while (!signal.aborted && !shared.isEnding) {
    const now = performance.now();
    const ms = Math.min(shared.heardAt + SILENT_MS - now, until - now);
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

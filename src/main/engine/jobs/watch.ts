import { setTimeout as delay } from 'node:timers/promises';
import type { Machine } from '../hosts/machine.ts';
import { isLinkLoss } from './protocol.ts';
import { fetchReport, type JobReport } from './status.ts';

/**
 * Reports of one job, shared by all followers of its files: one short exec when its end was read, otherwise every few seconds, less often
 * while its supervisor writes, however many followers there are.
 */
export interface Watch {
  /** The latest report; undefined before the first. */
  latest(): JobReport | undefined;
  /** Resolves with the next report; rejects with an error other than a link loss (which is waited out). */
  next(): Promise<JobReport>;
  /** Call when its supervisor, or a tool that prints each second, has just written something: it is running. */
  noteOutput(): void;
  /** Call when the last line of its index was read: its end will be published at any moment. */
  ending(): void;
  close(): void;
}

/** Watches of jobs, each shared by all followers of its files. */
export interface Watches {
  /** `everyMs`: interval of polls, for a caller that need not know the end immediately. The first follower decides for all. */
  of(machine: Machine, id: string, everyMs?: number): Watch;
  /** Polls a job immediately, because something has happened to it. */
  pollNow(machine: Machine, id: string): void;
}

interface Shared {
  users: number;
  /** Ends the pause between two polls. */
  pauseEnd: AbortController;
  latest: JobReport | undefined;
  next: PromiseWithResolvers<JobReport>;
  /** Time of its last output, on `performance.now()`. */
  lastOutputAt: number;
  isEnding: boolean;
  stop: AbortController;
}

/** The first reports come sooner than later ones: a file that was read to its end gives no more information. */
const FIRST_PAUSE_MS = 400;
/** The end is published right after the last line of the index, unless the disk is full. */
const ENDING_PAUSE_MS = 50;
/** A supervisor writes a line each second: after two without one, its state is polled. */
const SILENT_MS = 2_000;
/** For a job with recent output, only one in this many polls is done, to check whether everything was delivered. */
const SKIPPED_POLLS = 5;

export function createWatches(pollMs: number, firstPollMs = FIRST_PAUSE_MS): Watches {
  const machines = new WeakMap<Machine, Map<string, Shared>>();

  const poll = async (machine: Machine, id: string, shared: Shared, everyMs: number): Promise<void> => {
    const { signal } = shared.stop;
    let pauseMs = Math.min(firstPollMs, everyMs);
    let wasEnding = false;
    while (!signal.aborted) {
      const ends = AbortSignal.any([signal, shared.pauseEnd.signal]);
      await pause(pauseMs, ends);
      await whileActive(shared, everyMs * SKIPPED_POLLS - pauseMs, ends);
      shared.pauseEnd = new AbortController();
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
          // Current followers get the error; a later one starts a new poll.
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
        ...{ users: 0, latest: undefined, next: newNext(), lastOutputAt: Number.NEGATIVE_INFINITY, isEnding: false },
        ...{ pauseEnd: new AbortController(), stop: new AbortController() },
      };
      jobs.set(id, shared);
      void poll(machine, id, shared, everyMs);
    }
    const own = shared;
    own.users++;
    return {
      latest: () => own.latest,
      next: () => own.next.promise,
      noteOutput() {
        own.lastOutputAt = performance.now();
      },
      ending() {
        own.isEnding = true;
        own.pauseEnd.abort();
      },
      close() {
        own.users--;
        if (own.users > 0) return;
        own.stop.abort();
        if (jobs.get(id) === own) jobs.delete(id);
      },
    };
  };
  return { of, pollNow: (machine, id) => machines.get(machine)?.get(id)?.pauseEnd.abort() };
}

/** Resolves when the job is silent or ending, the time is over, or the signal fires. */
async function whileActive(shared: Shared, longestMs: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + longestMs;
  while (!signal.aborted && !shared.isEnding) {
    const now = performance.now();
    const ms = Math.min(shared.lastOutputAt + SILENT_MS - now, until - now);
    if (ms < 1) return;
    await pause(ms, signal);
  }
}

/** Resolves after the time, or immediately when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function newNext(): PromiseWithResolvers<JobReport> {
  const next = Promise.withResolvers<JobReport>();
  // It may fail without a waiter; a later caller gets the error.
  next.promise.catch(() => undefined);
  return next;
}

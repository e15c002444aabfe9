import { KneepointError, type Problem, problemOf } from '../model/problem.ts';
import { isObject } from '../util/object.ts';
import type { Progress } from './define.ts';

/** Messages on the wire. `id` identifies one call or stream of one connection. */
export type Wire =
  | { k: 'hello'; protocol: number }
  | { k: 'bye'; problem: Problem }
  /** `progress`: the caller displays the progress of its call. */
  | { k: 'ask'; id: number; path: string; input: unknown; credit: number; progress?: boolean }
  | { k: 'credit'; id: number; credit: number }
  | { k: 'cancel'; id: number }
  | { k: 'progress'; id: number; at: Progress }
  | { k: 'result'; id: number; value: unknown }
  | { k: 'items'; id: number; values: unknown[] }
  | { k: 'end'; id: number }
  | { k: 'error'; id: number; problem: Problem };

/** Number of items that a stream's producer may be ahead of its reader. */
export const WINDOW = 64;
/** Items are collected for this long before they are sent: one frame per item costs a page ten times as much. */
export const TICK_MS = 16;

const LONGEST_PATH = 200;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isProblem = (value: unknown): boolean =>
  isObject(value) && typeof value.code === 'string' && typeof value.message === 'string';

const isProgress = (at: unknown): boolean =>
  isObject(at) && typeof at.what === 'string' && typeof at.unit === 'string' && isCount(at.done) && isCount(at.of);

const SHAPES: Readonly<Record<Wire['k'], (message: Record<string, unknown>) => boolean>> = {
  hello: ({ protocol }) => typeof protocol === 'number',
  bye: ({ problem }) => isProblem(problem),
  ask: ({ id, path, credit, progress = false }) =>
    isCount(id) &&
    typeof path === 'string' &&
    path.length <= LONGEST_PATH &&
    isCount(credit) &&
    typeof progress === 'boolean',
  credit: ({ id, credit }) => isCount(id) && isCount(credit),
  cancel: ({ id }) => isCount(id),
  progress: ({ id, at }) => isCount(id) && isProgress(at),
  result: ({ id }) => isCount(id),
  items: ({ id, values }) => isCount(id) && Array.isArray(values),
  end: ({ id }) => isCount(id),
  error: ({ id, problem }) => isCount(id) && isProblem(problem),
};

/** A received message of the protocol; undefined if it is none. Its values are checked by schemas later. */
export function wireOf(raw: unknown): Wire | undefined {
  if (!isObject(raw) || typeof raw.k !== 'string' || !Object.hasOwn(SHAPES, raw.k)) return undefined;
  return SHAPES[raw.k as Wire['k']](raw) ? (raw as Wire) : undefined;
}

/** Values that a transport cannot carry (functions, cycles) must not break the connection. */
export function wireProblem(error: unknown): Problem {
  const problem = problemOf(error);
  try {
    JSON.stringify(problem.details);
    return problem;
  } catch {
    return { ...problem, details: String(problem.details) };
  }
}

export const cancelled = (): KneepointError => new KneepointError({ code: 'cancelled', message: 'Cancelled.' });

/** Sent to the other side if its message was not understood, before the connection ends. */
export const notUnderstood = (): KneepointError =>
  new KneepointError({
    code: 'bad-request',
    message: 'The connection was closed, as a message on it could not be parsed.',
    safe: 'Nothing was changed. Runs on hosts continue, and everything measured so far is stored.',
    next: 'Reload the page; if that does not help, restart Kneepoint.',
  });

export const disconnected = (): KneepointError =>
  new KneepointError({
    code: 'disconnected',
    message: 'The connection to the engine ended.',
    safe: 'Runs on hosts continue, and everything measured so far is stored.',
    next: 'Reconnecting.',
  });

/** Receives messages from the other side for one id; `fail` is called when the connection ends. */
export interface Pending {
  receive(message: Wire): void;
  fail(error: KneepointError): void;
}

/** One end of a connection, as calls and streams use it. */
export interface Connection {
  /** Why the connection is unusable; undefined while it works. */
  readonly dead: () => KneepointError | undefined;
  open(pending: Pending): number;
  close(id: number): void;
  send(message: Wire): void;
}

/** Both ends send this number first; a page of another build is asked to reload. */
export const PROTOCOL = 1;

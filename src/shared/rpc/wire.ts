import { KneepointError, type Problem, problemOf } from '../model/problem.ts';

/** What travels. `id` names one call or stream of one connection. */
export type Wire =
  | { k: 'hello'; protocol: number }
  | { k: 'bye'; problem: Problem }
  | { k: 'ask'; id: number; path: string; input: unknown; credit: number }
  | { k: 'credit'; id: number; credit: number }
  | { k: 'cancel'; id: number }
  | { k: 'result'; id: number; value: unknown }
  | { k: 'items'; id: number; values: unknown[] }
  | { k: 'end'; id: number }
  | { k: 'error'; id: number; problem: Problem };

/** Items a stream's producer may be ahead of its reader. */
export const WINDOW = 64;
/** Items are collected for this long before they travel: one frame per item costs a page ten times as much. */
export const TICK_MS = 16;

/** Text that a transport could not carry (functions, cycles) must not take the connection down with it. */
export function wireProblem(error: unknown): Problem {
  const problem = problemOf(error);
  try {
    JSON.stringify(problem.details);
    return problem;
  } catch {
    return { ...problem, details: String(problem.details) };
  }
}

export const disconnected = (): KneepointError =>
  new KneepointError({
    code: 'disconnected',
    message: 'The connection to the engine ended.',
    safe: 'Runs on hosts go on, and everything measured so far is stored.',
    next: 'It is being connected again.',
  });

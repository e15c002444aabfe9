import { KneepointError } from '../../../../shared/model/problem.ts';
import type { RunsContext } from '../context.ts';
import { databaseKey } from '../occupied.ts';

type Busy = Pick<RunsContext, 'store' | 'dataWork'>;

/** One at a time in a database, and no start meanwhile: a load would meet tables that are being dropped. */
export async function alone<T>(context: Busy, target: string, words: string, work: () => Promise<T>): Promise<T> {
  const place = databaseKey(context.store, target);
  requireNoDataWork(context, target);
  context.dataWork.set(place, words);
  try {
    return await work();
  } finally {
    context.dataWork.delete(place);
  }
}

/** Throws `conflict` while a data set in the target's database is being counted or removed. */
export function requireNoDataWork(context: Busy, target: string): void {
  const words = context.dataWork.get(databaseKey(context.store, target));
  if (words === undefined) return;
  throw new KneepointError({
    code: 'conflict',
    message: `${words} Its database is not to be used meanwhile.`,
    target,
    safe: 'Nothing was started.',
    next: 'Wait until that has ended, then try again.',
  });
}

import type { DataSetKind } from '../../../shared/model/data-set.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { DataContext } from './kind.ts';
import { kindOf } from './kinds.ts';

type Busy = Pick<DataContext, 'store' | 'dataWork'>;
interface Place {
  kind: DataSetKind;
  /** Name of the target or of the host. */
  place: string;
}

const keyOf = ({ store }: Busy, { kind, place }: Place): string => `${kind} ${kindOf({ kind }).placeKey(store, place)}`;

/** One at a time in a place, and no start meanwhile: a load would meet data that is being removed. */
export async function alone<T>(context: Busy, place: Place, words: string, work: () => Promise<T>): Promise<T> {
  const key = keyOf(context, place);
  requireNoDataWork(context, place);
  context.dataWork.set(key, words);
  try {
    return await work();
  } finally {
    context.dataWork.delete(key);
  }
}

/** Throws `conflict` while a data set in this place is being looked at or removed by a person. */
export function requireNoDataWork(context: Busy, place: Place): void {
  const words = context.dataWork.get(keyOf(context, place));
  if (words === undefined) return;
  throw new KneepointError({
    code: 'conflict',
    message: `${words} Its ${place.kind === 'tables' ? 'database' : 'host'} cannot be used meanwhile.`,
    ...kindOf(place).at(place.place),
    safe: 'Nothing was started.',
    next: 'Wait until that has ended, then try again.',
  });
}

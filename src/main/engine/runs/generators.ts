import type { Machine } from '../hosts/machine.ts';
import { hostsOf, type Step } from '../plans/index.ts';
import type { Part } from '../tools/tool.ts';
import type { RunsContext } from './context.ts';

/** A host that generates load, and its place among the generators. */
export interface Generator {
  machine: Machine;
  part: Part;
}

/** Returns the generators of a step in document order; there is at least one. */
export const generatorsOf = (
  context: Pick<RunsContext, 'machines'>,
  step: Pick<Step, 'generators' | 'on'>,
): Generator[] =>
  hostsOf(step).map((name, index, { length }) => ({
    machine: context.machines.get(name),
    part: { index, count: length },
  }));

/** Runs all tasks at once. If one fails, aborts the others, waits until they have settled, and throws the first cause. */
export async function allOrNone<T>(
  signal: AbortSignal,
  tasks: readonly ((signal: AbortSignal) => Promise<T>)[],
): Promise<T[]> {
  const callOff = new AbortController();
  const either = AbortSignal.any([signal, callOff.signal]);
  let failure: { cause: unknown } | undefined;
  const results = await Promise.allSettled(
    tasks.map((task) =>
      task(either).catch((error: unknown) => {
        failure ??= { cause: error };
        callOff.abort();
        throw error;
      }),
    ),
  );
  if (failure) throw failure.cause;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

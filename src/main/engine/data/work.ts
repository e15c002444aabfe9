import type { DataSetKind } from '../../../shared/model/data-set.ts';
import { KneepointError, type Problem, problemKind } from '../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { capital } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import { nodeOn } from '../plans/index.ts';
import { type Occupancy, occupiedProblem, toolOf } from '../runs/index.ts';
import type { DataSetRow } from '../store/store.ts';
import { runJobStep } from '../trial/index.ts';
import { keepForAWhile } from '../world/index.ts';
import type { DataContext, DataKind } from './kind.ts';
import { kindOf } from './kinds.ts';
import { type Seen, seenOf, wrongWords } from './seen.ts';
import { recordInspection, setsIn } from './sets.ts';

interface SetRef {
  kind: DataSetKind;
  id: number;
}

/** A data set, the name of its place, and its kind. */
interface Known {
  set: DataSetRow;
  place: string;
  kind: DataKind;
}

/** Checks a data set and records the result. Throws `conflict` while a session uses its place. */
export async function inspectDataSet(
  context: DataContext,
  sessions: Occupancy,
  ref: SetRef,
  signal: AbortSignal,
): Promise<DataSetRow> {
  const known = find(context, ref);
  const { set, place } = known;
  requireFree(sessions, known);
  return alone(context, { ...set, place }, `${titleOf(set)} is being checked.`, async () =>
    recordInspection(context, set, await inspectSet(context, known, signal)),
  );
}

/**
 * Cleans up a data set with the tool that made it, and deletes it once it no longer exists. Throws `conflict` while a session uses the
 * place or the host that cleans up, or another data set uses one of the parts; `run-failed` if the step failed or left some.
 */
export async function removeDataSet(
  context: DataContext,
  sessions: Occupancy,
  { generator, ...ref }: SetRef & { generator?: string | undefined },
  signal: AbortSignal,
): Promise<DataSetRow> {
  const known = find(context, ref);
  const { set, place, kind } = known;
  const machine = context.machines.get(kind.cleanerOf(set, place, generator));
  requireFree(sessions, known, machine.name);
  requireOwnParts(context, known);
  return alone(context, { ...set, place }, `${titleOf(set)} is being removed.`, async () => {
    const connection = await kind.connection(context, place, machine.name);
    await cleanUp(context, set, { machine, connection, at: kind.at(place) }, kind.words, signal);
    const seen = await kind.untilReachable(context, place, { signal }, () => inspectSet(context, known, signal));
    if (!seen.empty) throw leftoverProblem(known, recordInspection(context, set, seen), seen);
    context.store.dataSets[set.kind].remove(set.id);
    context.dataChanged();
    return { ...set, state: 'gone', parts: [...seen.parts] };
  });
}

const inspectSet = async (context: DataContext, { set, place, kind }: Known, signal: AbortSignal): Promise<Seen> =>
  seenOf(kind, await kind.inspect(context, place, set, signal));

const titleOf = (set: DataSetRow): string => capital(`${kindOf(set).words.noun} ${set.id}`);

function find({ store }: DataContext, ref: SetRef): Known {
  const kind = kindOf(ref);
  const set = store.dataSets[ref.kind].get(ref.id);
  const place = set && kind.places(store).find(({ id }) => id === set.placeId)?.name;
  if (set && place !== undefined) return { set, place, kind };
  throw new KneepointError({
    code: 'not-found',
    message: `There is no ${kind.words.noun} ${ref.id}.`,
    safe: 'Nothing was changed.',
    next: 'It may have been removed or replaced: reload the list.',
  });
}

function requireFree(sessions: Occupancy, { place, kind }: Known, generator?: string): void {
  const occupant = sessions.occupant(kind.loads(place, generator));
  if (occupant) throw occupiedProblem(occupant);
}

/** A newer set owns these parts now. */
function requireOwnParts({ store }: DataContext, { set, place, kind }: Known): void {
  const other = setsIn(store, { ...set, place }).find(({ id, state }) => id > set.id && state !== 'gone');
  if (!other) return;
  const { noun, parts } = kind.words;
  const shared = set.parts.filter(({ name }) => other.parts.some((part) => part.name === name));
  throw new KneepointError({
    code: 'conflict',
    message: `${titleOf(other)} (${other.title}) uses some of these ${parts} now: ${shared.map(({ name }) => name).join(', ')}.`,
    ...kind.at(place),
    safe: 'Nothing was changed.',
    next: `Remove ${noun} ${other.id} first.`,
  });
}

function leftoverProblem({ place, kind }: Known, set: DataSetRow, seen: Seen): KneepointError {
  const { parts, inspect: again, byHand } = kind.words;
  const where = set.directory === '' ? 'there' : `in ${set.directory}`;
  return new KneepointError({
    code: 'run-failed',
    message: `The clean-up step of ${set.tool} ended, but ${parts} are still ${where} (${wrongWords(kind, seen) || 'all of them'}).`,
    ...kind.at(place),
    safe: `${titleOf(set)} stays listed.`,
    next: `They may have been recreated; ${again} again, or ${byHand}`,
  });
}

type Busy = Pick<DataContext, 'store' | 'dataWork'>;
interface Place {
  kind: DataSetKind;
  /** Name of the target or host. */
  place: string;
}

const keyOf = ({ store }: Busy, { kind, place }: Place): string => `${kind} ${kindOf({ kind }).placeKey(store, place)}`;

/** One operation per place at a time, and no session start meanwhile: it would load data that is being removed. */
async function alone<T>(context: Busy, place: Place, words: string, work: () => Promise<T>): Promise<T> {
  const key = keyOf(context, place);
  requireNoDataWork(context, place);
  context.dataWork.set(key, words);
  try {
    return await work();
  } finally {
    context.dataWork.delete(key);
  }
}

/** Throws `conflict` while a user is checking or removing a data set in this place. */
export function requireNoDataWork(context: Busy, place: Place): void {
  const words = context.dataWork.get(keyOf(context, place));
  if (words === undefined) return;
  throw new KneepointError({
    code: 'conflict',
    message: `${words} Its ${place.kind === 'tables' ? 'database' : 'host'} cannot be used meanwhile.`,
    ...kindOf(place).at(place.place),
    safe: 'Nothing was started.',
    next: 'Wait until it has finished, then try again.',
  });
}

interface DataPlace {
  /** The machine that runs the tool. */
  machine: Machine;
  connection: ConnectionFacts;
  /** Target or host to name in problems. */
  at: Pick<Problem, 'target' | 'host'>;
}

/** Words for error messages: "this data", and what a user can do if the tool has no clean-up. */
interface Words {
  noun: string;
  it: string;
  byHand: string;
}

/**
 * Runs the clean-up of the tool that made a set, planned from the set's recipe. Throws `unsupported` if the tool has no such step, and
 * `run-failed` or `job-lost` if the step failed.
 */
async function cleanUp(
  context: DataContext,
  { tool: id, recipe }: Pick<DataSetRow, 'tool' | 'recipe'>,
  { machine, connection, at }: DataPlace,
  { it, noun, byHand }: Words,
  signal: AbortSignal,
): Promise<void> {
  const tool = toolOf(context, id);
  const { warmup, duration, seed } = recipe;
  const options = tool.options.parse(recipe.options);
  const nodePath = nodeOn(machine.name, context.nodePath);
  const { assetsDir } = context;
  const { cleanup } = tool.plan({ options, connection, warmup, duration, seed, nodePath, assetsDir });
  if (!cleanup)
    throw new KneepointError({
      code: 'unsupported',
      message: `${tool.title} has no clean-up step for ${it}.`,
      ...at,
      safe: 'Nothing was changed.',
      next: capital(byHand),
    });
  const warnings: string[] = [];
  const control = {
    signal,
    ended: () => undefined,
    onChanged: () => {},
    notice: (level: 'info' | 'warn' | 'error', message: string) => {
      if (level !== 'info') warnings.push(context.redact(message));
    },
  };
  const save = (job: { host: string; jobId: string } | undefined): void => {
    if (job) keepForAWhile(context, job);
  };
  try {
    const job = { kind: 'cleanup', command: cleanup, underWay: undefined, save } as const;
    await runJobStep(context, { tool, options }, machine, control, job);
  } catch (error) {
    if (!(error instanceof KneepointError) || problemKind(error)?.about !== 'step') throw error;
    const safe = `The ${noun} stays listed.`;
    throw new KneepointError({ ...error.problem, ...at, safe, details: warnings.join('\n') }, { cause: error });
  }
}

import { rowsFit } from '../../../shared/model/data-set.ts';
import { dataOf } from '../plans/index.ts';
import {
  databaseKey,
  databaseOf,
  seenFrom,
  serverTarget,
  toFirst,
  untilTargetReachable,
  workloadOf,
} from '../runs/index.ts';
import type { DataPart } from '../store/store.ts';
import type { DataNeed } from '../tools/tool.ts';
import type { DataKind } from './kind.ts';
import { TABLE_WORDS } from './words.ts';

const rowsOf = ({ size, runs }: DataPart) => ({ name: '', rows: size, ...(runs && { runs }) });

/** The key has the place only if a cell chose the target, so data of earlier sessions is still found by its tables. */
const keyOf = (shape: string, wanted: DataNeed['tables'], place: readonly string[]): string =>
  JSON.stringify([shape, wanted, ...place]);

/** Tables of a target. Counting their rows reads them into the caches that are measured. */
export const tables: DataKind = {
  kind: 'tables',
  words: TABLE_WORDS,
  isCheapToInspect: false,
  addsParts: false,

  placesIn: ({ targets }) => targets,
  places: (store) => store.targets.list().map(({ id, spec }) => ({ id, name: spec.name })),
  placeKey: databaseKey,
  at: (target) => ({ target }),
  loads: (target, generator) => ({ generators: generator === undefined ? [] : [generator], targets: [target] }),
  cleanerOf: ({ recipe }, _target, generator) => generator ?? recipe.generator,
  connection: async ({ targets }, target, cleaner) => seenFrom(toFirst(await targets.connection(target)), [cleaner]),

  needOf(context, experiment, step) {
    const { target } = step;
    if (target === undefined) return undefined;
    const need = dataOf(step, workloadOf(context, step));
    if (!need) return undefined;
    const { tables: wanted, ...same } = need;
    const parts = wanted.map(({ name, rows, runs }) => ({ name, size: rows, ...(runs && { runs }) }));
    return {
      ...same,
      kind: 'tables',
      place: serverTarget(context, target),
      key: keyOf(need.shape, wanted, target === experiment.where.target ? [] : [databaseOf(context, target)]),
      directory: '',
      parts,
    };
  },
  async inspect({ targets }, target, { parts }, signal) {
    const session = await targets.open(target, signal);
    if (!session) return parts.map(({ found: _, ...part }) => part);
    try {
      const counted: DataPart[] = [];
      for (const part of parts) counted.push({ ...part, found: (await session.countRows(part.name)) ?? null });
      return counted;
    } finally {
      await session.close();
    }
  },
  untilReachable: untilTargetReachable,

  fits: (part) => rowsFit(rowsOf(part), part.found ?? null),
  isAsMade: ({ size, found }) => found === size,
  // The expected number of rows is what the last workload needed, including the changes of its trials.
  noted: (_own, seen) => seen,
  serves: () => true,
  // Tables with more rows than were to be loaded are not Kneepoint's. A set without one of the tables did not make it.
  isRemainderOf: (set, seen) =>
    seen.every(({ name, size, found }) => (found ?? 0) <= size && set.parts.some((part) => part.name === name)),
};

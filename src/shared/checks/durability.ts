import type { Durability, TargetDescription } from '../model/target.ts';

/** The tables that a workload uses, as far as it says. */
interface UsedTables {
  readonly names?: readonly string[];
  /** How they are kept, by the server's own word: a storage engine. */
  readonly storage?: string;
}

/** The worst first. What is not known may be as bad as the worst, so that only harm that is certain comes before it. */
const WORST: readonly Durability['level'][] = ['unsafe', 'unknown', 'relaxed', 'safe'];

/** Of several that are used together the one that promises least; undefined of none. */
export const leastDurable = (all: readonly Durability[]): Durability | undefined =>
  WORST.flatMap((level) => all.filter((each) => each.level === level))[0];

const unknown = (why: string): Durability => ({ level: 'unknown', why });

/**
 * What a power cut costs the tables that a workload uses: settings of one storage engine say nothing of tables of another one. Undefined
 * where the target keeps nothing.
 */
export function durabilityOfTables(
  target: Pick<TargetDescription, 'durability' | 'storage'>,
  { names, storage: wanted }: UsedTables,
): Durability | undefined {
  const { durability, storage } = target;
  if (!storage) return durability;
  if (wanted !== undefined) {
    const found = storage.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    return found?.durability ?? unknown(`The server does not report on tables of ${wanted}.`);
  }
  const inUse = storage.filter(
    ({ tables }) => tables.length > 0 && (!names || tables.some((table) => names.includes(table))),
  );
  if (names) return leastDurable(inUse.map((each) => each.durability)) ?? durability;
  const levels = new Set(inUse.map((each) => each.durability.level));
  return levels.size < 2
    ? durability
    : unknown(
        `The database has tables of ${inUse.map(({ name }) => name).join(' and ')}, and the workload does not say which it uses.`,
      );
}

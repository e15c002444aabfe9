import type { Durability, TargetDescription } from '../model/target.ts';

/** The tables that a workload uses, as far as known. */
interface UsedTables {
  readonly names?: readonly string[];
  /** Their storage engine, by the server's own name. */
  readonly storage?: string;
}

/** Worst first. An unknown level may be as bad as the worst, so only certain harm comes before it. */
const WORST: readonly Durability['level'][] = ['unsafe', 'unknown', 'relaxed', 'safe'];

/** The lowest guarantee of several that are used together; undefined without any. */
export const leastDurable = (all: readonly Durability[]): Durability | undefined =>
  WORST.flatMap((level) => all.filter((each) => each.level === level))[0];

const unknown = (why: string): Durability => ({ level: 'unknown', why });

/**
 * The effect of a power cut on the tables that a workload uses: settings of one storage engine do not apply to tables of another. Undefined
 * if the target stores nothing.
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
        `The database has tables of ${inUse.map(({ name }) => name).join(' and ')}, and it is unknown which ones the workload uses.`,
      );
}

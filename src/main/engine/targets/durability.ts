import { leastDurable } from '../../../shared/checks/index.ts';
import { type Durability, STORED_TABLES_NAMED, type TargetDescription } from '../../../shared/model/target.ts';

/** A setting that affects durability, and its effect on its own. */
export type Judged = NonNullable<Durability['settings']>[number];

/** The server's term for the data that it promises to keep. */
const COMMITS = { one: 'commit', last: 'committed transactions' };

/** The least durable setting decides, and is named. `missing`: settings without which the level is unknown. */
export function durabilityOf(
  judged: readonly Judged[],
  missing: readonly string[] = [],
  kept: typeof COMMITS = COMMITS,
): Durability {
  const settings = [...judged];
  const named = (level: Judged['level']): string =>
    judged
      .filter((setting) => setting.level === level)
      .map(({ name, value }) => `${name} = ${value}`)
      .join(', ');
  const [damaging, losing] = [named('unsafe'), named('relaxed')];
  if (damaging !== '') return { level: 'unsafe', why: `A power cut can damage the database: ${damaging}.`, settings };
  if (missing.length > 0) {
    return { level: 'unknown', why: `The server does not report ${missing.join(' and ')}.`, settings };
  }
  if (losing !== '') {
    return { level: 'relaxed', why: `A power cut can lose the last ${kept.last}: ${losing}.`, settings };
  }
  return { level: 'safe', why: `Each ${kept.one} waits for the disk: ${named('safe')}.`, settings };
}

type Stored = NonNullable<TargetDescription['storage']>[number];

/** Tables stored in one way, and their durability. */
export const storedIn = (name: string, tables: readonly string[], durability: Durability): Stored => ({
  name,
  tables: tables.slice(0, STORED_TABLES_NAMED),
  durability,
});

/** The durability of the existing tables: the least durable storage decides. `empty`: the result if there are no tables. */
export const durabilityOfStored = (storage: readonly Stored[], empty: Durability): Durability =>
  leastDurable(storage.filter(({ tables }) => tables.length > 0).map(({ durability }) => durability)) ?? empty;

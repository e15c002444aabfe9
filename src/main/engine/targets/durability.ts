import { leastDurable } from '../../../shared/checks/index.ts';
import { type Durability, STORED_TABLES_NAMED, type TargetDescription } from '../../../shared/model/target.ts';

/** A setting that bears on what a power cut costs, and what it alone amounts to. */
export type Judged = NonNullable<Durability['settings']>[number];

/** What the server calls what it promises to keep. */
const COMMITS = { one: 'commit', last: 'committed transactions' };

/** The worst of the settings decides, and is named. `missing`: settings without which nothing can be said. */
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

/** Tables that are kept in one way, with what a power cut costs them. */
export const storedIn = (name: string, tables: readonly string[], durability: Durability): Stored => ({
  name,
  tables: tables.slice(0, STORED_TABLES_NAMED),
  durability,
});

/** What a power cut costs the tables that there are: the one that promises least decides. `empty`: of those that would be made where there is none. */
export const durabilityOfStored = (storage: readonly Stored[], empty: Durability): Durability =>
  leastDurable(storage.filter(({ tables }) => tables.length > 0).map(({ durability }) => durability)) ?? empty;

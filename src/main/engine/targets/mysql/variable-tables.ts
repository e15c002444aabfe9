import { z } from 'zod';
import { SettingChange } from '../../../../shared/model/target-details.ts';
import tables from './variables.json' with { type: 'json' };

/** Versions of MySQL whose variables were checked, oldest first. */
const LOOKED_AT = ['5.6.24', '5.7.22', '8.0.12', '8.0.33'] as const;
type Version = (typeof LOOKED_AT)[number];

/** A fact of variables by version: as in the newest version that has the variable, and what differs in older ones (undefined: unknown there). */
interface ByVersion<Fact> {
  newest: ReadonlyMap<string, Fact | undefined>;
  older: Readonly<Record<Version, ReadonlyMap<string, Fact | undefined>>>;
}

/** Facts as `variables.json` has them: null where a version's is not known. Throws for a table that is not of this shape. */
function byVersion<Fact>(fact: z.ZodType<Fact>, table: unknown): ByVersion<Fact> {
  const layer = z
    .record(z.string(), fact.nullable())
    .transform((facts) => new Map(Object.entries(facts).map(([name, known]) => [name, known ?? undefined] as const)));
  return z.strictObject({ newest: layer, older: z.record(z.enum(LOOKED_AT), layer) }).parse(table);
}

const numbersOf = (version: string): number[] => version.split(/[.-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
const seriesOf = (version: string): string => numbersOf(version).slice(0, 2).join('.');

function compare(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  return left.map((part, index) => part - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function at<Fact>({ newest, older }: ByVersion<Fact>, name: string, version: Version): Fact | undefined {
  const layers = [...LOOKED_AT.slice(LOOKED_AT.indexOf(version)).map((each) => older[each]), newest];
  return layers.find((layer) => layer.has(name))?.get(name);
}

/**
 * The fact in a version of MySQL, e.g. "8.0.36-28": that of the versions of its series (8.0) that were checked just below and
 * just above, where they agree. Undefined in a series that was not looked at.
 */
export function inVersion<Fact>(facts: ByVersion<Fact>, name: string, version: string): Fact | undefined {
  const series = LOOKED_AT.filter((each) => seriesOf(each) === seriesOf(version));
  const below = series.findLast((each) => compare(each, version) <= 0);
  const above = series.find((each) => compare(each, version) >= 0);
  const found = [below, above].flatMap((each) => (each === undefined ? [] : [at(facts, name, each)]));
  return found.every((fact) => fact === found[0]) ? found[0] : undefined;
}

/** As `inVersion`, and in versions after all series that were checked what holds in the newest. */
export function sinceVersion<Fact>(facts: ByVersion<Fact>, name: string, version: string): Fact | undefined {
  const last = LOOKED_AT[LOOKED_AT.length - 1] as Version;
  return inVersion(facts, name, compare(version, last) > 0 ? last : version);
}

/**
 * Built-in values of MySQL's variables, for MySQL tells one only while it is in force (from 8.0 on): what servers of these versions
 * print with --help and have when nothing is set. Left out: paths, what depends on the machine or on other settings, and values
 * with blanks. Undefined where the version makes it up from other settings or from the machine.
 */
export const MYSQL_DEFAULTS: ByVersion<string> = byVersion(z.string(), tables.defaults);

/**
 * What changes a variable of MySQL, for MySQL does not tell it (MariaDB does): as servers of these versions answer when each is
 * set (error 1238 for those that no statement changes). `fixed`: not an option of the server either, but built in or a fact of its
 * state.
 */
export const MYSQL_CHANGES: ByVersion<SettingChange> = byVersion(SettingChange, tables.changes);

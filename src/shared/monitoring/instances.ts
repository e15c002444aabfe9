import type { MonitoredSeries, Reading, SeriesRule } from '../model/monitored.ts';

type Rate = Extract<Reading, { kind: 'rate' }>;
type Highest = Extract<Reading, { kind: 'highest' }>;

/** All stored counters that a reading needs. */
export const countersOf = (reading: Reading): readonly string[] => {
  switch (reading.kind) {
    case 'gauge':
      return [...reading.of, ...(reading.less ?? [])];
    case 'rate':
      return reading.of;
    case 'share':
      return [...reading.of, ...(reading.less ?? []), ...reading.whole];
    case 'part':
      return [...reading.of, ...reading.whole];
    case 'per':
      return [...reading.of, ...reading.by];
    case 'highest':
      return sharesOf(reading).flatMap(({ of, whole }) => [...of, ...whole]);
  }
};

/** Counters required for a series to exist: at least one of each group. */
const neededOf = (reading: Reading): readonly (readonly string[])[] =>
  reading.kind === 'per' ? [reading.by] : reading.kind === 'part' ? [reading.of, reading.whole] : [reading.of];

/** The shares that a reading takes the highest of. */
export const sharesOf = ({ of, whole, instances = [] }: Highest): { of: string[]; whole: string[] }[] =>
  instances.map((instance) => ({
    of: of.map((pattern) => withInstance(pattern, instance)),
    whole: whole.map((pattern) => withInstance(pattern, instance)),
  }));

const withInstance = (pattern: string, instance: string): string => pattern.replace('*', () => instance);

type Last = (name: string) => number | undefined;

const scaled = ({ times, ...reading }: Rate, last: Last): Rate =>
  times ? { ...reading, scale: (reading.scale ?? 1) * (last(times.of) ?? times.value) } : reading;

/** The reading of one instance, with its stored multiplier. */
function readingOf(reading: Reading, instance: string, last: Last): Reading {
  const named = (counters: readonly string[]): string[] => counters.map((each) => withInstance(each, instance));
  switch (reading.kind) {
    case 'gauge':
      return { ...reading, of: named(reading.of), ...(reading.less && { less: named(reading.less) }) };
    case 'rate':
      return scaled({ ...reading, of: named(reading.of) }, last);
    case 'share':
      return {
        ...reading,
        of: named(reading.of),
        ...(reading.less && { less: named(reading.less) }),
        whole: named(reading.whole),
      };
    case 'part':
      return { ...reading, of: named(reading.of), whole: named(reading.whole) };
    case 'per':
      return { ...reading, of: named(reading.of), by: named(reading.by) };
    case 'highest':
      return reading;
  }
}

/** The text that `*` of a pattern matches in a name; undefined if the name does not match. */
export function instanceIn(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === name ? '' : undefined;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const long = name.length > before.length + after.length;
  return long && name.startsWith(before) && name.endsWith(after)
    ? name.slice(before.length, name.length - after.length)
    : undefined;
}

/** A series together with its reading. */
export interface ReadSeries {
  series: MonitoredSeries;
  reading: Reading;
}

/**
 * The series that rules derive from the counters of a source, in the order of the rules and, within one rule, of its instances. Each id
 * occurs once: rules for names that the server may add (`*`) are at the end and match those that no earlier rule has used. `last`: the
 * newest value of a counter, for stored properties of a series: its limit, its sizes, and whether another one counts the same.
 */
export function seriesOf(rules: readonly SeriesRule[], names: readonly string[], last: Last): ReadSeries[] {
  const known = new Set(names);
  const seen = new Set<string>();
  return rules.flatMap((rule) => {
    const found = new Set(
      neededOf(rule.reading)
        .flat()
        .flatMap((pattern) => instancesOf(pattern, names, known)),
    );
    const instances = [...found].sort(byNumber);
    if (rule.reading.kind === 'highest') {
      if (instances.length < 2 || seen.has(rule.id)) return [];
      seen.add(rule.id);
      return [{ reading: { ...rule.reading, instances }, series: seriesFrom(rule, '', last) }];
    }
    return instances.flatMap((instance) => {
      const reading = readingOf(rule.reading, instance, last);
      const id = withInstance(rule.id, instance);
      if (seen.has(id) || !neededOf(reading).every((group) => group.some((name) => known.has(name)))) return [];
      seen.add(id);
      const flag = rule.elsewhere && withInstance(rule.elsewhere, instance);
      const elsewhere = flag !== undefined && known.has(flag) && (last(flag) ?? 0) > 0;
      const series = seriesFrom(rule, instance, last);
      return [{ reading, series: elsewhere ? countedElsewhere(series) : series }];
    });
  });
}

function instancesOf(pattern: string, names: readonly string[], known: ReadonlySet<string>): string[] {
  if (!pattern.includes('*')) return known.has(pattern) ? [''] : [];
  return names.flatMap((name) => instanceIn(pattern, name) ?? []);
}

const { compare: byNumber } = new Intl.Collator('en', { numeric: true });

function seriesFrom(rule: SeriesRule, instance: string, last: Last): MonitoredSeries {
  const { id, label, unit, lane, digits, main, aside = [], means, stack } = rule;
  const limit = limitOf(rule, instance, last);
  return {
    id: withInstance(id, instance),
    rule: id,
    ...(instance !== '' && { instance }),
    label: withInstance(label, instance),
    unit,
    lane,
    ...(digits !== undefined && { digits }),
    ...(main && !aside.some((beginning) => instance.startsWith(beginning)) && { main }),
    ...(means && { means }),
    ...(stack && { stack }),
    ...(limit && { limit }),
  };
}

const countedElsewhere = ({ main: _, ...series }: MonitoredSeries): MonitoredSeries => ({ ...series, elsewhere: true });

function limitOf({ limit }: SeriesRule, instance: string, last: Last): MonitoredSeries['limit'] {
  if (!limit) return undefined;
  const stored = limit.of === undefined ? undefined : last(withInstance(limit.of, instance));
  const value = stored === undefined ? limit.value : stored * (limit.scale ?? 1);
  return value === undefined || !(value > 0) ? undefined : { value, words: limit.words };
}

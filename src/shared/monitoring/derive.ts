import type { DamagedSamples, Reading } from '../model/monitored.ts';
import { countersOf, sharesOf } from './instances.ts';

/** Samples further apart than usual by this factor have a gap between them, as the seconds in between are unknown. */
const GAP_FACTOR = 2.5;
const SHORTEST_GAP_S = 2.5;

/** Minimum seconds of a gap between two samples, from the usual interval of a source. */
function gapSeconds(t: Float64Array): number {
  if (t.length < 3) return SHORTEST_GAP_S;
  // A few hundred intervals show the usual one, however long the session was.
  const stride = Math.max(1, Math.floor(t.length / 500));
  const steps: number[] = [];
  for (let index = 1; index < t.length; index += stride) steps.push((t[index] ?? 0) - (t[index - 1] ?? 0));
  steps.sort((one, other) => one - other);
  return Math.max(SHORTEST_GAP_S, GAP_FACTOR * (steps[steps.length >> 1] ?? 1));
}

/** Tolerance before the first sample and after the last, seconds: a source begins and ends slightly off the requested times. */
const EDGE_S = 5;

/**
 * Periods without samples, by their edges, seconds. `within`: restricts them to this period, including its edges, unless there is no sample
 * at all.
 */
export function gapsOf(t: Float64Array, within?: { from: number; to: number }): { from: number; to: number }[] {
  const longest = gapSeconds(t);
  const found: { from: number; to: number }[] = [];
  for (let index = 1; index < t.length; index += 1) {
    const [from, to] = [t[index - 1] ?? 0, t[index] ?? 0];
    if (to - from > longest) found.push({ from, to });
  }
  const [first, last] = [t[0], t.at(-1)];
  if (!within || first === undefined || last === undefined) return found;
  const edge = Math.max(longest, EDGE_S);
  if (first - within.from > edge) found.unshift({ from: within.from, to: first });
  if (within.to - last > edge) found.push({ from: last, to: within.to });
  return found;
}

type Columns = ReadonlyMap<string, Float64Array>;
/** Reads stored counters on demand. */
type ReadColumns = (names: readonly string[]) => Columns;

/**
 * The values of a series at the times `t` (seconds, ascending) from stored counters (columns of the same length, NaN: absent). For readings
 * of growth, the value at a sample is the growth since the previous one. NaN: the first sample, after a gap, where a counter restarted (it
 * fell; for a share, by more than a step back), and where values are unknown.
 */
export const derive = (reading: Reading, t: Float64Array, columns: Columns): Float64Array =>
  derived(reading, t, () => columns, gapSeconds(t));

/**
 * The same as a generator; if a value combines many instances, their counters are read one after the other, as all of a large host would
 * take hundreds of megabytes. It yields after each of them, as all together take seconds.
 */
export function* deriving(reading: Reading, t: Float64Array, read: ReadColumns): Generator<void, Float64Array> {
  const longest = gapSeconds(t);
  return reading.kind === 'highest' ? yield* highestOf(reading, t, read, longest) : derived(reading, t, read, longest);
}

/**
 * Removes values derived from damaged samples, including the growth since the last of them: the sum of the other counters would be mistaken
 * for that of all. Returns the number of removed values.
 */
export function takeOutDamaged(reading: Reading, values: Float64Array, damaged: readonly DamagedSamples[]): number {
  if (damaged.length === 0) return 0;
  const counters = new Set(countersOf(reading));
  const behind = reading.kind === 'gauge' || reading.kind === 'part' ? 1 : 2;
  const out = new Uint8Array(values.length);
  for (const { name, first, last } of damaged)
    if (name === undefined || counters.has(name)) out.fill(1, Math.max(0, first), last + behind);
  let count = 0;
  for (let index = 0; index < values.length; index += 1) {
    if (out[index] === 0) continue;
    values[index] = Number.NaN;
    count += 1;
  }
  return count;
}

/**
 * The same with known values in gaps: for readings of growth, the mean since the previous sample, however long ago it was. If the counter
 * of a rate restarted in between it is 0, since its source did not exist. NaN: still unknown.
 */
export function deriveAcross(reading: Reading, t: Float64Array, columns: Columns): Float64Array {
  const values = derived(reading, t, () => columns, Number.POSITIVE_INFINITY);
  if (reading.kind === 'gauge' || reading.kind === 'part') {
    // A value at one moment does not describe the time before it.
    const longest = gapSeconds(t);
    return values.map((value, index) =>
      index > 0 && (t[index] ?? 0) - (t[index - 1] ?? 0) > longest ? Number.NaN : value,
    );
  }
  if (reading.kind !== 'rate') return values;
  const counters = reading.of.flatMap((name) => columns.get(name) ?? []);
  const fell = (index: number): boolean =>
    index > 0 && counters.some((column) => (column[index] ?? Number.NaN) < (column[index - 1] ?? Number.NaN));
  return values.map((value, index) => (Number.isNaN(value) && fell(index) ? 0 : value));
}

/** `longest`: maximum seconds between two samples that values are derived from. */
function derived(reading: Reading, t: Float64Array, read: ReadColumns, longest: number): Float64Array {
  const { length } = t;
  if (reading.kind === 'highest') return drained(highestOf(reading, t, read, longest));
  const columns = read(countersOf(reading));
  if (reading.kind === 'gauge' || reading.kind === 'part') return ofMoments(reading, columns, length);
  const scale = 'scale' in reading ? (reading.scale ?? 1) : 1;
  const grownOf = growth(reading.of, columns, length);
  // Each value replaces its own input: hours of hundreds of series are calculated at once.
  const result = grownOf.up;
  if (reading.kind === 'rate') {
    for (let index = 1; index < length; index += 1) {
      const seconds = (t[index] as number) - (t[index - 1] as number);
      const known = seconds > 0 && seconds <= longest;
      result[index] = known ? (grownAt(grownOf, index, 0) / seconds) * scale : Number.NaN;
    }
    return result;
  }
  const less = reading.kind === 'share' && reading.less ? growth(reading.less, columns, length) : undefined;
  const grownBy = growth(reading.kind === 'share' ? reading.whole : reading.by, columns, length);
  for (let index = 1; index < length; index += 1) {
    const seconds = (t[index] as number) - (t[index - 1] as number);
    const back = reading.kind === 'share' ? (STEP_BACK_S / seconds) * (grownBy.up[index] as number) : 0;
    const [grown, by] = [grownAt(grownOf, index, back), grownAt(grownBy, index, back)];
    if (!(seconds > 0 && seconds <= longest && by > 0)) result[index] = Number.NaN;
    else if (reading.kind === 'share') result[index] = ((grown - (less ? grownAt(less, index, back) : 0)) / by) * 100;
    else result[index] = (grown / by) * scale;
  }
  return result;
}

/**
 * Seconds of growth of all counters of a share together: a counter that falls by less has stepped back, as the kernel's counters of idle
 * time and I/O wait may, and has not restarted.
 */
const STEP_BACK_S = 3;

/** The largest share of each sample, share by share; unknown shares count only if all are unknown. */
function* highestOf(
  reading: Extract<Reading, { kind: 'highest' }>,
  t: Float64Array,
  read: ReadColumns,
  longest: number,
): Generator<void, Float64Array> {
  const highest = new Float64Array(t.length).fill(Number.NaN);
  for (const share of sharesOf(reading)) {
    const values = derived({ kind: 'share', ...share }, t, read, longest);
    for (let index = 0; index < t.length; index += 1) {
      const value = values[index] ?? Number.NaN;
      if (!(value <= (highest[index] ?? Number.NaN)) && !Number.isNaN(value)) highest[index] = value;
    }
    yield;
  }
  return highest;
}

/** Runs all steps of a generator at once. */
export function drained<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

type OfMoments = Extract<Reading, { kind: 'gauge' | 'part' }>;

/** Readings whose value at a sample describes that moment. */
function ofMoments(reading: OfMoments, columns: Columns, length: number): Float64Array {
  const values = sumOf(reading.of, columns, length);
  const { scale = 1 } = reading;
  if (reading.kind === 'part') {
    const whole = sumOf(reading.whole, columns, length);
    for (let index = 0; index < length; index += 1) {
      const all = whole[index] as number;
      values[index] = all > 0 ? ((values[index] as number) / all) * 100 * scale : Number.NaN;
    }
    return values;
  }
  const off = reading.less ? sumOf(reading.less, columns, length) : undefined;
  for (let index = 0; index < length; index += 1)
    values[index] = ((values[index] as number) - (off ? (off[index] as number) : 0)) * scale;
  return values;
}

/** Sum by sample; absent values count as nothing, unless all are absent. */
function sumOf(names: readonly string[], columns: Columns, length: number): Float64Array {
  const sum = new Float64Array(length).fill(Number.NaN);
  for (const name of names) {
    const column = columns.get(name);
    if (!column) continue;
    for (let index = 0; index < length; index += 1) {
      const value = column[index] as number;
      if (Number.isNaN(value)) continue;
      const before = sum[index] as number;
      sum[index] = Number.isNaN(before) ? value : before + value;
    }
  }
  return sum;
}

/** For each sample, the combined growth of counters since the previous one, NaN if unknown, and the largest fall of one of them. */
interface Growth {
  readonly up: Float64Array;
  /** Absent: none of them ever fell. */
  readonly down: Float64Array | undefined;
}

function growth(names: readonly string[], columns: Columns, length: number): Growth {
  const up = new Float64Array(length);
  const seen = new Uint8Array(length);
  let down: Float64Array | undefined;
  for (const name of names) {
    const column = columns.get(name);
    if (!column) continue;
    let before = column[0] as number;
    for (let index = 1; index < length; index += 1) {
      const value = column[index] as number;
      const step = value - before;
      before = value;
      if (Number.isNaN(step)) continue;
      seen[index] = 1;
      if (step >= 0) up[index] = (up[index] as number) + step;
      else {
        down ??= new Float64Array(length);
        down[index] = Math.max(down[index] as number, -step);
      }
    }
  }
  for (let index = 0; index < length; index += 1) if (seen[index] === 0) up[index] = Number.NaN;
  return { up, down };
}

/** NaN if a counter fell by more than `back`: it restarted in between. */
const grownAt = ({ up, down }: Growth, index: number, back: number): number =>
  down && (down[index] as number) > back ? Number.NaN : (up[index] as number);

/** Values of segments of time: mean, smallest and largest of each. */
interface ThinnedValues {
  t: Float64Array;
  v: Float64Array;
  low?: Float64Array;
  high?: Float64Array;
}

/**
 * At most about `points` values: unchanged if there are few, otherwise the mean of each segment with its smallest and largest value, at the
 * middle of its samples. A segment with only unknown values becomes one unknown value, so that gaps remain gaps.
 */
export function thinned(t: Float64Array, v: Float64Array, points: number): ThinnedValues {
  const { length } = t;
  if (length <= points) return { t, v };
  const each = Math.ceil(length / points);
  const count = Math.ceil(length / each);
  const result = { t: column(count), v: column(count), low: column(count), high: column(count) };
  for (let segment = 0; segment < count; segment += 1) {
    const [start, end] = [segment * each, Math.min(length, (segment + 1) * each)];
    let [sum, known, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let index = start; index < end; index += 1) {
      const value = v[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      known += 1;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    result.t[segment] = ((t[start] ?? 0) + (t[end - 1] ?? 0)) / 2;
    result.v[segment] = known > 0 ? sum / known : Number.NaN;
    result.low[segment] = known > 0 ? low : Number.NaN;
    result.high[segment] = known > 0 ? high : Number.NaN;
  }
  return result;
}

const column = (count: number): Float64Array => new Float64Array(count);

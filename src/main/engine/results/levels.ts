/**
 * Rows of a stretch of the finest level that is kept. Ten hours at one a second are 1,125 stretches: as many as a line has pixels. What is shown
 * more closely is read from the samples.
 */
export const LEVEL_ROWS = 32;

/** Of each stretch of so many rows: how many of its values are known, their mean, the smallest and the largest; NaN where none is. */
export interface Level {
  readonly known: Float64Array;
  readonly mean: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const emptyLevel = (count: number): Level => ({
  known: new Float64Array(count),
  mean: new Float64Array(count).fill(Number.NaN),
  low: new Float64Array(count).fill(Number.NaN),
  high: new Float64Array(count).fill(Number.NaN),
});

/**
 * The finest level of a series, `rows` of its values a stretch, whatever the times between them. Its figures have the seven digits of a 32-bit
 * float: they are drawn, and take half the room.
 */
export function levelOf(v: Float64Array, rows: number = LEVEL_ROWS): Level {
  const level = emptyLevel(Math.ceil(v.length / rows));
  for (let stretch = 0; stretch < level.known.length; stretch += 1) {
    let [sum, known, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const end = Math.min(v.length, (stretch + 1) * rows);
    for (let index = stretch * rows; index < end; index += 1) {
      const value = v[index] as number;
      if (Number.isNaN(value)) continue;
      sum += value;
      known += 1;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (known > 0) put(level, stretch, { known, mean: sum / known, low, high });
  }
  return level;
}

/** `each` stretches of a level as one, from stretch `first` up to `end`, which is not among them. */
export function coarser(level: Level, each: number, first = 0, end = level.known.length): Level {
  const result = emptyLevel(Math.ceil(Math.max(0, end - first) / each));
  for (let stretch = 0; stretch < result.known.length; stretch += 1) {
    let [sum, known, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const last = Math.min(end, first + (stretch + 1) * each);
    for (let index = first + stretch * each; index < last; index += 1) {
      const count = level.known[index] as number;
      if (count === 0) continue;
      sum += (level.mean[index] as number) * count;
      known += count;
      low = Math.min(low, level.low[index] as number);
      high = Math.max(high, level.high[index] as number);
    }
    if (known > 0) put(result, stretch, { known, mean: sum / known, low, high });
  }
  return result;
}

function put(level: Level, at: number, figures: { known: number; mean: number; low: number; high: number }): void {
  level.known[at] = figures.known;
  level.mean[at] = Math.fround(figures.mean);
  level.low[at] = Math.fround(figures.low);
  level.high[at] = Math.fround(figures.high);
}

/** First and last time of each stretch of a level. */
export interface LevelTimes {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

export function timesOf(t: Float64Array, rows: number = LEVEL_ROWS): LevelTimes {
  const count = Math.ceil(t.length / rows);
  const at = (row: number): number => t[Math.min(t.length - 1, row)] as number;
  return {
    from: Float64Array.from({ length: count }, (_, stretch) => at(stretch * rows)),
    to: Float64Array.from({ length: count }, (_, stretch) => at((stretch + 1) * rows - 1)),
  };
}

/** Which stretches answer a question, `each` of them as one. */
export interface LevelRange {
  readonly first: number;
  readonly end: number;
  readonly each: number;
}

/**
 * The stretches between two times, taken together so that there are about `points`; those at the edges reach beyond them. Undefined where they
 * are too coarse for that: what is asked for is near enough to be read from the samples.
 */
export function rangeOf(
  { from, to }: LevelTimes,
  { from: since = Number.NEGATIVE_INFINITY, to: until = Number.POSITIVE_INFINITY }: { from?: number; to?: number },
  points: number,
): LevelRange | undefined {
  const first = to.findIndex((second) => second >= since);
  const behind = from.findIndex((second) => second > until);
  const end = behind < 0 ? from.length : behind;
  const rows = first < 0 ? 0 : (end - first) * LEVEL_ROWS;
  const each = Math.ceil(rows / points);
  return each < LEVEL_ROWS ? undefined : { first, end, each: Math.max(1, Math.round(each / LEVEL_ROWS)) };
}

/** Middle of each stretch of a range. */
export const middlesOf = ({ from, to }: LevelTimes, { first, end, each }: LevelRange): Float64Array =>
  Float64Array.from({ length: Math.ceil((end - first) / each) }, (_, stretch) => {
    const start = first + stretch * each;
    return ((from[start] as number) + (to[Math.min(end, start + each) - 1] as number)) / 2;
  });

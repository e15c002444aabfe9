import { formatDuration } from '../../util/format.ts';
import { firstFrom, type LaneLine, type LaneMark, type LaneScene, type Span } from './lane.ts';

/** Seconds of idle time kept at both ends, and the shortest time that is skipped. */
const KEPT = 2;
const LEAST = 6;
/** Minimum idle share of the whole: skipping less makes the axis harder to read and reveals hardly more. */
const LEAST_SHARE = 0.25;

/** Idle time between trials that an axis from `bounds` can skip; empty if there is little of it. */
export function idleSpans(trials: readonly Span[], bounds: Span): Span[] {
  const spans: Span[] = [];
  let end: number | undefined;
  for (const { from, to } of [...trials].sort((one, other) => one.from - other.from)) {
    if (end !== undefined && from - end > LEAST) spans.push({ from: end + KEPT, to: from - KEPT });
    end = Math.max(end ?? to, to);
  }
  return lengthOf(spans) >= LEAST_SHARE * (bounds.to - bounds.from) ? spans : [];
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** A time axis that omits some spans: its seconds are those of the clock without them. */
export class FoldedAxis {
  readonly #spans: readonly Span[];
  readonly #ends: Float64Array;
  /** Omitted seconds before each span, and before the end. */
  readonly #before: Float64Array;

  /** `spans`: in order, without overlaps. */
  constructor(spans: readonly Span[]) {
    this.#spans = spans;
    this.#ends = Float64Array.from(spans, ({ to }) => to);
    this.#before = new Float64Array(spans.length + 1);
    spans.forEach(({ from, to }, index) => {
      this.#before[index + 1] = (this.#before[index] ?? 0) + to - from;
    });
  }

  /** Total omitted seconds. */
  get skipped(): number {
    return this.#before.at(-1) ?? 0;
  }

  /** Converts a second of the clock to the axis; omitted seconds map to the fold of their span. */
  fold(at: number): number {
    const index = firstFrom(this.#ends, at);
    return Math.min(at, this.#spans[index]?.from ?? at) - (this.#before[index] ?? 0);
  }

  /** Converts a second of the axis to the clock; a fold maps to its end. */
  real(at: number): number {
    const index = this.#spans.findIndex((span, place) => at < span.from - (this.#before[place] ?? 0));
    return at + (this.#before[index < 0 ? this.#spans.length : index] ?? 0);
  }

  span<S extends Span>(span: S): S {
    return { ...span, from: this.fold(span.from), to: this.fold(span.to) };
  }

  realSpan({ from, to }: Span): Span {
    return { from: this.real(from), to: this.real(to) };
  }

  /** A line without its omitted points. */
  line(line: LaneLine): LaneLine {
    const kept: number[] = [];
    line.t.forEach((at, index) => {
      const span = this.#spans[firstFrom(this.#ends, at)];
      if (!span || at <= span.from || at >= span.to) kept.push(index);
    });
    const of = (column: Float64Array): Float64Array => Float64Array.from(kept, (index) => column[index] ?? Number.NaN);
    const { low, high } = line;
    return {
      ...line,
      ...{ t: of(line.t).map((at) => this.fold(at)), v: of(line.v) },
      ...(low && high && { low: of(low), high: of(high) }),
    };
  }

  /** A scene with a mark at each fold. */
  scene({ trials, marks }: LaneScene): LaneScene {
    const folds = this.#spans.map(
      ({ from, to }): LaneMark => ({
        ...{ at: this.fold(from), kind: 'skip' },
        label: `${formatDuration(Math.round(to - from))} skipped`,
      }),
    );
    return {
      trials: trials.map((trial) => ({ ...this.span(trial), measured: this.fold(trial.measured) })),
      marks: [...marks.map((mark) => ({ ...mark, at: this.fold(mark.at) })), ...folds],
    };
  }
}

import { type HistogramPart, HistogramParts } from '../../../../../shared/stats/index.ts';
import { DIRECTIONS, type Report, type Times } from './figures.ts';
import { milliseconds } from './latencies.ts';

type Bins = ReadonlyMap<number, number>;

/** Times of all jobs by the family that their percentiles have in ids; those of one kind only where there are several. */
function familiesOf({ jobs }: Report): Map<string, Times[]> {
  const families = new Map<string, Times[]>();
  const add = (family: string, times: Times | undefined): void => {
    if (times && times.count > 0) families.set(family, [...(families.get(family) ?? []), times]);
  };
  const kinds = DIRECTIONS.filter((direction) => jobs.some((job) => (job.directions.get(direction)?.ios ?? 0) > 0));
  for (const { directions, sync } of jobs) {
    for (const kind of kinds) {
      const counters = directions.get(kind);
      add('latency', counters?.times);
      add('completion_latency', counters?.completion);
      if (kinds.length > 1) add(`${kind}_latency`, counters?.times);
      if (kinds.length > 1) add(`${kind}_completion_latency`, counters?.completion);
    }
    add('sync_latency', sync?.times);
  }
  return families;
}

/** Latency in ns → count, of all jobs since their start. Undefined where one of them has no bins. */
function binsOf(times: readonly Times[]): Bins | undefined {
  const sum = new Map<number, number>();
  for (const { bins } of times) {
    if (!bins) return undefined;
    for (const [ns, count] of bins) sum.set(ns, (sum.get(ns) ?? 0) + count);
  }
  return sum;
}

/** The bins of `json+`, which count since the start, as what each interval added to them. */
export class LatencyBins {
  readonly #families = new Map<string, { parts: HistogramParts; last: Bins }>();
  /** Families of which a document told no bins: what they add up to is not known. */
  readonly #unknown = new Set<string>();

  /** `t`: seconds since the load's start. */
  add(report: Report, t: number): void {
    for (const [family, times] of familiesOf(report)) {
      const bins = binsOf(times);
      if (!bins) this.#unknown.add(family);
      else this.#step(family, bins, t);
    }
  }

  #step(family: string, bins: Bins, t: number): void {
    const known = this.#families.get(family) ?? { parts: new HistogramParts(), last: new Map() };
    const anew = [...known.last].some(([ns, count]) => (bins.get(ns) ?? 0) < count);
    const added = new Map<number, number>();
    for (const [ns, count] of bins) added.set(milliseconds(ns), count - (anew ? 0 : (known.last.get(ns) ?? 0)));
    known.parts.add(t, added);
    known.last = bins;
    this.#families.set(family, known);
  }

  get latencies(): Readonly<Record<string, readonly HistogramPart[]>> {
    return Object.fromEntries(
      [...this.#families].flatMap(([family, { parts }]) =>
        parts.parts && !this.#unknown.has(family) ? [[family, parts.parts]] : [],
      ),
    );
  }
}

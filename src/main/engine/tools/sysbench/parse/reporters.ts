import { parsedJson } from '../../../../../shared/util/object.ts';
import { decimal, ended, type Figures } from './series.ts';

/** A line read by a Lua reporter: the samples that it completes, if any, or not a line of a reporter. */
export type Reported = { taken: true; samples: readonly ({ t: number } & Figures)[] } | { taken: false };

const NOT_MINE: Reported = { taken: false };
const MORE: Reported = { taken: true, samples: [] };

/** `sysbench.report_csv`: time, threads, tps, qps, reads, writes, other, latency, errors/s, reconnects/s; no header line. */
const CSV = /^\d+,\d+(?:,-?(?:\d+\.\d{2}|nan|inf)){8}$/;

/** The statistics table of `report_intermediate`, with its own field names as a header. */
const STAT_HEADER = /^(.*?)(time_total,time_interval,threads_running,events(?:,\w+)*)$/;

function queries(t: number, values: readonly (number | undefined)[], percentile: number): { t: number } & Figures {
  const [threads, tps, qps, read, write, other, latency, errors, reconnects] = values;
  return {
    t,
    metrics: {
      threads_running: threads,
      tps,
      qps,
      qps_read: read,
      qps_write: write,
      qps_other: other,
      errors_per_s: errors,
      reconnects_per_s: reconnects,
    },
    latencies: [{ percentile, ms: latency }],
    progress: ended(tps, qps),
  };
}

/** A row of the statistics table: counts of the interval, times in seconds, `nil` for missing values. */
function statRow(
  fields: readonly string[],
  cells: readonly string[],
  percentile: number,
): ({ t: number } & Figures) | undefined {
  if (cells.length !== fields.length || !cells.every((cell) => /^(nil|-?\d+(\.\d+)?(e[+-]?\d+)?)$/.test(cell)))
    return undefined;
  const value = (name: string): number | undefined => {
    const cell = cells[fields.indexOf(name)];
    return cell === 'nil' ? undefined : decimal(cell);
  };
  const t = value('time_total');
  const interval = value('time_interval');
  if (t === undefined || !interval) return undefined;
  const rate = (name: string): number | undefined => {
    const count = value(name);
    return count === undefined ? undefined : count / interval;
  };
  const [read, write, other] = [rate('reads'), rate('writes'), rate('other')];
  const qps = read === undefined || write === undefined || other === undefined ? undefined : read + write + other;
  const seconds = value('latency_pct');
  const latency = seconds === undefined ? undefined : seconds * 1000;
  const figures = [
    value('threads_running'),
    rate('events'),
    qps,
    read,
    write,
    other,
    latency,
    rate('errors'),
    rate('reconnects'),
  ];
  return queries(t, figures, percentile);
}

interface JsonReport {
  time: number;
  threads: number;
  tps: number;
  qps: { total: number; reads: number; writes: number; other: number };
  latency: number;
  errors: number;
  reconnects: number;
}

function isJsonReport(value: unknown): value is JsonReport {
  if (typeof value !== 'object' || value === null) return false;
  const report = value as Record<string, unknown>;
  const qps = report.qps;
  const numbers = ['time', 'threads', 'tps', 'latency', 'errors', 'reconnects'].every(
    (key) => typeof report[key] === 'number',
  );
  return (
    numbers && typeof qps === 'object' && qps !== null && Object.values(qps).every((part) => typeof part === 'number')
  );
}

/** Maximum lines of a JSON object; they have about 15 short ones. */
const LONGEST_OBJECT = 40;
const JSON_PART = /^\s*(?:\{|\},?|"\w+": *(?:\{|-?[\w.]+,?))$/;

/** Reads the output of Lua reporters, which replaces the usual interval lines. Their lines can be interleaved with others. */
export class ReporterReader {
  readonly #percentile: number;
  #stat: { prefix: string; fields: readonly string[] } | undefined;
  #inArray = false;
  #object: string[] = [];

  /** `percentile`: the configured one, as these formats do not name it. */
  constructor(percentile: number) {
    this.#percentile = percentile;
  }

  /** Whether a script prints the statistics itself: it may also have replaced the final report. */
  get ownReport(): boolean {
    return this.#stat !== undefined;
  }

  /** Lines of an object without an end. */
  get open(): readonly string[] {
    return this.#object;
  }

  line(text: string): Reported {
    if (CSV.test(text)) {
      const [t, ...values] = text.split(',').map(decimal);
      return { taken: true, samples: [queries(t ?? 0, values, this.#percentile)] };
    }
    return this.#json(text) ?? this.#statTable(text);
  }

  #statTable(text: string): Reported {
    const header = STAT_HEADER.exec(text);
    if (header) {
      this.#stat = { prefix: header[1] ?? '', fields: (header[2] ?? '').split(',') };
      return MORE;
    }
    if (!this.#stat || !text.startsWith(this.#stat.prefix)) return NOT_MINE;
    const row = statRow(this.#stat.fields, text.slice(this.#stat.prefix.length).split(','), this.#percentile);
    return row ? { taken: true, samples: [row] } : NOT_MINE;
  }

  #json(text: string): Reported | undefined {
    if (text === '[' || (text === ']' && this.#inArray && this.#object.length === 0)) {
      this.#inArray = text === '[';
      return MORE;
    }
    const begins = this.#object.length === 0 && text.trim() === '{';
    if (!this.#inArray || !(begins || (this.#object.length > 0 && JSON_PART.test(text)))) return undefined;
    if (this.#object.length >= LONGEST_OBJECT) return undefined;
    this.#object.push(text);
    const depth = this.#object.join('').split('{').length - this.#object.join('').split('}').length;
    if (depth > 0) return MORE;
    return this.#close();
  }

  #close(): Reported {
    const lines = this.#object;
    this.#object = [];
    const text = lines.join('').trim().replace(/,$/, '');
    const report = parsedJson(text);
    // With damaged braces, the lines of two objects would read as one, with the figures of the second at the time of the first.
    const keys = [...text.matchAll(/"\w+"/g)].map(([key]) => key);
    if (!isJsonReport(report) || new Set(keys).size < keys.length) return NOT_MINE;
    const { time, threads, tps, qps, latency, errors, reconnects } = report;
    const figures = [threads, tps, qps.total, qps.reads, qps.writes, qps.other, latency, errors, reconnects];
    return {
      taken: true,
      samples: [
        queries(
          time,
          figures.map((value) => decimal(String(value))),
          this.#percentile,
        ),
      ],
    };
  }
}

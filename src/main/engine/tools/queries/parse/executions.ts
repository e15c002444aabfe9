import { partMetric, queryPart, streamPart } from '../../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import { TOOK } from '../../../../../shared/model/step.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import { median, sumBy } from '../../../../../shared/util/numbers.ts';
import type { QueryOptions } from '../options.ts';
import type { Reads } from '../program/driver.ts';
import type { Execution, Table } from '../program/lines.ts';

const MIB = 2 ** 20;
/** Checksums have 48 bits. */
const MODULUS = 2 ** 48;
/** Maximum columns for streams in a table, so that it fits on a screen. */
const MOST_COLUMNS = 24;
type Result = Pick<Execution, 'rows' | 'checksum'>;
/** The result of the first variant, and its time in ms. */
type Reference = Result & { name: string; ms: number };

const rowsOf = ({ rows }: Result): string => `${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'}`;

/** Figures of these times. Empty without times. */
function timesOf(ms: readonly number[]): { mean?: number } & Record<string, number> {
  const ascending = [...ms].sort((a, b) => a - b);
  const [least] = ascending;
  if (least === undefined) return {};
  const mean = sumBy(ascending, (each) => each) / ascending.length;
  return {
    ...{ mean, latency_min_ms: least, latency_avg_ms: mean },
    ...{ latency_p50_ms: median(ascending), latency_max_ms: ascending.at(-1) ?? least },
  };
}

const msOf = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : 1000 * seconds);

/** The executions of a run: their times, and their results compared with each other and with the reference. */
export class Executions {
  readonly #agreement: QueryOptions['agreement'];
  readonly #all: Execution[] = [];
  /** Seconds of each stream that has completed all of its queries. */
  readonly #streams = new Map<number, number>();
  reference: Reference | undefined;
  /** Per execution, as reported by the server. */
  reads: Reads | undefined;

  constructor(agreement: QueryOptions['agreement']) {
    this.#agreement = agreement;
  }

  add(execution: Execution): void {
    this.#all.push(execution);
  }

  get count(): number {
    return this.#all.length;
  }

  /** Times of measured executions in ms. */
  get measured(): number[] {
    return this.#all.filter(({ measured }) => measured).map(({ ms }) => ms);
  }

  /** Final figures of times, if any are measured, and of results, if any. With several clients, also totals of all, of queries and of streams. */
  get summary(): Record<string, number> {
    const results = this.#firstOfEach();
    const { mean, ...times } = timesOf(this.measured);
    return {
      ...times,
      ...(this.reads &&
        mean !== undefined &&
        mean > 0 && {
          rows_read_per_s: (1000 * this.reads.rows) / mean,
          data_read_mib_s: (1000 * this.reads.bytes) / MIB / mean,
        }),
      executions_total: this.measured.length,
      ...(results.length > 0 && {
        result_rows: sumBy(results, ({ rows }) => rows),
        result_checksum: results.reduce((sum, { checksum }) => (sum + checksum) % MODULUS, 0),
      }),
      ...this.#together(),
    };
  }

  /** The first execution of each query, in order of execution. */
  #firstOfEach(): Execution[] {
    const first = new Map<string | undefined, Execution>();
    for (const execution of this.#all) if (!first.has(execution.query)) first.set(execution.query, execution);
    return [...first.values()];
  }

  /** Figures of several clients or streams. */
  #together(): Record<string, number> {
    const executions = this.#all.filter(({ measured, client }) => measured && client !== undefined);
    if (executions.length === 0) return {};
    // The clock starts with the first of them.
    const seconds = Math.max(...executions.map(({ t, ms }) => t + ms / 1000));
    const queries = this.#queries().flatMap((query) => {
      const { mean: _, ...times } = timesOf(executions.filter((one) => one.query === query).map(({ ms }) => ms));
      return Object.entries(times).map(([id, value]) => [partMetric(queryPart(query), id), value] as const);
    });
    return {
      [TOOK]: seconds,
      ...(seconds > 0 && { queries_per_h: (3600 * executions.length) / seconds }),
      ...Object.fromEntries([
        ...queries,
        ...[...this.#streams].map(([stream, took]) => [partMetric(streamPart(stream), TOOK), took] as const),
      ]),
    };
  }

  /** Names of the queries in a list. */
  #queries(): string[] {
    return [...new Set(this.#all.flatMap(({ query }) => query ?? []))];
  }

  stream(stream: number, seconds: number): void {
    this.#streams.set(stream, seconds);
  }

  /** Time of each query in each stream, in ms. Undefined without streams. Rows are queries; the last row is the total of each stream. */
  table(): Pick<Table, 'columns' | 'rows' | 'left'> | undefined {
    const own = this.#all.filter(({ stream }) => stream !== undefined);
    if (own.length === 0) return undefined;
    const times = new Map(own.map(({ query, stream, ms }) => [`${stream} ${query}`, ms]));
    const streams = [...new Set(own.map(({ stream }) => stream as number))].sort((one, other) => one - other);
    const shown = streams.slice(0, MOST_COLUMNS);
    const digits = (ms: number | undefined): string | null => (ms === undefined ? null : ms.toFixed(1));
    return {
      columns: ['query', 'mean', ...shown.map((stream) => `stream ${stream}`)],
      rows: [
        ...this.#queries().map((query) => [
          query,
          digits(timesOf(own.filter((one) => one.query === query).map(({ ms }) => ms)).mean),
          ...shown.map((stream) => digits(times.get(`${stream} ${query}`))),
        ]),
        [
          'whole stream',
          digits(msOf(timesOf([...this.#streams.values()]).mean)),
          ...shown.map((stream) => digits(msOf(this.#streams.get(stream)))),
        ],
      ],
      left: 0,
    };
  }

  #agree(one: Result, other: Result): boolean {
    if (this.#agreement === 'none') return true;
    return one.rows === other.rows && (this.#agreement === 'rows' || one.checksum === other.checksum);
  }

  /** Reports an execution whose result differs from the first one of the same query. */
  changed(): Finding | undefined {
    const first = new Map(this.#firstOfEach().map((execution) => [execution.query, execution]));
    const changed = this.#all.find((one) => !this.#agree(one, first.get(one.query) ?? one));
    const before = changed && first.get(changed.query);
    if (!changed || !before) return undefined;
    const query = changed.query === undefined ? '' : ` of “${changed.query}”`;
    return {
      code: 'result-changed',
      severity: 'warn',
      message: `Execution ${changed.n}${query} returned a different result than the first one: ${rowsOf(changed)} vs. ${rowsOf(before)}.`,
      next: 'The data changed in the meantime, or the statement is not deterministic (now(), random(), LIMIT without ORDER BY).',
    };
  }

  /** Reports a result that differs from the reference. */
  disagreement(): Finding | undefined {
    const [own] = this.#all;
    const { reference } = this;
    if (!own || !reference || this.#agree(own, reference)) return undefined;
    return {
      code: 'results-differ',
      severity: 'error',
      message: `This variant returns a different result than “${reference.name}”: ${rowsOf(own)} vs. ${rowsOf(reference)}${own.rows === reference.rows ? ', with different values' : ''}. Their times are not comparable.`,
      next: 'Align the statements, or set the option “agreement”.',
    };
  }
}

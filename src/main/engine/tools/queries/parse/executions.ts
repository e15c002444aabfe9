import type { Finding } from '../../../../../shared/model/finding.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import type { QueryOptions } from '../options.ts';
import type { Reads } from '../program/driver.ts';
import type { Execution } from '../program/lines.ts';

const MIB = 2 ** 20;
type Result = Pick<Execution, 'rows' | 'checksum'>;
/** What the first variant returned, and its time in ms. */
type Reference = Result & { name: string; ms: number };

const rowsOf = ({ rows }: Result): string => `${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'}`;

/** The executions of a run: their times, and what they returned, held against each other and against the reference. */
export class Executions {
  readonly #agreement: QueryOptions['agreement'];
  readonly #all: Execution[] = [];
  reference: Reference | undefined;
  /** For one execution, by the account of the server. */
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

  /** Times in ms of those that count. */
  get measured(): number[] {
    return this.#all.filter(({ measured }) => measured).map(({ ms }) => ms);
  }

  /** Final figures: of times where any counts, of the result where there is one. */
  get summary(): Record<string, number> {
    const [first] = this.#all;
    const times = this.measured.sort((a, b) => a - b);
    const [least] = times;
    const middle = times.length / 2;
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    return {
      ...(least !== undefined && {
        latency_min_ms: least,
        latency_avg_ms: mean,
        latency_p50_ms: ((times[Math.ceil(middle) - 1] as number) + (times[Math.floor(middle)] as number)) / 2,
        latency_max_ms: times.at(-1) as number,
      }),
      ...(this.reads &&
        mean > 0 && {
          rows_read_per_s: (1000 * this.reads.rows) / mean,
          data_read_mib_s: (1000 * this.reads.bytes) / MIB / mean,
        }),
      executions_total: times.length,
      ...(first && { result_rows: first.rows, result_checksum: first.checksum }),
    };
  }

  #agree(one: Result, other: Result): boolean {
    if (this.#agreement === 'none') return true;
    return one.rows === other.rows && (this.#agreement === 'rows' || one.checksum === other.checksum);
  }

  /** That an execution returned something else than the first. */
  changed(): Finding | undefined {
    const [first, ...others] = this.#all;
    const changed = first && others.find((other) => !this.#agree(first, other));
    if (!changed) return undefined;
    return {
      code: 'result-changed',
      severity: 'warn',
      message: `Execution ${changed.n} had another result than the first one: ${rowsOf(changed)} against ${rowsOf(first)}.`,
      next: 'The data was changed meanwhile, or the statement is not the same each time (now(), random(), LIMIT without ORDER BY).',
    };
  }

  /** That the result is not the one of the reference. */
  disagreement(): Finding | undefined {
    const [own] = this.#all;
    const { reference } = this;
    if (!own || !reference || this.#agree(own, reference)) return undefined;
    return {
      code: 'results-differ',
      severity: 'error',
      message: `This variant gives another result than “${reference.name}”: ${rowsOf(own)} against ${rowsOf(reference)}${own.rows === reference.rows ? ', with other values' : ''}. Their times are not comparable.`,
      next: 'Align the statements, or set the option agreement.',
    };
  }
}

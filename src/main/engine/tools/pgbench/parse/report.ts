/** Rows of the final report, and the keys of their figures in order. */
const ROWS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^scaling factor: (\d+)$/, ['scaling_factor']],
  [/^partitions: (\d+)$/, ['partitions']],
  [/^number of clients: (\d+)$/, ['clients']],
  [/^number of threads: (\d+)$/, ['threads']],
  [/^maximum number of tries: (\d+)$/, ['max_tries']],
  [/^number of transactions per client: (\d+)$/, ['transactions_per_client']],
  [/^duration: (\d+) s$/, ['planned_s']],
  [/^number of transactions actually processed: (\d+)$/, ['transactions_total']],
  [/^number of transactions actually processed: (\d+)\/(\d+)$/, ['transactions_total', 'transactions_planned_total']],
  [/^number of failed transactions: (\d+) \((?:[\d.]+|NaN) ?%\)$/, ['failed_total']],
  [/^number of serialization failures: (\d+) \((?:[\d.]+|NaN) ?%\)$/, ['serialization_failures_total']],
  [/^number of deadlock failures: (\d+) \((?:[\d.]+|NaN) ?%\)$/, ['deadlock_failures_total']],
  [/^number of transactions retried: (\d+) \((?:[\d.]+|NaN) ?%\)$/, ['retried_total']],
  [/^total number of retries: (\d+)$/, ['retries_total']],
  [/^number of transactions skipped: (\d+) \((?:[\d.]+|NaN) ?%\)$/, ['skipped_total']],
  [
    /^number of transactions above the [\d.]+ ms latency limit: (\d+)(?:\/\d+)? \((?:[\d.]+|NaN) ?%\)$/,
    ['above_limit_total'],
  ],
  [/^latency average(?: =|:) ([\d.]+) ms$/, ['latency_avg_ms']],
  [/^latency average = ([\d.]+) ms \(including failures\)$/, ['latency_avg_ms']],
  [/^latency stddev(?: =|:) ([\d.]+) ms$/, ['latency_stddev_ms']],
  [/^rate limit schedule lag: avg ([\d.]+) \(max ([\d.]+)\) ms$/, ['lag_avg_ms', 'lag_max_ms']],
  [/^initial connection time = ([\d.]+) ms$/, ['connection_initial_ms']],
  [/^average connection time = ([\d.]+) ms$/, ['connection_avg_ms']],
  [/^tps = ([\d.]+) \((?:without initial connection time|including reconnection times)\)$/, ['tps']],
  // Before version 14.
  [/^tps = ([\d.]+) \(excluding connections establishing\)$/, ['tps']],
  [/^tps = ([\d.]+) \(including connections establishing\)$/, ['tps_with_connecting']],
];
const WORDS =
  /^(pgbench \((?:PostgreSQL\) )?\d+.*\)?|transaction type: .*|query mode: (simple|extended|prepared)|partition method: (range|hash)|latency (average|stddev)(?: =|:) -?(nan|NaN) ms|tps = -?(nan|NaN|inf|Infinity) .*)$/;

const SCRIPT = /^SQL script (\d+): (.*)$/;
const BOOKS = /^(?:transaction type|SQL script \d+): <builtin: TPC-B/;
const STATEMENTS = /^(?: - )?statement latencies in milliseconds(?: and failures|, failures and retries)?:$/;
const STATEMENT = /^(?: +|\t)(\d+\.\d{3}|\d+\.\d{6}(?=\t))(?: +(\d+))?(?: +(\d+))?(?: {2}|\t)(.*)$/;
/** Maximum statements reported separately. */
const MOST_STATEMENTS = 200;

/** One statement of a script with its mean latency in ms. */
export interface Statement {
  script: number;
  latency: number;
  text: string;
}

/** Rows of a script have the same words after ` - `, and three of their own. */
const SCRIPT_ROWS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^weight: (\d+) \(targets [\d.]+% of total\)$/, ['weight']],
  [/^(\d+) transactions \([\d.]+% of total, tps = ([\d.]+)\)$/, ['transactions_total', 'tps']],
  [/^(\d+) transactions \([\d.]+% of total\)$/, ['transactions_total']],
  // Since version 18 the rate is in a separate row.
  [/^number of transactions actually processed: (\d+) \(tps = ([\d.]+)\)$/, ['transactions_total', 'tps']],
  ...ROWS,
];

/** The final report, on standard output. Keys of a script among several, and of single statements, begin with `script_N_`. */
export class ReportReader {
  readonly values: Record<string, number> = {};
  readonly statements: Statement[] = [];
  #books = false;
  #script = 0;
  #inStatements = false;

  /** Whether the scripts include the built-in bank transaction, which always updates a branch. */
  get books(): boolean {
    return this.#books;
  }

  /** Whether a rate was set: only then a schedule lag is reported. */
  get throttled(): boolean {
    return this.values.lag_avg_ms !== undefined;
  }

  /** Whether the report contains its last figure. */
  get complete(): boolean {
    const { transactions_total: transactions, tps } = this.values;
    return transactions === 0 || (transactions !== undefined && tps !== undefined);
  }

  line(line: string): boolean {
    const statement = this.#inStatements ? STATEMENT.exec(line) : null;
    if (statement) {
      this.#statement(statement);
      return true;
    }
    if (STATEMENTS.test(line)) {
      this.#inStatements = true;
      return true;
    }
    if (BOOKS.test(line)) this.#books = true;
    const script = SCRIPT.exec(line)?.[1];
    if (script !== undefined) this.#script = Number(script);
    const taken =
      script !== undefined ||
      WORDS.test(line) ||
      (line.startsWith(' - ') ? WORDS.test(line.slice(3)) || this.#scriptRow(line.slice(3)) : this.#row(line));
    if (taken) this.#inStatements = false;
    return taken;
  }

  #row(line: string): boolean {
    return this.#read(ROWS, line, '');
  }

  #scriptRow(line: string): boolean {
    return this.#script > 0 && this.#read(SCRIPT_ROWS, line, `script_${this.#script}_`);
  }

  #read(rows: typeof ROWS, line: string, prefix: string): boolean {
    for (const [pattern, keys] of rows) {
      const found = pattern.exec(line);
      if (!found) continue;
      keys.forEach((key, index) => {
        const value = Number(found[index + 1]);
        if (Number.isFinite(value)) this.values[prefix + key] = value;
      });
      return true;
    }
    return false;
  }

  #statement(found: RegExpExecArray): void {
    const script = Math.max(1, this.#script);
    const number = this.statements.filter((entry) => entry.script === script).length + 1;
    if (number > MOST_STATEMENTS) return;
    const [, latency, failed, retries, text = ''] = found;
    this.statements.push({ script, latency: Number(latency), text });
    const key = `script_${script}_statement_${number}`;
    this.values[`${key}_latency_ms`] = Number(latency);
    if (failed !== undefined) this.values[`${key}_failed_total`] = Number(failed);
    if (retries !== undefined) this.values[`${key}_retries_total`] = Number(retries);
  }
}

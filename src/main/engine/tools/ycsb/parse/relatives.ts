import { operationLatency, percentileMetric } from '../../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ParsedSample } from '../../tool.ts';
import { operationName } from './samples.ts';

/** Totals of an operation since the start. Latencies in ms, by the suffix of their metric's id. */
interface Cumulative {
  count: number;
  rate?: number;
  latencies: Record<string, number>;
}

/** The figures of a program at one moment, by its own names of operations. */
interface Totals {
  /** Seconds since the start. */
  t: number;
  operations: Map<string, Cumulative>;
  /** Total of all operations, if reported. */
  total?: number;
}

type Program = 'go-ycsb' | 'YCSB-cpp';

/** `READ   - Takes(s): 1.0, Count: 7002, OPS: 7004.1, Avg(us): 251, …` */
const GO_ROW = /^([A-Z][A-Z_]*) *- Takes\(s\): ([\d.]+), Count: (\d+), OPS: ([\d.]+), (Avg\(us\): .*)$/;
const GO_END = /^Run finished, takes (\S+)$/;
/** `2026-03-02 11:00:03 3 sec: 2594 operations; [READ: Count=… Max=… Min=… Avg=… 90=…]`: blanks where YCSB has commas. */
const CPP_STATUS =
  /^(?:(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) )?(\d{1,9}) sec: (\d{1,18}) operations;((?: \[[\w-]+: Count=\d+[^\],]*\])*) ?$/;
const CPP_GROUP = /\[([\w-]+): Count=(\d+)([^\]]*)\]/g;
const CPP_END = /^(?:Run|Load) (runtime\(sec\)|operations\(ops\)|throughput\(ops\/sec\)): ([\d.e+]+)$/;
const TOTAL = 'TOTAL';

const NAMES: Readonly<Record<string, string>> = { Avg: 'latency_avg_ms', Min: 'latency_min_ms', Max: 'latency_max_ms' };

function latencyRow(name: string, us: number): [string, number][] {
  const percentile = /^([\d.]+)(?:th)?$/.exec(name)?.[1];
  const id = NAMES[name] ?? (percentile === undefined ? undefined : percentileMetric(Number(percentile)));
  return id === undefined || !Number.isFinite(us) ? [] : [[id, us / 1000]];
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, µs: 1e-6, us: 1e-6 };
/** Seconds of a duration in Go's format: `2.125s`, `1m2.5s`. */
const goSeconds = (text: string): number =>
  [...text.matchAll(/([\d.]+)(h|ms|m|µs|us|s)/g)].reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? Number.NaN),
    0,
  );

const isFailed = (name: string): boolean => /_ERROR$/.test(name) || operationName(name).failed;
const kindOf = (name: string): string | undefined =>
  operationName(name.replace(/_ERROR$/, '').replaceAll('_', '-')).kind;

function counts({ operations, total }: Totals): { done: number; failed: number; byKind: Map<string, number> } {
  const byKind = new Map<string, number>();
  let [sum, failed] = [0, 0];
  for (const [name, { count }] of operations) {
    const kind = kindOf(name);
    if (isFailed(name)) failed += count;
    else if (kind !== undefined) {
      byKind.set(kind, (byKind.get(kind) ?? 0) + count);
      if (kind !== 'rmw') sum += count;
    }
  }
  return { done: operations.get(TOTAL)?.count ?? total ?? sum, failed, byKind };
}

/**
 * Reads go-ycsb and YCSB-cpp, which print totals since the start where YCSB prints figures of an interval. Intervals are calculated as differences;
 * their latencies cannot be determined.
 */
export class Relatives {
  readonly #emit: (sample: ParsedSample) => void;
  #program: Program | undefined;
  /** A report of go-ycsb that is still incomplete. */
  #open: Totals | undefined;
  #last: Totals | undefined;
  #over = false;
  #runs = 1;
  readonly #totals: Record<string, number> = {};

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  /** The program that printed this, if it is one of them. */
  get program(): Program | undefined {
    return this.#program;
  }

  /** Whether the line belongs to one of them. */
  line(text: string): boolean {
    return this.#go(text) || this.#cpp(text);
  }

  #go(text: string): boolean {
    const rows = goRows(text);
    if (rows.length > 0) {
      this.#program = 'go-ycsb';
      for (const row of rows) this.#row(row);
      return true;
    }
    const end = GO_END.exec(text)?.[1];
    if (end === undefined) return false;
    this.#program = 'go-ycsb';
    this.#flush();
    if (this.#over) this.#runs += 1;
    if (this.#runs === 1) this.#totals.total_time_s = goSeconds(end);
    this.#over = true;
    return true;
  }

  #row({ name, t, operation }: GoRow): void {
    if (this.#open?.operations.has(name)) this.#flush();
    this.#open ??= { t, operations: new Map() };
    this.#open.t = Math.max(this.#open.t, t);
    this.#open.operations.set(name, operation);
  }

  #cpp(text: string): boolean {
    const status = CPP_STATUS.exec(text);
    if (status && (status[1] !== undefined || status[4] !== '')) {
      this.#program = 'YCSB-cpp';
      this.#add({ t: Number(status[2]), total: Number(status[3]), operations: cppOperations(status[4] ?? '') });
      return true;
    }
    const [, what, figure] = CPP_END.exec(text) ?? [];
    if (what === undefined) return false;
    this.#program = 'YCSB-cpp';
    const key = what.startsWith('runtime') ? 'total_time_s' : what.startsWith('op') ? 'operations_total' : 'ops';
    if (key === 'total_time_s' && this.#over) this.#runs += 1;
    if (this.#runs === 1) this.#totals[key] = Number(figure);
    this.#over = true;
    return true;
  }

  #flush(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open) this.#add(open);
  }

  #add(totals: Totals): void {
    const last = this.#last;
    const [now, before] = [counts(totals), last ? counts(last) : { done: 0, failed: 0, byKind: new Map() }];
    const passed = totals.t - (last?.t ?? 0);
    if (last && (passed < 0 || now.done < before.done)) this.#runs += 1;
    if (this.#runs > 1) return;
    this.#last = totals;
    // After its end, go-ycsb reports the whole run; YCSB-cpp begins with a line without operations.
    if (this.#over || passed <= 0) return;
    const metrics: Record<string, number> = { ops: (now.done - before.done) / passed };
    for (const [kind, count] of now.byKind) metrics[`ops_${kind}`] = (count - (before.byKind.get(kind) ?? 0)) / passed;
    if (now.failed > 0) metrics.errors_per_s = Math.max(0, now.failed - before.failed) / passed;
    this.#emit({ t: totals.t, metrics });
  }

  /** Call once, at the end. */
  end(): { summary: Record<string, number>; findings: Finding[]; complete: boolean } {
    this.#flush();
    const last = this.#last;
    const summary: Record<string, number> = last ? summaryOf(last) : {};
    Object.assign(summary, this.#totals);
    return { summary, findings: this.#findings(), complete: this.#over };
  }

  #findings(): Finding[] {
    const findings: Finding[] = [
      {
        code: 'other-generator',
        severity: 'note',
        message: `This is output of ${this.#program}, which counts from the start: interval rates are differences, and interval latencies are unavailable.`,
      },
    ];
    if (!this.#over)
      findings.push({
        code: 'report-missing',
        severity: 'note',
        message: `It contains no final report of ${this.#program}: the figures are from its last status.`,
      });
    if (this.#runs > 1)
      findings.push({
        code: 'several-runs',
        severity: 'warn',
        message: `The output contains ${this.#runs} runs of ${this.#program}, one after the other. Only the first is read.`,
        next: 'Split the recording into one file per run.',
      });
    return findings;
  }
}

interface GoRow {
  name: string;
  t: number;
  operation: Cumulative;
}

/** One row as text, or a whole report as a JSON array (outputstyle=json) whose values are strings. */
function goRows(text: string): GoRow[] {
  const [, name, t, count, rate, rest = ''] = GO_ROW.exec(text) ?? [];
  if (name !== undefined) {
    const latencies = rest.split(', ').flatMap((part) => {
      const [, key = '', us] = /^([\w.]+)\(us\): ([\d.]+)$/.exec(part) ?? [];
      return latencyRow(key, Number(us));
    });
    const operation = { count: Number(count), rate: Number(rate), latencies: Object.fromEntries(latencies) };
    return [{ name, t: Number(t), operation }];
  }
  if (!/^\[\{.*"Takes\(s\)".*\}\]$/.test(text)) return [];
  try {
    return (JSON.parse(text) as Record<string, string>[]).map((row) => ({
      name: row.Operation ?? '',
      t: Number(row['Takes(s)']),
      operation: {
        count: Number(row.Count),
        rate: Number(row.OPS),
        latencies: Object.fromEntries(
          Object.entries(row).flatMap(([key, us]) => latencyRow(key.replace('(us)', ''), Number(us))),
        ),
      },
    }));
  } catch {
    // Truncated or damaged: not a known line.
    return [];
  }
}

const cppOperations = (text: string): Map<string, Cumulative> =>
  new Map(
    [...text.matchAll(CPP_GROUP)].map(([, name = '', count, rest = '']) => [
      name,
      {
        count: Number(count),
        latencies: Object.fromEntries(
          [...rest.matchAll(/([\w.]+)=([\d.]+)/g)].flatMap(([, key = '', us]) => latencyRow(key, Number(us))),
        ),
      },
    ]),
  );

function summaryOf(totals: Totals): Record<string, number> {
  const { done, failed } = counts(totals);
  const summary: Record<string, number> = { operations_total: done };
  if (failed > 0) summary.operations_failed_total = failed;
  const kinds = [...totals.operations].filter(([name]) => !isFailed(name) && kindOf(name) !== undefined);
  for (const [name, { count, latencies }] of kinds) {
    const kind = kindOf(name) ?? '';
    summary[`${kind}_operations_total`] = count;
    if (count > 0) for (const [id, value] of Object.entries(latencies)) summary[operationLatency(kind, id)] = value;
  }
  const whole = totals.operations.get(TOTAL) ?? (kinds.length === 1 ? kinds[0]?.[1] : undefined);
  if (whole) Object.assign(summary, whole.latencies);
  if (whole?.rate !== undefined) summary.ops = whole.rate;
  else if (totals.t > 0) summary.ops = done / totals.t;
  return summary;
}

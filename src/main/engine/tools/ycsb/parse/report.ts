import { percentileMetric } from '../../../../../shared/metrics/index.ts';
import { type OperationName, operationName } from './samples.ts';

type Rows = Map<string, number>;

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

const PERCENTILE = /^([\d.]+)(?:st|nd|rd|th)?PercentileLatency\((us|ms)\)$/;
const RAW_PERCENTILE = /^p([\d.]+)$/;
const LATENCY = /^(Average|Min|Max)(?:Latency\((us|ms)\))?$/;

/** Key and value of a row in an operation's section: latencies in milliseconds. */
function operationRow(measurement: string, value: number): [string, number] {
  const [, kind, unit] = LATENCY.exec(measurement) ?? [];
  const milliseconds = unit === 'ms' ? value : value / 1000;
  if (kind) return [`latency_${kind === 'Average' ? 'avg' : kind.toLowerCase()}_ms`, milliseconds];
  const [, percentile, of] = PERCENTILE.exec(measurement) ?? [];
  if (percentile) return [percentileMetric(Number(percentile)), of === 'ms' ? value : value / 1000];
  const raw = RAW_PERCENTILE.exec(measurement)?.[1];
  if (raw) return [percentileMetric(Number(raw)), value / 1000];
  if (measurement === 'Operations' || measurement === 'Total Operations') return ['operations_total', value];
  if (measurement.startsWith('Return=')) return [`return_${slug(measurement.slice(7))}_total`, value];
  return [slug(measurement), value];
}

function prefixOf({ base, kind, failed, intended, form }: OperationName, name: string): string {
  const word = kind ?? slug(base);
  const status = failed ? `_${slug(/-([A-Z_]+)$/.exec(name)?.[1] ?? 'failed')}` : '';
  return `${word}${intended ? '_intended' : ''}${form === 'hdr' ? '' : `_${form}`}${status}`;
}

/** YCSB's final report, as text rows or in either of two JSON formats. */
export class Report {
  readonly #sections = new Map<string, Rows>();
  readonly #points = new Map<string, number>();
  #json: { metric?: string; measurement?: string } = {};
  #runs = 0;
  #last = '';

  /** Number of runs with a report. */
  get runs(): number {
    return this.#runs;
  }

  get complete(): boolean {
    return this.#sections.get('OVERALL')?.has('Throughput(ops/sec)') ?? false;
  }

  /** Whether the line belongs to a report, or is a row of the raw or time-series measurement. */
  line(text: string): boolean {
    const [, section, measurement, value] =
      /^\[([\w%.-]{1,80})\], ([^\n]{1,120}), (-?[\d.]\S{0,40}|NaN|Infinity)$/.exec(text) ?? [];
    if (section !== undefined && measurement !== undefined) {
      this.#row(section, measurement, Number(value));
      return true;
    }
    const point = /^([A-Za-z][\w-]{0,60}),\d{9,16},\d{1,18}$/.exec(text)?.[1];
    if (point !== undefined) this.#points.set(point, (this.#points.get(point) ?? 0) + 1);
    return (
      point !== undefined ||
      /^[\w-]{1,60} latency raw data: op, timestamp\(ms\), latency\(us\)$/.test(text) ||
      this.#jsonLine(text)
    );
  }

  /** Numbers of successful and failed operations of the load. */
  get operations(): { done: number; failed: number; byKind: ReadonlyMap<string, number> } {
    const byKind = new Map<string, number>();
    let done = 0;
    let failed = 0;
    let returned = 0;
    for (const [name, rows] of this.#sections) {
      const operation = operationName(name);
      if (operation.kind === undefined || operation.intended) continue;
      const bad = returnedBadly(rows);
      returned += bad;
      // Releases that number return codes include failed operations in these counts.
      const count = (rows.get('Operations') ?? rows.get('Total Operations') ?? 0) - (numbersReturns(rows) ? bad : 0);
      if (operation.failed) failed += count;
      else if (!byKind.has(operation.kind)) {
        byKind.set(operation.kind, count);
        done += count;
      }
    }
    return { done, failed: Math.max(failed, returned), byKind };
  }

  get summary(): Record<string, number> {
    const summary: Record<string, number> = {};
    for (const [name, rows] of this.#sections) Object.assign(summary, sectionSummary(name, rows));
    for (const [name, count] of this.#points) summary[`${prefixOf(operationName(name), name)}_points_total`] = count;
    if (this.complete && this.operations.failed > 0) summary.operations_failed_total = this.operations.failed;
    return summary;
  }

  /** A report begins with the run time: a second one belongs to another run, and is ignored. */
  #row(section: string, measurement: string, value: number): void {
    const row = `${section} ${measurement} ${value}`;
    // An exact duplicate counts once.
    if (section === 'OVERALL' && measurement === 'RunTime(ms)' && row !== this.#last) this.#runs += 1;
    this.#last = row;
    if (this.#runs > 1) return;
    const rows = this.#sections.get(section) ?? new Map<string, number>();
    this.#sections.set(section, rows);
    // Buckets of histograms and points of time series are only counted, as the samples contain the same data.
    if (/^>?\d+$/.test(measurement)) rows.set('Rows', (rows.get('Rows') ?? 0) + 1);
    else if (!measurement.startsWith('Below is a summary')) rows.set(measurement, value);
  }

  #jsonLine(text: string): boolean {
    if (!/^[\s[\]{},]*("(metric|measurement|value)"|$)/.test(text) || !/["[\]{}]/.test(text)) return false;
    for (const [, key, quoted, bare] of text.matchAll(/"(metric|measurement|value)"\s*:\s*(?:"([^"]*)"|([\w.+-]+))/g)) {
      const value = quoted ?? bare ?? '';
      if (key === 'metric') this.#json = { metric: value };
      else if (key === 'measurement') this.#json.measurement = value;
      else if (this.#json.metric !== undefined && this.#json.measurement !== undefined) {
        this.#row(this.#json.metric, this.#json.measurement, Number(value));
        this.#json = {};
      }
    }
    return true;
  }
}

/** Releases before 0.5 print 0 for success, and a number for each kind of failure. */
const returnedBadly = (rows: Rows): number =>
  [...rows].reduce((sum, [key, value]) => sum + (/^Return=(?!(?:OK|0)$)/.test(key) ? value : 0), 0);
const numbersReturns = (rows: Rows): boolean => [...rows.keys()].some((key) => /^Return=-?\d+$/.test(key));

function sectionSummary(name: string, rows: Rows): Record<string, number> {
  const summary: Record<string, number> = {};
  if (name === 'OVERALL') {
    for (const [measurement, value] of rows) {
      if (measurement === 'RunTime(ms)') summary.total_time_s = value / 1000;
      else if (measurement === 'Throughput(ops/sec)') summary.ops = value;
      else summary[`overall_${slug(measurement)}`] = value;
    }
    return summary;
  }
  const operation = operationName(name);
  const measured = rows.has('Operations') || rows.has('Total Operations');
  const prefix = prefixOf(operation, name);
  // Without a call, latencies are the initial values of the histogram.
  const idle = (rows.get('Operations') ?? rows.get('Total Operations')) === 0;
  for (const [measurement, value] of rows) {
    const [key, converted] = measured ? operationRow(measurement, value) : [slug(measurement), value];
    if (Number.isFinite(converted) && !(idle && key.startsWith('latency_'))) summary[`${prefix}_${key}`] = converted;
  }
  return summary;
}

import { completionLatency, percentileMetric, submissionLatency } from '../../../../../shared/metrics/index.ts';

/** `    clat (usec): min=23, max=12.5M, avg=104.55, stdev=63.95`; a row of shares has no figures named so. */
const LATENCY =
  /^\s*(slat|clat|lat)\s*\((nsec|usec|msec)\)\s*:\s*min=\s*[\d.]+[kKMGT]?,\s*max=\s*([\d.]+)([kKMGT]?),\s*avg=\s*([\d.]+)([kKMGT]?),/;
/** `    clat percentiles (usec):`, and the rows below it. */
const PERCENTILES = /^\s*(slat|clat|lat) percentiles \((nsec|usec|msec)\):/;
const PERCENTILE = /([\d.]+)th=\[\s*([\d.]+)([kKMGT]?)\]/g;

const MS: Readonly<Record<string, number>> = { nsec: 1e-6, usec: 1e-3, msec: 1 };
const SUFFIX: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

const ID: Readonly<Record<string, (latency: string) => string>> = {
  lat: (latency) => latency,
  clat: (latency) => completionLatency(latency),
  slat: (latency) => submissionLatency(latency),
};

/** What the format for people says of the latencies of one direction of a job: figures in ms by metric id. */
export class TextLatencies {
  readonly figures: Record<string, number> = {};
  #percentiles: { kind: string; scale: number } | undefined;

  line(text: string): boolean {
    const heading = PERCENTILES.exec(text);
    if (heading) {
      this.#percentiles = { kind: heading[1] ?? '', scale: MS[heading[2] ?? ''] ?? 1 };
      return true;
    }
    if (/^\s*\|/.test(text)) return this.#rows(text);
    this.#percentiles = undefined;
    const row = LATENCY.exec(text);
    if (!row) return false;
    const [, kind = '', unit = '', max, maxSuffix = '', avg, avgSuffix = ''] = row;
    const scale = MS[unit] ?? 1;
    const id = ID[kind] ?? ID.lat;
    if (id) {
      this.figures[id('latency_avg_ms')] = Number(avg) * (SUFFIX[avgSuffix] ?? 1) * scale;
      this.figures[id('latency_max_ms')] = Number(max) * (SUFFIX[maxSuffix] ?? 1) * scale;
    }
    return true;
  }

  #rows(text: string): boolean {
    const under = this.#percentiles;
    const id = under && ID[under.kind];
    if (!under || !id) return false;
    for (const [, percentile, value, suffix = ''] of text.matchAll(PERCENTILE))
      this.figures[id(percentileMetric(Number(percentile)))] = Number(value) * (SUFFIX[suffix] ?? 1) * under.scale;
    return true;
  }
}

/**
 * Latencies of several jobs or directions together: means weighted by their I/Os, the longest of all. Percentiles only of one alone,
 * as no two can be put together.
 */
export function togetherOf(
  parts: readonly { ios: number | undefined; figures: Readonly<Record<string, number>> }[],
): Record<string, number> {
  const [only] = parts;
  if (parts.length === 1 && only) return { ...only.figures };
  const found: Record<string, number> = {};
  const total = parts.reduce((sum, { ios = Number.NaN }) => sum + ios, 0);
  for (const id of Object.keys(only?.figures ?? {})) {
    const values = parts.map(({ ios = 0, figures }) => ({ ios, value: figures[id] ?? Number.NaN }));
    const value = id.endsWith('latency_max_ms')
      ? Math.max(...values.map((part) => part.value))
      : id.endsWith('latency_avg_ms')
        ? values.reduce((sum, part) => sum + part.ios * part.value, 0) / total
        : Number.NaN;
    if (Number.isFinite(value)) found[id] = value;
  }
  return found;
}

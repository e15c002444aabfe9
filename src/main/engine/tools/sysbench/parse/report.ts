import { percentileMetric } from '../../../../../shared/metrics/index.ts';
import { eventsOf, type Histogram, percentileOf } from '../../../../../shared/stats/index.ts';
import { FAIRNESS, LATENCY, MS_PER_S, number, type Row, SECTIONS, UNHEADED } from './report-rows.ts';
import { decimal } from './series.ts';

const HEADER = /^\s*value\s+-+ distribution -+ count$/;
const ROW = /^\s*(\d+\.\d{3}) \|\**\s+(\d+)$/;
/** Percentiles calculated from a histogram, and the minimum number of events for each. */
const PERCENTILES = [
  { percentile: 50, events: 1 },
  { percentile: 75, events: 4 },
  { percentile: 90, events: 10 },
  { percentile: 95, events: 20 },
  { percentile: 99, events: 100 },
  { percentile: 99.9, events: 1000 },
];

/** The latency histogram of `--histogram`: events by ascending latency, printed before the final report. */
class LatencyHistogram {
  readonly #rows: Histogram[number][] = [];

  /** Whether the line belongs to it. */
  line(text: string): boolean {
    const [, ms, count] = ROW.exec(text) ?? [];
    if (ms !== undefined) this.#rows.push({ ms: Number(ms), count: Number(count) });
    return ms !== undefined || HEADER.test(text);
  }

  /** Its size, and percentiles if it contains the `events` of the report: after a checkpoint a few can be missing. */
  figures(events: number | undefined): Record<string, number> {
    if (this.#rows.length === 0) return {};
    const total = eventsOf(this.#rows);
    const figures: Record<string, number> = { histogram_rows: this.#rows.length, histogram_events_total: total };
    const whole = this.whole(events);
    if (!whole) return figures;
    for (const { percentile, events: least } of PERCENTILES) {
      const ms = total >= least ? percentileOf(whole, percentile) : undefined;
      if (ms !== undefined) figures[percentileMetric(percentile)] = ms;
    }
    return figures;
  }

  /** Its rows, if they contain the `events` of the report. */
  whole(events: number | undefined): Histogram | undefined {
    const total = eventsOf(this.#rows);
    const holds = events !== undefined && Math.abs(events - total) <= Math.max(1, events / 100);
    return this.#rows.length > 0 && holds ? this.#rows : undefined;
  }
}

const PERCENTILE = new RegExp(`^\\s*(?:approx\\. +(\\d+) percentile|(\\d+)th percentile):\\s+${number}(m?s)?$`);
const NO_PERCENTILE = /^\s*percentile stats:\s+disabled$/;
/** 0.4 and 0.5 fileio: `Read 4.3139Gb  Written 2.876Gb  Total transferred 7.1899Gb  (1.4378Gb/sec)`; units are powers of 1024. */
const OLD_FILE_SIZES =
  /^Read (\d+(?:\.\d+)?)(\w*)b\s+Written (\d+(?:\.\d+)?)(\w*)b\s+Total transferred (\d+(?:\.\d+)?)(\w*)b\s+\((\d+(?:\.\d+)?)(\w*)b\/sec\)$/;

/** With 0 events, 0.4 prints the largest 64-bit number as its minimum: `18446744073709.55ms`. */
const IMPLAUSIBLE_MS = 1e12;

/** MiB of a figure with the unit letter that 0.4 and 0.5 append to it. */
const mebibytes = (figure: string | undefined, unit: string | undefined): number =>
  Number(figure) * 1024 ** (['', 'K', 'M', 'G', 'T'].indexOf((unit ?? '').toUpperCase()) - 2);

/** Reads one final report, section by section. Gaps between columns vary, so rows match any whitespace. */
export class ReportReader {
  readonly values: Record<string, number> = {};
  #section: readonly Row[] | undefined;
  readonly histogram = new LatencyHistogram();
  #inHistogram = false;
  /** 1.1 ends the report of fileio with its latencies. */
  #endsWithLatency = false;
  #complete = false;
  #implausible = false;

  /** Whether its last row was read. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Whether a time was invalid: the clock was adjusted during an event, and the difference overflowed. */
  get implausible(): boolean {
    return this.#implausible;
  }

  /** Whether any row was read. */
  get begun(): boolean {
    return Object.keys(this.values).length > 0;
  }

  /** Whether the line belongs to the report. */
  line(text: string): boolean {
    const heading = SECTIONS.get(text.trim());
    if (heading) {
      this.#section = heading;
      this.#inHistogram = text.startsWith('Latency histogram');
      return true;
    }
    if (this.#inHistogram && this.histogram.line(text)) return true;
    if (this.#section === LATENCY && this.#percentileRow(text)) return true;
    return this.#rows(this.#section ?? [], text) || this.#rows(UNHEADED, text) || this.#oldFileSizes(text);
  }

  #rows(rows: readonly Row[], text: string): boolean {
    for (const row of rows) {
      const match = row.pattern.exec(text);
      if (!match) continue;
      for (const [index, key] of row.keys.entries()) this.#set(key, match[index + 1], row.scale);
      if (row.endsWithLatency) this.#endsWithLatency = true;
      const last =
        rows === FAIRNESS ? /execution time/ : this.#endsWithLatency && rows === LATENCY ? /^\s*sum:/ : undefined;
      if (last?.test(text)) this.#complete = true;
      return true;
    }
    return false;
  }

  #set(key: string | undefined, text: string | undefined, scale = 1): void {
    const figure = decimal(text);
    if (key === undefined || figure === undefined || Number.isNaN(figure)) return;
    const value = figure * scale;
    if (key.startsWith('latency_') && (value >= IMPLAUSIBLE_MS || value < 0)) {
      this.#implausible = true;
      return;
    }
    this.values[key] = value;
  }

  #percentileRow(text: string): boolean {
    const match = PERCENTILE.exec(text);
    if (match) this.#set(percentileMetric(Number(match[1] ?? match[2])), match[3], match[4] === 's' ? MS_PER_S : 1);
    return match !== null || NO_PERCENTILE.test(text);
  }

  #oldFileSizes(text: string): boolean {
    const match = OLD_FILE_SIZES.exec(text);
    if (!match) return false;
    this.values.read_mib_total = mebibytes(match[1], match[2]);
    this.values.written_mib_total = mebibytes(match[3], match[4]);
    this.values.transferred_mib_total = mebibytes(match[5], match[6]);
    this.values.transfer_mib_s = mebibytes(match[7], match[8]);
    return true;
  }
}

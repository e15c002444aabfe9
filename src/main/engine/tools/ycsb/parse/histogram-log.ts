import { inflateSync } from 'node:zlib';
import { type HistogramPart, HistogramParts } from '../../../../../shared/stats/index.ts';
import { HISTOGRAM_MARK } from '../plan/launcher.ts';
import { operationName } from './samples.ts';

/** Cookies of the compressed and the plain form of both encodings, without the bits for the width of a count. */
const V1 = { compressed: 0x1c849302, plain: 0x1c849301 };
const V2 = { compressed: 0x1c849304, plain: 0x1c849303 };
const WIDTH_BITS = 0xf0;
/** Cookie, length, offset, digits, lowest, highest, ratio. */
const HEADER = 40;
/** Upper limit for 18 digits with 5 significant ones. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Decodes a histogram compressed by HdrHistogram (org.HdrHistogram 2.1, `encodeIntoCompressedByteBuffer`, V1 and V2; base64 here): counts by the
 * largest equivalent value. Undefined for invalid or damaged data.
 */
export function decodeHistogram(base64: string): ReadonlyMap<number, number> | undefined {
  const packed = Buffer.from(base64, 'base64');
  if (packed.length < 8) return undefined;
  const version = [V1, V2].find(({ compressed }) => cookieOf(packed) === compressed);
  if (!version) return undefined;
  const plain = inflated(packed.subarray(8, 8 + packed.readUInt32BE(4)));
  if (!plain || plain.length < HEADER || cookieOf(plain) !== version.plain) return undefined;
  const counts = plain.subarray(HEADER, HEADER + plain.readUInt32BE(4));
  const [digits, lowest] = [plain.readUInt32BE(12), Number(plain.readBigInt64BE(16))];
  // A shifted index belongs to histograms of fractions, which have their own ratio.
  if (plain.readInt32BE(8) !== 0 || digits > 5 || lowest < 1) return undefined;
  const width = ((plain.readUInt32BE(0) & WIDTH_BITS) >>> 4) & 0xe;
  const found = version === V1 ? fixedCounts(counts, width) : zigZagCounts(counts);
  const valueAt = values(digits, lowest);
  return found && new Map([...found].map(([index, count]) => [valueAt(index), count]));
}

const cookieOf = (bytes: Buffer): number => (bytes.readUInt32BE(0) & ~WIDTH_BITS) >>> 0;

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return undefined;
  }
}

/** V1: a count of fixed width for each index. */
function fixedCounts(bytes: Buffer, width: number): [number, number][] | undefined {
  if (![2, 4, 8].includes(width)) return undefined;
  const found: [number, number][] = [];
  for (let at = 0; at + width <= bytes.length; at += width) {
    const count = width === 8 ? Number(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, width);
    if (count < 0) return undefined;
    if (count > 0) found.push([at / width, count]);
  }
  return found;
}

/** V2: counts as zigzag numbers with seven bits per byte; a negative one is a run of zeros. */
function zigZagCounts(bytes: Buffer): [number, number][] | undefined {
  const found: [number, number][] = [];
  let index = 0;
  for (let at = 0; at < bytes.length; ) {
    let [coded, shift] = [0n, 0n];
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) return undefined;
      at += 1;
      // The ninth byte contributes eight bits.
      coded |= BigInt(shift === 56n ? byte : byte & 0x7f) << shift;
      if (byte < 0x80 || shift === 56n) break;
      shift += 7n;
    }
    const count = Number((coded >> 1n) ^ -(coded & 1n));
    if (count > 0) found.push([index, count]);
    index += count < 0 ? -count : 1;
  }
  return found;
}

/** The largest equivalent value of an index: buckets double, and each has as many steps as the digits require. */
function values(digits: number, lowest: number): (index: number) => number {
  const halfBits = Math.max(1, Math.ceil(Math.log2(2 * 10 ** digits))) - 1;
  const [half, unit] = [2 ** halfBits, Math.floor(Math.log2(lowest))];
  return (index) => {
    const bucket = Math.max(0, Math.floor(index / half) - 1);
    const step = index < half ? index : (index % half) + half;
    return (step + 1) * 2 ** (bucket + unit) - 1;
  };
}

const BASE = /^#\[StartTime: (\d+(?:\.\d+)?) \(seconds since epoch\)/;
/** Start of an interval in seconds since the base, its length, its maximum, and its histogram. */
const ROW = /^(\d+\.\d+),(\d+\.\d+),\d+\.\d+,(HIST[\w+/]+=*)$/;
/**
 * Two threads that start a kind of operation simultaneously both open its log, and the later one truncates it. If the other has already written rows,
 * and continues at its old position, zeros remain. Observed for CLEANUP, which all threads start at the end.
 */
const EMPTIED = /^\0+/;
const COMMENT = /^(#\[.*\]|"StartTimestamp",.*)$/;
const US_PER_MS = 1000;
/** Time zones differ from UTC by multiples of this. */
const ZONE_STEP = 900;
/** Intervals end with a status line, slightly before or after its second. */
const JITTER = 0.3;

interface Interval {
  /** Epoch seconds of its end. */
  readonly end: number;
  readonly counts: ReadonlyMap<number, number>;
}

/** HdrHistogram logs that the launcher prints after a run: latency counts between two status lines, by operation. */
export class HistogramLogs {
  readonly #logs = new Map<string, Interval[]>();
  readonly #damaged = new Set<string>();
  #name: string | undefined;
  #base = 0;
  #zero: number | undefined;

  /**
   * Derives YCSB's second 0 from a status line: `clock` in ms, of an unknown time zone. Seconds are rounded down, so the earliest estimate is used.
   */
  status(clock: number | undefined, t: number): void {
    if (clock === undefined) return;
    const zero = clock / 1000 - t;
    this.#zero = Math.min(this.#zero ?? zero, zero);
  }

  /** Whether the line belongs to a log. */
  line(text: string): boolean {
    if (text.startsWith(HISTOGRAM_MARK)) {
      this.#name = text.slice(HISTOGRAM_MARK.length);
      this.#base = 0;
      return true;
    }
    if (this.#name === undefined) return false;
    const base = BASE.exec(text)?.[1];
    if (base !== undefined) this.#base = Number(base);
    const row = text.replace(EMPTIED, '');
    const [, start, length, packed] = ROW.exec(row) ?? [];
    if (packed === undefined) return base !== undefined || COMMENT.test(text);
    const counts = decodeHistogram(packed);
    if (!counts || row !== text || this.#base === 0) {
      this.#damaged.add(this.#name);
      // Logs of anything but the load are not needed.
      return counts !== undefined && operationName(this.#name).kind === undefined;
    }
    const log = this.#logs.get(this.#name) ?? [];
    this.#logs.set(this.#name, log);
    log.push({ end: this.#base + Number(start) + Number(length), counts });
    return true;
  }

  /**
   * By family, on the clock of the status lines: `read_latency`, and `latency` if there was only one kind of operation. Failed operations are
   * excluded. Undefined without logs.
   */
  get latencies(): Record<string, readonly HistogramPart[]> | undefined {
    const found: Record<string, readonly HistogramPart[]> = {};
    const kinds = new Set<string>();
    for (const [name, log] of this.#logs) {
      const { kind, failed, intended, form } = operationName(name);
      const parts = this.#parts(log);
      if (kind === undefined || failed || form !== 'hdr' || !parts) continue;
      if (!intended) kinds.add(kind);
      if (!this.#damaged.has(name)) found[`${kind}${intended ? '_intended' : ''}_latency`] = parts;
    }
    const [only, ...others] = kinds;
    const all = others.length === 0 ? found[`${only}_latency`] : undefined;
    if (all) found.latency = all;
    return Object.keys(found).length > 0 ? found : undefined;
  }

  #parts(log: readonly Interval[]): readonly HistogramPart[] | undefined {
    const zero = this.#epochOfZero(log[0]?.end ?? 0);
    const parts = new HistogramParts();
    for (const { end, counts } of log) {
      const [t, nearest] = [end - zero, Math.round(end - zero)];
      const to = Math.abs(t - nearest) < JITTER ? nearest : t;
      // Status lines begin with one for second 0.
      parts.add(Math.max(1, to), new Map([...counts].map(([us, count]) => [us / US_PER_MS, count])));
    }
    return parts.parts;
  }

  #epochOfZero(near: number): number {
    const zero = this.#zero ?? this.#earliest;
    return zero - Math.round((zero - near) / ZONE_STEP) * ZONE_STEP;
  }

  /** Without status lines, the first interval is assumed to end with the first second. */
  get #earliest(): number {
    return Math.min(...[...this.#logs.values()].map(([first]) => (first?.end ?? Number.POSITIVE_INFINITY) - 1));
  }
}

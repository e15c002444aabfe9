import {
  completionLatency,
  operationLatency,
  percentileMetric,
  submissionLatency,
} from '../../../../../shared/metrics/index.ts';
import { ALL_CLIENTS } from './figures.ts';
import { byGroupAndJob, shareOfTime } from './summary.ts';

const KINDS = ['read', 'write', 'trim', 'mixed'] as const;
type Kind = (typeof KINDS)[number];

/** Figures of one direction of a job. Rates per second, the time in ms. */
interface Direction {
  runtime: number;
  ios?: number;
  /** As printed in the terse format. */
  iops?: number;
  mib?: number;
  /** As printed in the normal format, rounded to about three digits. */
  printed?: { iops: number; mib: number };
  latencies?: TextLatencies;
}

/** Final figures of one job from the normal or the terse format. */
interface TextJob {
  name: string;
  group: number;
  error: number;
  directions: Map<Kind, Direction>;
}

const BLOCK = /^\s*(.+): \(groupid=(\d+), jobs=(\d+)\): err= ?(\d+)(?: \(.*\))?: pid=(\d+): /;
const RATE = String.raw`([\d.]+)\s*([KMGTP]?)(i?)(B|bit)/s`;
/** 3.x: `  read: IOPS=34.5k, BW=135MiB/s (141MB/s)(120MiB/893msec)`; with kb_base=1000 MB/s comes first, with unit_base=1 values are in bits. */
const BANDWIDTH = new RegExp(
  `^\\s*(read|write|trim|mixed)\\s*: IOPS=\\s*([\\d.]+)([kKMG]?), BW=\\s*${RATE}(?: \\(${RATE}\\))?.*/(\\d+)msec\\)`,
);
/** 2.x: `  read : io=3071.7MB, bw=485624KB/s, iops=121406, runt=  6477msec`. Its units are powers of 1024. */
const BANDWIDTH_2 = new RegExp(
  `^\\s*(read|write|trim|mixed)\\s*: io=\\s*[\\d.]+\\w*, bw=\\s*${RATE}, iops=\\s*(\\d+)\\s*, runt=\\s*(\\d+)msec`,
);
const ISSUED = /^\s*issued (?:rwts: total=(\d+),(\d+),(\d+),|\s*: total=r=(\d+)\/w=(\d+)\/d=(\d+))/;
const POWERS = ['', 'K', 'M', 'G', 'T', 'P'];
const MIB = 1_048_576;
const BITS = 8;

interface Printed {
  figure: number;
  power: number;
  isBinary: boolean;
  isBits: boolean;
}
const rateOf = ([figure, unit = '', binary, of]: readonly (string | undefined)[]): Printed | undefined =>
  figure === undefined
    ? undefined
    : { figure: Number(figure), power: POWERS.indexOf(unit), isBinary: binary === 'i', isBits: of === 'bit' };

/** MiB/s of a rate that is printed in powers of both 1024 and 1000, one of them marked as binary. A single rate is in powers of 1024. */
function mebibytes(first: Printed | undefined, second: Printed | undefined): number {
  const rate = [first, second].find((each) => each?.isBinary) ?? first;
  if (!rate) return Number.NaN;
  return (rate.figure * 1024 ** rate.power) / MIB / (rate.isBits ? BITS : 1);
}
const THOUSANDS: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9 };
/** Other rows of a block, and lines before and after the blocks. */
const ROWS =
  /^( +(slat|clat|lat|bw|iops|cpu|IO depths|submit|complete|issued|latency|errors|sync|fsync|READ|WRITE|TRIM|MIXED)\b.*| +(clat|lat|slat|sync) percentiles \(.*| +\|.*| Run status group \d+ \(all jobs\):|Disk stats \(read\/write\):| {2}\S+: ios=.*|.+: \(g=\d+\): rw=.*|\.\.\.|Starting \d+ (process|thread).*|.+: Laying out IO files? \(.*)$/;
const ETA = /^Jobs: \d+ \(f=\d+\)/;

/** Terse rows: indexes of the first figure of each direction, by the version at the beginning of the row. */
const TERSE: Readonly<Record<string, { name: number; read: number; write: number }>> = {
  2: { name: 1, read: 4, write: 45 },
  3: { name: 2, read: 5, write: 46 },
  4: { name: 2, read: 5, write: 46 },
  5: { name: 2, read: 5, write: 52 },
};
const TERSE_ROW = /^[2-5];[^;]*;.*;\d+\.\d+%?;/;
/** A row with fewer fields is truncated. */
const TERSE_FIELDS = 120;

/**
 * Reads fio's normal (text) and terse formats. Their figures are rounded, some without a time, so only final figures are read from them, no samples.
 */
export class TextReader {
  readonly #jobs = new Map<string, TextJob>();
  readonly #rows: TextJob[] = [];
  #block: TextJob | undefined;
  #latencies: TextLatencies | undefined;
  #blocks = 0;
  #groups = 0;
  #orphans = 0;

  get blocks(): number {
    return this.#blocks;
  }
  get rows(): number {
    return this.#rows.length;
  }
  get any(): boolean {
    return this.#blocks > 0 || this.#rows.length > 0;
  }
  /** Whether the last report in the normal format is complete. */
  get complete(): boolean {
    return this.#rows.length > 0 || this.#groups > 0;
  }
  /** Rate rows without the row that names their job, as in search results. */
  get orphans(): number {
    return this.#orphans;
  }
  get errors(): number[] {
    return this.#latest().flatMap(({ error }) => (error > 0 ? [error] : []));
  }

  line(text: string): boolean {
    return ETA.test(text) || (TERSE_ROW.test(text) && this.#terse(text)) || this.#normal(text);
  }

  #normal(text: string): boolean {
    const block = BLOCK.exec(text);
    if (block) {
      const [, name = '', group, , error, pid = ''] = block;
      this.#block = { name, group: Number(group), error: Number(error), directions: new Map() };
      this.#latencies = undefined;
      this.#jobs.set(`${pid} ${name}`, this.#block);
      this.#blocks += 1;
      return true;
    }
    if (text.startsWith('Run status group')) {
      this.#groups += 1;
      this.#block = undefined;
    }
    const open = this.#block;
    if (open && this.#rates(text, open)) return true;
    if (!open && (BANDWIDTH.test(text) || BANDWIDTH_2.test(text))) {
      this.#orphans += 1;
      return true;
    }
    const issued = open && ISSUED.exec(text);
    if (open && issued) issuedBy(open, issued);
    // Latencies of fsync follow those of reads and writes, under a separate heading.
    if (/^\s*fsync\/fdatasync/.test(text)) this.#latencies = undefined;
    return Boolean(this.#latencies?.line(text)) || ROWS.test(text);
  }

  /** Reads the row that begins a direction of a job. */
  #rates(text: string, block: TextJob): boolean {
    const row = BANDWIDTH.exec(text);
    const older = row ? null : BANDWIDTH_2.exec(text);
    if (!row && !older) return false;
    const kind = (row ?? older)?.[1] as Kind;
    const [iops, mib, runtime] = row
      ? [
          Number(row[2]) * (THOUSANDS[row[3] ?? ''] ?? 1),
          mebibytes(rateOf(row.slice(4, 8)), rateOf(row.slice(8, 12))),
          Number(row[12]),
        ]
      : [Number(older?.[6]), mebibytes(rateOf(older?.slice(2, 6) ?? []), undefined), Number(older?.[7])];
    this.#latencies = new TextLatencies();
    block.directions.set(kind, { runtime, printed: { iops, mib }, latencies: this.#latencies });
    return true;
  }

  #terse(text: string): boolean {
    const fields = text.split(';');
    const places = TERSE[fields[0] ?? ''];
    if (!places || fields.length < TERSE_FIELDS) return false;
    const { name, read, write } = places;
    const at = (index: number): number => Number(fields[index]);
    const directions = new Map<Kind, Direction>(
      [['read', read] as const, ['write', write] as const].map(([kind, place]) => [
        kind,
        { mib: (at(place) / 1024 / (at(place + 3) || 1)) * 1000, iops: at(place + 2), runtime: at(place + 3) },
      ]),
    );
    const [group, error] = [at(name + 1), at(name + 2)];
    const figures = [...directions.values()].flatMap((direction) => Object.values(direction) as number[]);
    if (![...figures, group, error].every(Number.isFinite)) return false;
    this.#rows.push({ name: fields[name] ?? '', group, error, directions });
    return true;
  }

  /**
   * The last figures of each job. Terse rows with equal job names are several jobs if their run times are equal, and successive rows of one job if
   * they grow. Otherwise this is ambiguous.
   */
  #latest(): TextJob[] {
    if (this.#rows.length === 0) {
      const jobs = [...this.#jobs.values()];
      const parts = jobs.filter(({ name }) => name !== ALL_CLIENTS);
      return parts.length > 0 ? parts : jobs;
    }
    const named = new Map<string, TextJob[]>();
    for (const row of this.#rows) {
      const key = `${row.group};${row.name}`;
      named.set(key, [...(named.get(key) ?? []), row]);
    }
    return [...named.values()].flatMap((rows) => {
      const ends = rows.map(({ directions }) => Math.max(...[...directions.values()].map(({ runtime }) => runtime)));
      const gaps = ends.slice(1).map((end, index) => end - (ends[index] ?? 0));
      if (gaps.every((gap) => gap > 100)) return rows.slice(-1);
      return gaps.every((gap) => Math.abs(gap) <= 100) ? rows : [];
    });
  }

  /** By metric id: of all jobs together, and with several groups as for a document. */
  get summary(): Record<string, number> {
    const jobs = this.#latest();
    return new Set(jobs.map(({ group }) => group)).size > 1 ? byGroupAndJob(jobs, figuresOf) : figuresOf(jobs);
  }
}

function issuedBy({ directions }: TextJob, issued: RegExpExecArray): void {
  const [read = 0, write = 0, trim = 0] = [1, 2, 3].map((at) => Number(issued[at] ?? issued[at + 3]));
  const counts: Record<Kind, number> = { read, write, trim, mixed: read + write + trim };
  for (const [kind, direction] of directions) direction.ios = counts[kind];
}

/** With `unified_rw_reporting=both`, it is present in addition to those that it is the sum of. */
const kindsOf = ({ directions }: TextJob): [Kind, Direction][] =>
  [...directions].filter(([kind, { runtime }]) => runtime > 0 && (kind !== 'mixed' || directions.size === 1));

/** The sum. Undefined if any value is unknown. */
const sumOf = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce<number | undefined>(
    (sum, value) => (sum === undefined || value === undefined ? undefined : sum + value),
    0,
  );

const iopsOf = ({ iops, ios, runtime, printed }: Direction): number | undefined =>
  iops ?? (ios === undefined ? printed?.iops : (ios * 1000) / runtime);

function figuresOf(jobs: readonly TextJob[]): Record<string, number> {
  const found: Record<string, number | undefined> = {};
  const measured = jobs.flatMap(kindsOf);
  const kinds = KINDS.filter((kind) => measured.some(([each]) => each === kind));
  const share = shareOfTime(measured.map(([, { runtime }]) => runtime));
  const partOf = (rate: number | undefined, { runtime }: Direction) => rate && rate * share(runtime);
  const latencyOf = (parts: typeof measured): Record<string, number> =>
    combinedLatencies(parts.map(([, { ios, latencies }]) => ({ ios, figures: latencies?.figures ?? {} })));
  for (const kind of kinds) {
    const active = measured.filter(([each]) => each === kind);
    found[`iops_${kind}`] = sumOf(active.map(([, direction]) => partOf(iopsOf(direction), direction)));
    found[`${kind}_mib_s`] = sumOf(
      active.map(([, direction]) => partOf(direction.mib ?? direction.printed?.mib, direction)),
    );
    if (kinds.length > 1)
      for (const [id, value] of Object.entries(latencyOf(active))) found[operationLatency(kind, id)] = value;
  }
  if (kinds.length > 0) found.iops = sumOf(kinds.map((kind) => found[`iops_${kind}`]));
  Object.assign(found, latencyOf(measured));
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [string, number] => entry[1] !== undefined && Number.isFinite(entry[1]),
    ),
  );
}

/** `    clat (usec): min=23, max=12.5M, avg=104.55, stdev=63.95`; rows of latency shares do not match. */
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

/** Latencies of one direction of a job in the normal format: figures in ms by metric id. */
class TextLatencies {
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

/** Latencies of several jobs or directions: means weighted by I/Os, and the maximum. Percentiles only for a single one, as they cannot be merged. */
function combinedLatencies(
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

import { operationLatency } from '../../../../../shared/metrics/index.ts';
import { TextLatencies, togetherOf } from './text-latency.ts';

const KINDS = ['read', 'write'] as const;
type Kind = (typeof KINDS)[number];

/** Final figures of one job as the normal and the terse format tell them. Rates per second. */
interface TextJob {
  name: string;
  group: number;
  error: number;
  runtime: { read: number; write: number };
  ios?: { read: number; write: number };
  iops?: { read: number; write: number };
  mib?: { read: number; write: number };
  /** Rates as printed, to three digits or so. */
  printed?: Partial<Record<Kind, { iops: number; mib: number }>>;
  latencies: Partial<Record<Kind, TextLatencies>>;
}

const BLOCK = /^\s*(.+): \(groupid=(\d+), jobs=(\d+)\): err= ?(\d+)(?: \(.*\))?: pid=(\d+): /;
/** 3.x: `  read: IOPS=34.5k, BW=135MiB/s (141MB/s)(120MiB/893msec)`. */
const BANDWIDTH = /^\s*(read|write)\s*: IOPS=\s*([\d.]+)([kMG]?), BW=\s*([\d.]+)([KMGT]?i?B)\/s .*\/(\d+)msec\)/;
/** 2.x: `  read : io=3071.7MB, bw=485624KB/s, iops=121406, runt=  6477msec`. Its units are powers of 1024. */
const BANDWIDTH_2 =
  /^\s*(read|write)\s*: io=\s*[\d.]+\w*, bw=\s*([\d.]+)([KMGT]?B)\/s, iops=\s*(\d+)\s*, runt=\s*(\d+)msec/;
const ISSUED = /^\s*issued (?:rwts: total=(\d+),(\d+),|\s*: total=r=(\d+)\/w=(\d+)\/)/;
const POWERS = ['', 'K', 'M', 'G', 'T'];
/** MiB of a figure with its unit; both notations of fio mean powers of 1024 where no other is beside. */
const mebibytes = (figure: string, unit: string): number =>
  Number(figure) * 1024 ** (POWERS.indexOf(unit[0] === 'B' ? '' : (unit[0] ?? '')) - 2);
const THOUSANDS: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9 };
/** Other rows of a block, and what stands before and behind the blocks. */
const ROWS =
  /^( +(slat|clat|lat|bw|iops|cpu|IO depths|submit|complete|issued|latency|errors|sync|fsync|READ|WRITE|TRIM|MIXED)\b.*| +(clat|lat|slat|sync) percentiles \(.*| +\|.*| {2}(trim|mixed): IOPS=.*|Run status group \d+ \(all jobs\):|Disk stats \(read\/write\):| {2}\S+: ios=.*|.+: \(g=\d+\): rw=.*|\.\.\.|Starting \d+ (process|thread).*|.+: Laying out IO files? \(.*)$/;
const ETA = /^Jobs: \d+ \(f=\d+\)/;

/** Terse rows: where the counts of each direction begin, by the version in front. */
const TERSE: Readonly<Record<string, { name: number; read: number; write: number }>> = {
  2: { name: 1, read: 4, write: 45 },
  3: { name: 2, read: 5, write: 46 },
  4: { name: 2, read: 5, write: 46 },
  5: { name: 2, read: 5, write: 52 },
};
const TERSE_ROW = /^[2-5];[^;]*;.*;\d+\.\d+%?;/;
/** Fewer fields than this, and the row is cut. */
const TERSE_FIELDS = 120;

/**
 * Reads fio's formats for people and for scripts. Their figures are rounded, and in part without a time, so they give final figures
 * only and no second by second.
 */
export class TextReader {
  readonly #jobs = new Map<string, TextJob>();
  readonly #rows: TextJob[] = [];
  #block: TextJob | undefined;
  #latencies: TextLatencies | undefined;
  #blocks = 0;
  #groups = 0;

  get blocks(): number {
    return this.#blocks;
  }
  get rows(): number {
    return this.#rows.length;
  }
  get any(): boolean {
    return this.#blocks > 0 || this.#rows.length > 0;
  }
  /** Whether the last report in the normal format came to its end. */
  get complete(): boolean {
    return this.#rows.length > 0 || this.#groups > 0;
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
      this.#block = { name, group: Number(group), error: Number(error), runtime: { read: 0, write: 0 }, latencies: {} };
      this.#latencies = undefined;
      this.#jobs.set(pid, this.#block);
      this.#blocks += 1;
      return true;
    }
    if (text.startsWith('Run status group')) {
      this.#groups += 1;
      this.#block = undefined;
    }
    const open = this.#block;
    if (open && this.#rates(text, open)) return true;
    const issued = open && ISSUED.exec(text);
    if (open && issued) open.ios = { read: Number(issued[1] ?? issued[3]), write: Number(issued[2] ?? issued[4]) };
    // Latencies of fsync follow those of reads and writes, under a heading of their own.
    if (/^\s*fsync\/fdatasync/.test(text)) this.#latencies = undefined;
    return Boolean(this.#latencies?.line(text)) || ROWS.test(text);
  }

  /** The row that begins a direction of a job. */
  #rates(text: string, block: TextJob): boolean {
    const row = BANDWIDTH.exec(text);
    const older = row ? null : BANDWIDTH_2.exec(text);
    if (!row && !older) return false;
    const kind: Kind = (row ?? older)?.[1] === 'read' ? 'read' : 'write';
    const [iops, mib, runtime] = row
      ? [Number(row[2]) * (THOUSANDS[row[3] ?? ''] ?? 1), mebibytes(row[4] ?? '', row[5] ?? ''), Number(row[6])]
      : [Number(older?.[4]), mebibytes(older?.[2] ?? '', older?.[3] ?? ''), Number(older?.[5])];
    block.runtime[kind] = runtime;
    block.printed = { ...block.printed, [kind]: { iops, mib } };
    this.#latencies = new TextLatencies();
    block.latencies[kind] = this.#latencies;
    return true;
  }

  #terse(text: string): boolean {
    const fields = text.split(';');
    const places = TERSE[fields[0] ?? ''];
    if (!places || fields.length < TERSE_FIELDS) return false;
    const { name, read, write } = places;
    const at = (index: number): number => Number(fields[index]);
    const both = (offset: number) => ({ read: at(read + offset), write: at(write + offset) });
    const [kib, iops, runtime] = [both(0), both(2), both(3)];
    const figures = [
      ...Object.values(kib),
      ...Object.values(iops),
      ...Object.values(runtime),
      at(name + 1),
      at(name + 2),
    ];
    if (!figures.every(Number.isFinite)) return false;
    this.#rows.push({
      name: fields[name] ?? '',
      group: at(name + 1),
      error: at(name + 2),
      runtime,
      iops,
      mib: { read: kib.read / 1024, write: kib.write / 1024 },
      latencies: {},
    });
    return true;
  }

  /**
   * The last figures of each job. Terse rows of several jobs of one name cannot be told from later rows of the same job, unless
   * their run times say so: alike = several jobs, growing = one.
   */
  #latest(): TextJob[] {
    if (this.#rows.length === 0) return [...this.#jobs.values()];
    const named = new Map<string, TextJob[]>();
    for (const row of this.#rows) {
      const key = `${row.group};${row.name}`;
      named.set(key, [...(named.get(key) ?? []), row]);
    }
    return [...named.values()].flatMap((rows) => {
      const ends = rows.map(({ runtime }) => Math.max(runtime.read, runtime.write));
      const gaps = ends.slice(1).map((end, index) => end - (ends[index] ?? 0));
      if (gaps.every((gap) => gap > 100)) return rows.slice(-1);
      return gaps.every((gap) => Math.abs(gap) <= 100) ? rows : [];
    });
  }

  get summary(): Record<string, number> {
    const jobs = this.#latest();
    const summary: Record<string, number> = {};
    if (new Set(jobs.map(({ group }) => group)).size !== 1) return summary;
    const measured: { kind: Kind; ios: number | undefined; figures: Record<string, number> }[] = [];
    for (const direction of KINDS) {
      const active = jobs.filter(({ runtime }) => runtime[direction] > 0);
      for (const { ios, latencies } of active)
        measured.push({ kind: direction, ios: ios?.[direction], figures: latencies[direction]?.figures ?? {} });
      if (active.length === 0) continue;
      const rate = ({ iops, ios, runtime, printed }: TextJob): number | undefined =>
        iops?.[direction] ?? (ios ? (ios[direction] * 1000) / runtime[direction] : printed?.[direction]?.iops);
      const rates = active.map(rate).filter((value) => value !== undefined);
      if (rates.length === active.length) summary[`iops_${direction}`] = rates.reduce((sum, value) => sum + value, 0);
      const mib = active.map((job) => job.mib?.[direction]).filter((value) => value !== undefined);
      if (mib.length === active.length)
        summary[`${direction}_mib_s`] = active.reduce(
          (sum, job) => sum + ((job.mib?.[direction] ?? 0) * 1000) / job.runtime[direction],
          0,
        );
      const printed = active.map((job) => job.printed?.[direction]?.mib).filter((value) => value !== undefined);
      if (printed.length === active.length)
        summary[`${direction}_mib_s`] = printed.reduce((sum, value) => sum + value, 0);
    }
    const kinds = KINDS.filter((kind) => measured.some((part) => part.kind === kind));
    const rates = kinds.map((kind) => summary[`iops_${kind}`]);
    if (rates.length > 0 && rates.every((rate) => rate !== undefined))
      summary.iops = rates.reduce((sum, rate) => sum + rate, 0);
    if (kinds.length > 1)
      for (const kind of kinds)
        for (const [id, value] of Object.entries(togetherOf(measured.filter((part) => part.kind === kind))))
          summary[operationLatency(kind, id)] = value;
    return Object.assign(summary, togetherOf(measured));
  }
}

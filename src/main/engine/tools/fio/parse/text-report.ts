/** Final figures of one job as the normal and the terse format tell them. Rates per second. */
interface TextJob {
  name: string;
  group: number;
  error: number;
  runtime: { read: number; write: number };
  ios?: { read: number; write: number };
  iops?: { read: number; write: number };
  mib?: { read: number; write: number };
}

const BLOCK = /^(.+): \(groupid=(\d+), jobs=(\d+)\): err= ?(\d+)(?: \(.*\))?: pid=(\d+): /;
const BANDWIDTH = /^ {2}(read|write): IOPS=[^,]+, BW=.*\/(\d+)msec\)/;
const ISSUED = /^ +issued rwts: total=(\d+),(\d+),(\d+),(\d+) /;
/** Other rows of a block, and what stands before and behind the blocks. */
const ROWS =
  /^( +(slat|clat|lat|bw|iops|cpu|IO depths|submit|complete|issued rwts|latency|sync|fsync|READ|WRITE|TRIM|MIXED)\b.*| +(clat|lat|slat|sync) percentiles \(.*| +\|.*| {2}(trim|mixed): IOPS=.*|Run status group \d+ \(all jobs\):|Disk stats \(read\/write\):| {2}\S+: ios=.*|.+: \(g=\d+\): rw=.*|\.\.\.|Starting \d+ (process|thread).*|.+: Laying out IO files? \(.*)$/;
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
      this.#block = { name, group: Number(group), error: Number(error), runtime: { read: 0, write: 0 } };
      this.#jobs.set(pid, this.#block);
      this.#blocks += 1;
      return true;
    }
    if (text.startsWith('Run status group')) {
      this.#groups += 1;
      this.#block = undefined;
    }
    const bandwidth = this.#block && BANDWIDTH.exec(text);
    if (this.#block && bandwidth)
      this.#block.runtime[bandwidth[1] === 'read' ? 'read' : 'write'] = Number(bandwidth[2]);
    const issued = this.#block && ISSUED.exec(text);
    if (this.#block && issued) this.#block.ios = { read: Number(issued[1]), write: Number(issued[2]) };
    return Boolean(bandwidth) || ROWS.test(text);
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
    for (const direction of ['read', 'write'] as const) {
      const active = jobs.filter(({ runtime }) => runtime[direction] > 0);
      if (active.length === 0) continue;
      const rate = ({ iops, ios, runtime }: TextJob): number | undefined =>
        iops?.[direction] ?? (ios && (ios[direction] * 1000) / runtime[direction]);
      const rates = active.map(rate).filter((value) => value !== undefined);
      if (rates.length === active.length) summary[`iops_${direction}`] = rates.reduce((sum, value) => sum + value, 0);
      const mib = active.map((job) => job.mib?.[direction]).filter((value) => value !== undefined);
      if (mib.length === active.length)
        summary[`${direction}_mib_s`] = active.reduce(
          (sum, job) => sum + ((job.mib?.[direction] ?? 0) * 1000) / job.runtime[direction],
          0,
        );
    }
    return summary;
  }
}

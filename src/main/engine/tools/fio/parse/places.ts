import { partMetric, placePart } from '../../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import { formatNumber } from '../../../../../shared/util/format.ts';
import type { FioOptions } from '../options/index.ts';
import { bytesOf, placesOf, SHARE } from '../options/place.ts';
import type { Job, Report } from './figures.ts';

const PERCENT = 100;
/** The job of a place, as planned. */
const JOB = /^place-(\d+)$/;
/** Printed by the script before fio, for loads that end after a share of a device. */
const SIZED = /^kneepoint: (\/dev\/\S+) has (\d+) bytes$/;

/** Gives the jobs of a report the places that they measure: they ran at the same time, so they are one group. */
function inPlaces(report: Report, paths: readonly string[]): Report {
  const jobs = report.jobs.map((job): Job => {
    const path = paths[Number(JOB.exec(job.name)?.[1] ?? 0) - 1];
    return path === undefined ? job : { ...job, group: 0, part: placePart(path) };
  });
  return { ...report, jobs };
}

const bytesDone = ({ directions }: Job): number => [...directions.values()].reduce((sum, { bytes }) => sum + bytes, 0);

/** The places of a load, and how much of its passes each has done. */
export class PlacesOfLoad {
  readonly #options: FioOptions;
  readonly #paths: readonly string[];
  readonly #capacity = new Map<string, number>();

  constructor(options: FioOptions) {
    this.#options = options;
    this.#paths = options.source === 'form' ? placesOf(options).paths : [];
  }

  /** Whether a line is one of the script that starts fio. */
  line(text: string): boolean {
    const [, device, bytes] = SIZED.exec(text) ?? [];
    if (device === undefined) return false;
    this.#capacity.set(device, Number(bytes));
    return true;
  }

  of(report: Report): Report {
    return this.#paths.length > 1 ? inPlaces(report, this.#paths) : report;
  }

  /** Percent of the passes that are done, in all places and in each. Empty without passes, or if a capacity is unknown. */
  progress({ jobs }: Report): Record<string, number> {
    const parts = jobs.map((job, index) => ({ part: job.part, done: bytesDone(job), due: this.#due(index) }));
    const due = parts.reduce((sum, each) => sum + each.due, 0);
    if (!(due > 0)) return {};
    const of = (done: number, all: number): number => Math.min(PERCENT, (PERCENT * done) / all);
    const done = parts.reduce((sum, each) => sum + Math.min(each.done, each.due), 0);
    return {
      progress_pct: of(done, due),
      ...Object.fromEntries(
        parts.flatMap((each) =>
          each.part === undefined ? [] : [[partMetric(each.part, 'progress_pct'), of(each.done, each.due)]],
        ),
      ),
    };
  }

  /** The reason of a failure if the time ended before the passes did. */
  unfinished(report: Report | undefined): Finding | undefined {
    if (!report) return undefined;
    const { passes, bs } = this.#options;
    // A size that is no multiple of the block size is not processed to its end.
    const slack = this.#jobs * passes * (bytesOf(bs) ?? 0);
    const missing = report.jobs.some((job, index) => bytesDone(job) + slack < this.#due(index));
    const percent = this.progress(report).progress_pct;
    if (!missing || percent === undefined) return undefined;
    return {
      code: 'passes-unfinished',
      severity: 'error',
      message: `The time was over when ${formatNumber(Math.floor(percent))} % of the ${passes === 1 ? 'pass' : `${passes} passes`} were done.`,
      next: 'Set a longer duration: a load with passes ends earlier when they are done.',
    };
  }

  get #jobs(): number {
    return this.#options.numjobs;
  }

  /** Bytes of the passes of a place. NaN if unknown; 0 without passes. */
  #due(index: number): number {
    const { source, passes, size } = this.#options;
    if (source !== 'form' || !passes) return 0;
    if (!SHARE.test(size)) return passes * this.#jobs * (bytesOf(size) ?? Number.NaN);
    const path = this.#paths[index];
    // The path of a target is not among the options: the script names the only device.
    const capacity = path === undefined ? [...this.#capacity.values()][index] : this.#capacity.get(path);
    return capacity === undefined ? Number.NaN : (passes * this.#jobs * capacity * Number.parseInt(size, 10)) / PERCENT;
  }
}

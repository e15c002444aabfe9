import type { SeriesRule } from '../../../shared/model/monitored.ts';
import type { JobSpec } from '../jobs/job.ts';

/** What a monitor has read at one moment. */
export interface MonitorRow {
  /** Seconds since 1970 by the clock of its host, carried on by the uptime, so that it never steps while the host runs. */
  t: number;
  /** Counters and gauges as they were read, by name: `disk.vda.read_ios`. */
  metrics: Readonly<Record<string, number>>;
  /** Of a program that reads for several sources, which of them, from 0; absent: it reads for one. */
  of?: number;
  /** There is nothing of it in this moment: the last words of the program that were no row, or nothing. */
  failed?: string;
}

/**
 * Reads what a monitor prints. A row is complete with a line; after it the parser needs nothing of the lines before but the counters of the
 * last row, so that reading can continue there with a fresh one.
 */
export interface MonitorParser {
  /** The row that this line completes. */
  line(text: string): MonitorRow | undefined;
  /** Lines that could not be read so far. */
  readonly unread: number;
  /** The last line that belonged to no row, of programs that say there what goes wrong. */
  readonly said?: string | undefined;
}

/** A program that runs on a host as a job of its own and prints what it sees, once a second, until it is ended. */
export interface MonitorProgram {
  job: Pick<JobSpec, 'argv' | 'env' | 'files'>;
  /** `known`: counters of the last row of the same output that was read; absent: it is read from its beginning. */
  parser(known?: readonly string[]): MonitorParser;
  rules: readonly SeriesRule[];
  /** Whether its output is kept as it came: what a person's own command prints. Ours is stored whole, number by number. */
  keepsOutput: boolean;
}

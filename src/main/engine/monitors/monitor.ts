import type { SeriesRule } from '../../../shared/model/monitored.ts';
import type { JobSpec } from '../jobs/job.ts';

/** Values that a monitor has read at one moment. */
export interface MonitorRow {
  /** Seconds since 1970 by the clock of its host, carried on by the uptime: it never steps while the host runs. */
  t: number;
  /** Counters and gauges as read, by name: `disk.vda.read_ios`. */
  metrics: Readonly<Record<string, number>>;
  /** For a program that reads for several sources, the index of the source, from 0; absent: it reads for one. */
  of?: number;
  /** There is no value at this moment: the last line of the program that was no row, or an empty text. */
  failed?: string;
}

/**
 * Parses the output of a monitor. A row is complete with a line; after it the parser needs only the counters of the last row, so a fresh one can
 * continue there.
 */
export interface MonitorParser {
  /** Returns the row that this line completes. */
  line(text: string): MonitorRow | undefined;
  /** Number of unreadable lines so far. */
  readonly unread: number;
  /** The last line that belonged to no row, for programs that report problems there. */
  readonly lastMessage?: string | undefined;
}

/** A program that runs on a host as a job of its own and prints its readings, once a second, until it is ended. */
export interface MonitorProgram {
  job: Pick<JobSpec, 'argv' | 'env' | 'files'>;
  /** `known`: counters of the last row read from the same output; absent: it is read from its beginning. */
  parser(known?: readonly string[]): MonitorParser;
  rules: readonly SeriesRule[];
  /** Whether its raw output is stored, as for a custom command. Output of built-in programs is stored completely, number by number. */
  keepsOutput: boolean;
}

import type { JobFile } from '../../jobs/job.ts';
import type { MonitorParser, MonitorProgram, MonitorRow } from '../monitor.ts';
import { STAMP, STAMP_LINES } from '../scripts/stamp.sh.ts';

/** A server's own client reads it once a second, and prints each result on one line. */
interface ServerProgram {
  /** POSIX sh, run as a file next to `files`. */
  readonly script: string;
  readonly files: readonly Omit<JobFile, 'secret'>[];
}

/** The job on its host. All files are in the folder for secrets, because the script expects them next to itself; they are removed together. */
export const serverJob = ({ script, files }: ServerProgram): MonitorProgram['job'] => ({
  argv: ['sh', '@stamp.sh@', '@stamp.awk@', '/proc', '@sample.sh@'],
  env: {},
  files: [
    { name: 'stamp.sh', content: STAMP, mode: 0o600, secret: false },
    { name: 'stamp.awk', content: STAMP_LINES, mode: 0o600, secret: false },
    { name: 'sample.sh', content: script, mode: 0o600, secret: true },
    ...files.map((file) => ({ ...file, secret: true })),
  ],
});

/** Reads its output. `read`: parses the lines of such a server. */
export const serverReader = (
  read: (known: readonly string[]) => (line: string) => MonitorRow['metrics'] | undefined,
): Pick<MonitorProgram, 'parser' | 'keepsOutput'> => ({
  parser: (known = []) => {
    const answer = read(known);
    return new ServerParser((line) => {
      const metrics = answer(line);
      return metrics && { metrics };
    });
  },
  keepsOutput: false,
});

/** The same for several statements, each a source of its own. */
export const statementsReader = (
  read: (line: string) => { statement: number; figures: MonitorRow['metrics'] | undefined } | undefined,
): Pick<MonitorProgram, 'parser' | 'keepsOutput'> => ({
  parser: () =>
    new ServerParser((line) => {
      const answer = read(line);
      return answer && { metrics: answer.figures, of: answer.statement };
    }),
  keepsOutput: false,
});

const STAMPED = /^(\d{1,12}\.\d\d) /;
/** Queries that waited for a hanging server are answered one right after the other: only the first answer is a second of its own. */
const SHORTEST_INTERVAL_S = 0.1;

/** Content of a line. `metrics` undefined: the query was not answered. */
interface ServerLine {
  metrics: MonitorRow['metrics'] | undefined;
  /** Index of the query among several. */
  of?: number;
}

/** Reads results of a server, each prefixed with its time. Other output of its client, such as a refused login, is kept as its message. */
class ServerParser implements MonitorParser {
  readonly #read: (line: string) => ServerLine | undefined;
  /** Time of each query's last answer. */
  readonly #last = new Map<number | undefined, number>();
  #lastMessage: string | undefined;
  unread = 0;

  constructor(read: (line: string) => ServerLine | undefined) {
    this.#read = read;
  }

  /** The last line that was no result, since the last result. */
  get lastMessage(): string | undefined {
    return this.#lastMessage;
  }

  line(text: string): MonitorRow | undefined {
    // Printed by the program that writes the times.
    if (text === '.') return undefined;
    const [before = '', time = ''] = STAMPED.exec(text) ?? [];
    const printed = text.slice(before.length).trim();
    const line = before === '' ? undefined : this.#read(text.slice(before.length));
    if (!line) {
      this.unread += 1;
      if (printed !== '') this.#lastMessage = printed;
      return undefined;
    }
    const { metrics, of } = line;
    const row = { t: Number(time), ...(of !== undefined && { of }) };
    const failed = this.#lastMessage ?? '';
    // With several queries, the message on one may come before the result of the previous one.
    if (of === undefined || !metrics) this.#lastMessage = undefined;
    if (!metrics) return { ...row, metrics: {}, failed: failed };
    if (row.t - (this.#last.get(of) ?? Number.NEGATIVE_INFINITY) < SHORTEST_INTERVAL_S) return undefined;
    this.#last.set(of, row.t);
    return { ...row, metrics };
  }
}

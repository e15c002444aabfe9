import type { JobFile } from '../../jobs/job.ts';
import type { MonitorParser, MonitorProgram, MonitorRow } from '../monitor.ts';
import { STAMP, STAMP_LINES } from '../scripts/stamp.sh.ts';

/** A server's own client asks it once a second, and prints each answer on one line. */
interface ServerProgram {
  /** POSIX sh, run as a file beside `files`. */
  readonly script: string;
  readonly files: readonly Omit<JobFile, 'secret'>[];
}

/** What its host starts. All files lie in the folder for secrets, because the script looks for them beside itself; they are removed together. */
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

/** Reads what it prints, by what reads the answers of such a server. */
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

/** The same of several statements, each a source of its own. */
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
/** Questions that waited for a server that hung are answered one right after the other: only the first answer is a second of its own. */
const LEAST_APART_S = 0.1;

/** What a line says. `metrics` undefined: the question was not answered. */
interface Told {
  metrics: MonitorRow['metrics'] | undefined;
  /** Which of several questions it was. */
  of?: number;
}

/** Reads answers of a server, each with its time in front. What its client says besides, of a refused login say, is kept as its words. */
class ServerParser implements MonitorParser {
  readonly #read: (line: string) => Told | undefined;
  /** When each question was answered last. */
  readonly #last = new Map<number | undefined, number>();
  #said: string | undefined;
  unread = 0;

  constructor(read: (line: string) => Told | undefined) {
    this.#read = read;
  }

  /** The last line that was no answer, since the last that was one. */
  get said(): string | undefined {
    return this.#said;
  }

  line(text: string): MonitorRow | undefined {
    // Of the program that writes the times.
    if (text === '.') return undefined;
    const [before = '', time = ''] = STAMPED.exec(text) ?? [];
    const printed = text.slice(before.length).trim();
    const told = before === '' ? undefined : this.#read(text.slice(before.length));
    if (!told) {
      this.unread += 1;
      if (printed !== '') this.#said = printed;
      return undefined;
    }
    const { metrics, of } = told;
    const row = { t: Number(time), ...(of !== undefined && { of }) };
    const said = this.#said ?? '';
    // Of several questions the words on one may come before the answer to the one before it.
    if (of === undefined || !metrics) this.#said = undefined;
    if (!metrics) return { ...row, metrics: {}, failed: said };
    if (row.t - (this.#last.get(of) ?? Number.NEGATIVE_INFINITY) < LEAST_APART_S) return undefined;
    this.#last.set(of, row.t);
    return { ...row, metrics };
  }
}

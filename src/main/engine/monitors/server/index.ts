import type { JobFile } from '../../jobs/job.ts';
import type { MonitorProgram, MonitorRow } from '../monitor.ts';
import { STAMP, STAMP_LINES } from '../scripts/stamp.sh.ts';
import { ServerParser } from './parse.ts';

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
  read: () => (line: string) => MonitorRow['metrics'] | undefined,
): Pick<MonitorProgram, 'parser' | 'keepsOutput'> => ({
  parser: () => {
    const answer = read();
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

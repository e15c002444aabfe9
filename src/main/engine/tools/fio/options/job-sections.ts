export type OptionLine = Extract<JobFileLine, { kind: 'option' }>;

/** A job of a job file, with its effective options. */
export interface Job {
  name: string;
  /** Its own options override those of preceding [global] sections, each under fio's first name for it. The last value is used. */
  options: ReadonlyMap<string, OptionLine>;
  /** Number of the last line of its section. */
  lastLine: number;
}

/** fio's aliases. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['readwrite', 'rw'],
  ['blocksize', 'bs'],
  ['timeout', 'runtime'],
  ['io_limit', 'io_size'],
  ['nr_files', 'nrfiles'],
  ['wait_for_previous', 'stonewall'],
]);

export const firstName = (option: string): string => ALIASES.get(option) ?? option;

/** The jobs of a file, in order. Lines before the first section belong to none. */
export function jobsIn(lines: readonly JobFileLine[]): Job[] {
  const global = new Map<string, OptionLine>();
  const jobs: (Job & { options: Map<string, OptionLine> })[] = [];
  let options: Map<string, OptionLine> | undefined;
  for (const line of lines) {
    if (line.kind === 'section') {
      options = line.name === 'global' ? global : new Map(global);
      if (options !== global) jobs.push({ name: line.name, options, lastLine: line.number });
    } else if (line.kind === 'option') options?.set(firstName(line.name), line);
    const job = jobs.at(-1);
    if (job && job.options === options) job.lastLine = line.number;
  }
  return jobs;
}

/** A non-empty line of a job file. `number` counts from 1; `text` is trimmed and without its comment. */
export type JobFileLine = { number: number; text: string } & (
  | { kind: 'comment' | 'include' | 'strange' }
  | { kind: 'section'; name: string }
  | { kind: 'option'; name: string; value: string }
);

/** For fio, a semicolon or a hash begins a comment in any position. */
const COMMENT = /[;#].*$/;

/** Reads a job file line by line, as fio does. Omits empty lines; validates nothing. */
export function jobFileLines(text: string): JobFileLine[] {
  return text.split(/\r?\n/).flatMap((raw, index): JobFileLine[] => {
    const number = index + 1;
    const whole = raw.trim();
    const content = whole.replace(COMMENT, '').trim();
    if (whole === '') return [];
    if (content === '') return [{ number, text: whole, kind: 'comment' }];
    if (/^include(\s|$)/.test(content)) return [{ number, text: content, kind: 'include' }];
    const name = /^\[(.*)\]$/.exec(content)?.[1];
    if (name !== undefined) return [{ number, text: content, kind: 'section', name }];
    const option = /^([^=\s]+)\s*(?:=\s*(.*))?$/.exec(content);
    if (!option) return [{ number, text: content, kind: 'strange' }];
    return [{ number, text: content, kind: 'option', name: option[1] ?? '', value: option[2] ?? '' }];
  });
}

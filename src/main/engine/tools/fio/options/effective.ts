import type { ReadLine } from '../../../../../shared/contract/experiments.ts';
import { firstName, type JobFileLine, type OptionLine } from './job-sections.ts';
import { PREFIX } from './place.ts';

/** The effective options of a file's single job: its own override those of [global], each under fio's first name for it. */
export interface Effective {
  options: ReadonlyMap<string, OptionLine>;
  /** Lines without effect on the load, and lines that a form with one job cannot represent. */
  lines: readonly ReadLine[];
}

/** Options that express the same inversely. The last one of a pair is used. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['buffered', 'direct'],
  ['direct', 'buffered'],
  ['rwmixwrite', 'rwmixread'],
  ['rwmixread', 'rwmixwrite'],
]);

const readLine = ({ number, text }: JobFileLine, is: ReadLine['is'], message: string): ReadLine => ({
  number,
  text,
  is,
  message,
});

/** Reads sections as fio does: [global] applies to the jobs after it, and the last value is used. */
export function effectiveOptions(all: readonly JobFileLine[]): Effective {
  const options = new Map<string, OptionLine>();
  const lines: ReadLine[] = [];
  let section: string | undefined;
  let jobs = 0;
  for (const line of all) {
    if (line.kind === 'comment') lines.push(readLine(line, 'note', 'Comments cannot be kept in options.'));
    else if (line.kind === 'section') {
      section = line.name;
      if (section !== 'global') jobs += 1;
      lines.push(...ofSection(line, section, jobs));
    } else if (line.kind !== 'option' || section === undefined || jobs > 1)
      lines.push(readLine(line, 'not-in-form', misplacedWords(line, section)));
    else {
      if (section === 'global' && jobs > 0) {
        lines.push(readLine(line, 'note', 'No job follows, so it has no effect.'));
        continue;
      }
      const name = firstName(line.name);
      for (const known of [name, OPPOSITES.get(name)]) {
        const before = known === undefined ? undefined : options.get(known);
        if (!before || known === undefined) continue;
        options.delete(known);
        lines.push(readLine(before, 'note', `Line ${line.number} overrides it.`));
      }
      options.set(name, line);
    }
  }
  if (jobs === 0) lines.push({ text: '', is: 'not-in-form', message: 'There is no job in the file.' });
  return { options, lines };
}

function ofSection(line: JobFileLine, name: string, jobs: number): ReadLine[] {
  if (name === 'global' || name === PREFIX) return [];
  if (jobs > 1) return [readLine(line, 'not-in-form', 'Another job: the form describes only one.')];
  return [readLine(line, 'note', `The job of the form is called ${PREFIX}.`)];
}

function misplacedWords(line: JobFileLine, section: string | undefined): string {
  if (section === undefined) return 'It is before the first [section].';
  return line.kind === 'option' ? 'It is an option of another job.' : 'This is not an option.';
}

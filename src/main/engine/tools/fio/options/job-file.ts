import { KneepointError } from '../../../../../shared/model/problem.ts';
import { optionRefusal, type Refusal, trimRefusal } from './job-refusals.ts';
import { type JobFileLine, jobFileLines, jobsIn } from './job-sections.ts';
import { hasShares, scheduleOf } from './schedule.ts';

/** A job file: its text without unnecessary lines, and whether any job writes. */
export interface CheckedJobFile {
  text: string;
  jobs: readonly string[];
  writes: boolean;
}

const WRITES =
  /^(rw|readwrite)\s*=\s*((rand)?(write|trim|rw|trimwrite)|readwrite)\b|^ioengine\s*=\s*(falloc|ftruncate|e4defrag|filecreate|filedelete)\b|^(unlink|overwrite)/i;

/** Reads a job file and returns all refused lines. */
export function judgeJobFile(text: string): { file: CheckedJobFile; refusals: readonly Refusal[] } {
  const kept: string[] = [];
  const jobs: string[] = [];
  const refusals: Refusal[] = [];
  let begun = false;
  const lines = jobFileLines(text);
  const shares = hasShares(scheduleOf(lines));
  for (const line of lines) {
    if (line.kind === 'comment') continue;
    kept.push(line.text);
    const refusal = line.kind === 'section' ? ofSection(line.name, jobs) : begun ? ofOption(line, shares) : BEFORE_ALL;
    if (refusal) refusals.push({ ...refusal, line: line.number });
    if (line.kind !== 'section') continue;
    begun = true;
    if (line.name !== 'global') jobs.push(line.name);
  }
  const trims = jobsIn(lines).flatMap((job) => trimRefusal(job) ?? []);
  refusals.push(...trims.filter(({ line }, at) => trims.findIndex((other) => other.line === line) === at));
  refusals.sort((left, right) => (left.line ?? 0) - (right.line ?? 0));
  if (jobs.length === 0) refusals.push(NO_JOB);
  return { file: { text: `${kept.join('\n')}\n`, jobs, writes: kept.some((line) => WRITES.test(line)) }, refusals };
}

const BEFORE_ALL: Refusal = {
  message: 'an option precedes the first [section].',
  next: 'Begin with [global] or the name of a job.',
};
const NO_JOB: Refusal = {
  message: 'The workload runs a job file that contains no job.',
  next: 'Write a section like [reads] with rw=randread and size=1g into the option “job-file”.',
};

function ofSection(name: string, jobs: readonly string[]): Refusal | undefined {
  // It becomes part of the file names.
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$/.test(name))
    return { message: `“${name}” is not a valid job name.`, next: 'Use letters, digits, hyphens and underscores.' };
  if (!jobs.includes(name)) return undefined;
  return { message: `two jobs are called “${name}”.`, next: 'Give each its own name.' };
}

function ofOption(line: JobFileLine, shares: boolean): Refusal | undefined {
  if (line.kind === 'option') return optionRefusal(line.name, line.value, shares);
  return optionRefusal(line.kind === 'include' ? 'include' : line.text, '', shares);
}

/** Validates a job file line by line. Throws `experiment-invalid` with the first refused line and the reason. */
export function checkJobFile(text: string): CheckedJobFile {
  const { file, refusals } = judgeJobFile(text);
  const [first] = refusals;
  if (!first) return file;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: first.line === undefined ? first.message : `Line ${first.line} of the job file: ${first.message}`,
    safe: 'Nothing was started and no file was written.',
    next: first.next,
  });
}

import type { ReadLine, ReadToolFile } from '../../../../../shared/contract/experiments.ts';
import { Measure, type Scalar } from '../../../../../shared/model/experiment.ts';
import { KneepointError } from '../../../../../shared/model/problem.ts';
import { capital } from '../../../../../shared/util/format.ts';
import { type Effective, effectiveOptions } from './effective.ts';
import { FioOptions } from './index.ts';
import { judgeJobFile } from './job-file.ts';
import { jobFileLines } from './job-sections.ts';
import { takeOver } from './take-over.ts';
import { toForm } from './to-form.ts';

type Given = Readonly<Record<string, Scalar>>;

/**
 * Converts a job file to options: to those of the form if they can express the entire file. Otherwise the file is kept, except for place and time,
 * which options and experiment replace, and each line that prevents conversion is returned. `current`: the current options; the place is unchanged if
 * the file names none. Throws `bad-request` for a file that includes others, as it is incomplete by itself.
 */
export function readJobFile(text: string, current: Given): ReadToolFile {
  const lines = jobFileLines(text);
  const include = lines.find(({ kind }) => kind === 'include');
  if (include)
    throw new KneepointError({
      code: 'bad-request',
      message: `Line ${include.number} of the job file reads another file (${include.text}), which is not here.`,
      safe: 'The options are unchanged.',
      next: 'Insert the lines of that file, then open it again.',
    });
  const effective = effectiveOptions(lines);
  const form = toForm(effective);
  const allLines = [...effective.lines, ...form.lines];
  if (!allLines.some(({ is }) => is === 'not-in-form')) {
    const options = { ...placeOf(current, form.options), ...form.options };
    const checked = FioOptions.safeParse(options);
    if (checked.success) {
      const { measure, lines } = fitting(form.measure);
      return { options: changed(options), whole: false, measure, lines: sorted([...allLines, ...lines]) };
    }
    allLines.push(...unfit(checked.error.issues, effective));
  }
  const taken = takeOver(text);
  const whole = { ...placeOf(current, taken.place), ...taken.place, source: 'job-file', 'job-file': taken.text };
  const stays = refused(taken.text);
  const notes = taken.lines.filter(({ number }) => !stays.some((line) => line.number === number));
  const { measure, lines: unfitting } = fitting(taken.measure);
  return {
    options: whole,
    whole: true,
    measure,
    lines: sorted([...allLines.filter(isReason), ...notes, ...unfitting, ...stays]),
  };
}

/** The times that are valid for an experiment, and notes on those that are not. */
function fitting(measure: ReadToolFile['measure']): { measure: ReadToolFile['measure']; lines: ReadLine[] } {
  const times = Object.entries(measure).map(([name, seconds]) => ({
    ...{ name, seconds },
    fits: Measure.safeParse({ [name]: seconds }).success,
  }));
  return {
    measure: Object.fromEntries(times.flatMap(({ name, seconds, fits }) => (fits ? [[name, seconds]] : []))),
    lines: times.flatMap(({ name, seconds, fits }): ReadLine[] =>
      fits
        ? []
        : [
            {
              text: '',
              is: 'note',
              message: `A ${name} of ${seconds} s is not possible, so the current one is unchanged.`,
            },
          ],
    ),
  };
}

const isReason = ({ is }: ReadLine): boolean => is === 'not-in-form';

/** Lines of the kept file that Kneepoint refuses. */
const refused = (text: string): ReadLine[] =>
  judgeJobFile(text).refusals.map(({ line, message, next }) => ({
    ...(line !== undefined && { number: line }),
    text: line === undefined ? '' : (text.split(/\r?\n/)[line - 1] ?? '').trim(),
    is: 'refused',
    message: `${capital(message)} ${next}`,
  }));

/** Values that fio accepts and the form does not. */
const unfit = (issues: readonly { path: PropertyKey[]; message: string }[], { options }: Effective): ReadLine[] =>
  issues.map(({ path, message }) => {
    const name = String(path[0]);
    const at = options.get(name.replaceAll('-', '_')) ?? options.get(name === 'device' ? 'filename' : name);
    return { ...(at && { number: at.number }), text: at?.text ?? name, is: 'not-in-form', message };
  });

/** The current place, unless the file names one. */
function placeOf(current: Given, { directory, device }: Given): Record<string, Scalar> {
  if (directory !== undefined || device !== undefined) return {};
  return Object.fromEntries(Object.entries(current).filter(([name]) => name === 'directory' || name === 'device'));
}

/** Drops default values of the form to keep documents short. */
function changed(options: Given): Record<string, Scalar> {
  const preset: Given = { ...FioOptions.parse({}) } as Given;
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => preset[name] !== value));
}

const sorted = (lines: readonly ReadLine[]): ReadLine[] =>
  [...lines].sort((left, right) => (left.number ?? Number.MAX_VALUE) - (right.number ?? Number.MAX_VALUE));

import type { ReadLine, ReadToolFile } from '../../../../../shared/contract/experiments.ts';
import { levelsOf, type Scalar } from '../../../../../shared/model/factor.ts';
import { KneepointError } from '../../../../../shared/model/problem.ts';
import { commandJobs } from './command-line.ts';
import { effectiveOptions } from './effective.ts';
import { FioOptions } from './index.ts';
import { firstName, type Job, jobFileLines, jobsIn } from './job-sections.ts';
import { readJobFile } from './read-file.ts';
import { toForm } from './to-form.ts';

type Given = Readonly<Record<string, Scalar>>;
/** Returns the text of a file in the same folder as the opened one. Undefined if it does not exist, or if the folder is unknown. */
export type ReadSibling = (name: string) => string | undefined;

/** Limit that ends circular includes. */
const MOST_INCLUDES = 20;

function withIncludes(text: string, readSibling: ReadSibling | undefined): { text: string; lines: ReadLine[] } {
  const notes: ReadLine[] = [];
  let whole = text;
  for (let round = 0; round < MOST_INCLUDES; round += 1) {
    const line = jobFileLines(whole).find(({ kind }) => kind === 'include');
    const name = line?.text.replace(/^include\s*/, '').trim();
    const content = name && readSibling?.(name);
    if (!line || content === undefined || content === '') break;
    const raw = whole.split('\n');
    raw.splice(line.number - 1, 1, ...content.replace(/\r?\n$/, '').split('\n'));
    whole = raw.join('\n');
    notes.push({ text: line.text, is: 'note', message: 'Replaced by the lines of that file.' });
  }
  return { text: whole, lines: notes };
}

const VARIABLE = /\$\{(\w+)\}/g;

/** The form's single job, some of whose options contain environment variables. The user has to enter their values. */
function withVariables(
  text: string,
  current: Given,
  loops: ReadonlyMap<string, readonly string[]> = new Map(),
): ReadToolFile | undefined {
  const lines = jobFileLines(text);
  const varied = lines.flatMap((line) => (line.kind === 'option' && line.value.includes('${') ? [line] : []));
  if (varied.length === 0) return undefined;
  const raw = text.split('\n');
  for (const { number } of varied) raw[number - 1] = '';
  const read = readJobFile(raw.join('\n'), current);
  if (read.whole) return undefined;
  const { options } = effectiveOptions(jobFileLines(raw.join('\n')));
  const factors = varied.flatMap((line) => {
    const words = loops.get(/^\$\{(\w+)\}$/.exec(line.value)?.[1] ?? '');
    const forms = (words ?? []).map((value) =>
      toForm({ options: new Map([...options, [firstName(line.name), { ...line, value }]]), lines: [] }),
    );
    const name = firstName(line.name).replaceAll('_', '-');
    const levels = forms.flatMap((form) => form.options[name] ?? []);
    return levels.length > 0 && levels.length === words?.length ? [{ name, kind: 'option', levels }] : [];
  });
  const notes = varied.map((line): ReadLine => {
    const names = [...line.value.matchAll(VARIABLE)].map(([, name]) => name).join(', ');
    const option = firstName(line.name).replaceAll('_', '-');
    return {
      number: line.number,
      text: line.text,
      is: 'note',
      message: factors.some(({ name }) => name === option)
        ? `The loop over ${names} is a factor of the experiment: a cell for each value of ${option}.`
        : `${names} is an environment variable, whose value is not in the file: set the option “${option}”, or vary it as a factor with a level per value.`,
    };
  });
  const vary = new Set(factors.map(({ name }) => name));
  return {
    ...read,
    options: Object.fromEntries(Object.entries(read.options).filter(([name]) => !vary.has(name))),
    ...(factors.length > 0 && { factors }),
    lines: [...notes, ...read.lines],
  };
}

/** Options that may differ between the stages of a ladder. Other differences are a different load rather than a level. */
const CLIMBED: ReadonlySet<string> = new Set([
  ...['iodepth', 'numjobs', 'bs', 'size', 'rwmixread', 'rate-iops', 'rate', 'fsync', 'fdatasync'],
]);

const waits = ({ options }: Job): boolean => options.has('stonewall') && options.get('stonewall')?.value !== '0';

/** Stages of one job each that differ only in options that a factor can vary, in all combinations: an experiment with a cell for each. */
function asLadder(text: string, current: Given): ReadToolFile | undefined {
  const lines = jobFileLines(text);
  const jobs = jobsIn(lines);
  if (jobs.length < 2 || !jobs.slice(1).every(waits) || lines.some(({ kind }) => kind === 'strange')) return undefined;
  const forms = jobs.map(({ options }) =>
    toForm({ options: new Map([...options].filter(([name]) => name !== 'stonewall')), lines: [] }),
  );
  const [first] = forms;
  if (!first || forms.some((form) => form.lines.some(({ is }) => is === 'not-in-form'))) return undefined;
  if (new Set(forms.map(({ measure }) => JSON.stringify(measure))).size > 1) return undefined;
  const names = [...new Set(forms.flatMap(({ options }) => Object.keys(options)))];
  const factors = names.flatMap((name) => {
    const levels = [...new Set(forms.map(({ options }) => options[name]))];
    return levels.length > 1 ? [{ name, kind: 'option', levels: levels.filter((level) => level !== undefined) }] : [];
  });
  const combinations = new Set(forms.map(({ options }) => JSON.stringify(factors.map(({ name }) => options[name]))));
  const isGrid = factors.reduce((product, factor) => product * levelsOf(factor).length, 1) === jobs.length;
  if (factors.length === 0 || combinations.size < jobs.length || !isGrid) return undefined;
  if (!factors.every(({ name }) => CLIMBED.has(name))) return undefined;
  const [job] = jobs;
  const plain = [...(job?.options.values() ?? [])].filter(({ name }) => firstName(name) !== 'stonewall');
  const read = readJobFile(`[${job?.name ?? 'job'}]\n${plain.map(({ text: option }) => option).join('\n')}\n`, current);
  if (read.whole) return undefined;
  const varied = new Set(factors.map(({ name }) => name));
  return {
    ...read,
    options: Object.fromEntries(Object.entries(read.options).filter(([name]) => !varied.has(name))),
    factors,
    lines: [
      {
        text: '',
        is: 'note',
        message: `Its ${jobs.length} stages differ only in ${[...varied].join(' and ')}: each becomes a cell of the experiment, with ${factors.length > 1 ? 'factors' : 'a factor'} for it, measured for the time of one stage.`,
      },
      ...read.lines.map(({ number: _, ...line }) => line),
    ],
  };
}

/** Options of which jobs in several places may have different values, and the option of the form that lists them. */
const PLACES = [
  ['device', 'devices'],
  ['directory', 'directories'],
] as const;

/** Jobs that do the same at the same time, each on its own device or in its own folder: one load that measures several places. */
function asPlaces(text: string, current: Given): ReadToolFile | undefined {
  const lines = jobFileLines(text);
  const jobs = jobsIn(lines);
  if (jobs.length < 2 || jobs.some(waits) || lines.some(({ kind }) => kind === 'strange')) return undefined;
  const plain = jobs.map(({ options }) => new Map([...options].filter(([name]) => name !== 'new_group')));
  const forms = plain.map((options) => toForm({ options, lines: [] }));
  if (forms.some((form) => form.lines.some(({ is }) => is === 'not-in-form'))) return undefined;
  if (new Set(forms.map(({ measure }) => JSON.stringify(measure))).size > 1) return undefined;
  const found = PLACES.find(
    ([one]) => new Set(forms.flatMap(({ options }) => options[one] ?? [])).size === jobs.length,
  );
  if (!found) return undefined;
  const [one, list] = found;
  const same = forms.map(({ options }) => JSON.stringify({ ...options, [one]: '' }));
  const places = forms.map(({ options }) => String(options[one])).join(', ');
  if (new Set(same).size > 1 || !FioOptions.shape[list].safeParse(places).success) return undefined;
  const [options] = plain;
  const read = readJobFile(
    `[${jobs[0]?.name ?? 'job'}]\n${[...(options?.values() ?? [])].map(({ text: names }) => names).join('\n')}\n`,
    current,
  );
  if (read.whole) return undefined;
  const { [one]: _, ...others } = read.options;
  return {
    ...read,
    options: { ...others, [list]: places },
    lines: [
      {
        text: '',
        is: 'note',
        message: `Its ${jobs.length} jobs do the same in different places at the same time: one load, with figures of each place and in total.`,
      },
      ...read.lines.map(({ number: _number, ...line }) => line),
    ],
  };
}

/** Options given in a command are deliberate, so they are in the document even if equal to the default. */
function explicitOptions(text: string, factors: ReadToolFile['factors'] = []): Record<string, Scalar> {
  const { options } = effectiveOptions(jobFileLines(text));
  const form = toForm({ options, lines: [] }).options;
  const names = ['rw', 'bs', 'iodepth', 'numjobs', 'size', 'ioengine', 'direct', 'rwmixread'];
  return Object.fromEntries(
    names.flatMap((name) =>
      options.has(name) && form[name] !== undefined && !factors.some((factor) => factor.name === name)
        ? [[name, form[name]]]
        : [],
    ),
  );
}

/**
 * Converts a fio job file or command line to options; see `readJobFile`. The user has to enter values of variables; ladders become factors. `readSibling`:
 * reads included files. Throws `bad-request` if an included file is unavailable.
 */
export function openFile(text: string, current: Given, readSibling?: ReadSibling): ReadToolFile {
  const command = commandJobs(text);
  const expanded = command ?? withIncludes(text, readSibling);
  const read =
    asLadder(expanded.text, current) ??
    asPlaces(expanded.text, current) ??
    withVariables(expanded.text, current, command?.loops) ??
    readJobFile(expanded.text, current);
  if (command?.lines.some(({ is }) => is === 'not-in-form') && !/\n\w/.test(command.text))
    throw new KneepointError({
      code: 'bad-request',
      message: 'The command runs a job file and defines no job itself.',
      safe: 'The options are unchanged.',
      next: 'Open that job file.',
    });
  if (!command) return { ...read, lines: [...expanded.lines, ...read.lines] };
  return {
    ...read,
    options: read.whole ? read.options : { ...read.options, ...explicitOptions(command.text, read.factors) },
    lines: [...command.lines, ...read.lines.map(({ number: _, ...line }) => line)],
  };
}

import type { ReadLine } from '../../../../../shared/contract/experiments.ts';

/** Options of the program rather than of a job: destination and format of its report. */
const OF_THE_PROGRAM =
  /^(output|output-format|append-terse|minimal|eta|eta-newline|eta-interval|status-interval|bandwidth-log|terse-version|readonly|max-jobs|idle-prof|alloc-size|warnings-fatal|aux-path|debug|inflate-log|section|allow_mounted_write)$/;
/** Words that begin options of a job. Without a value in the same word, the next one may be the value. */
const OPTION = /^--?([A-Za-z][\w-]*)(?:=([\s\S]*))?$/;
const COMMAND = /(?:^|[\s/;&|(])fio\s+(?=(?:"|')?-|\S+\.(?:fio|job|ini|cfg)\b)/;

/** A command converted to jobs. Line numbers do not refer to the command, which is a single line. */
export interface CommandJobs {
  text: string;
  /** Values that loops of the script assign to a variable, by its name. */
  loops: ReadonlyMap<string, readonly string[]>;
  lines: readonly ReadLine[];
}

/** Splits a command into words as a shell does, up to its end: an unquoted newline, `;`, `&`, `|` or `>`. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [whole, single, double, escaped, plain] of text.matchAll(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\])|\s/g,
  )) {
    if (escaped === '\n') continue;
    if (plain !== undefined && /[;&|<>]/.test(plain)) break;
    const part = single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
    if (part === undefined && whole === '\n') break;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Whether the line starts a fio command. */
const isCommand = (line: string): boolean => !/^\s*[;[]/.test(line) && COMMAND.test(line);
const isComment = (line: string): boolean => /^\s*#/.test(line);

/**
 * The first fio command line in a text, as a job file. As in fio, options before the first name belong to that job. Undefined if the text is not a
 * command. A job file has sections, which no command line has.
 */
export function commandJobs(text: string): CommandJobs | undefined {
  const joined = text.replace(/\\\r?\n/g, ' ');
  const lines = joined.split(/\r?\n/);
  const plain = lines.filter((line) => isCommand(line) && !isComment(line));
  // A root prompt looks like a comment.
  const commands = plain.length > 0 ? plain : lines.filter(isCommand);
  const [command] = commands;
  if (command === undefined || lines.some((line) => /^\s*\[[^\]]+\]\s*$/.test(line))) return undefined;
  const at = COMMAND.exec(command);
  const words = wordsOf(command.slice((at?.index ?? 0) + (at?.[0].length ?? 0)));
  const notes: ReadLine[] = [];
  const note = (word: string, message: string, is: ReadLine['is'] = 'note'): void =>
    void notes.push({ text: word, is, message });
  const jobs: { name: string; options: string[] }[] = [];
  let options: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [, name, joinedValue] = OPTION.exec(word) ?? [];
    if (name === undefined) {
      note(word, 'The command runs this job file: open it as well.', 'not-in-form');
      continue;
    }
    const next = words[index + 1];
    const takesNext = joinedValue === undefined && next !== undefined && !next.startsWith('-');
    const value = takesNext ? next : joinedValue;
    if (takesNext) index += 1;
    if (OF_THE_PROGRAM.test(name)) note(word, 'An option of fio’s report: Kneepoint sets its own.');
    else if (name === 'name') {
      const job = { name: value ?? 'job', options: jobs.length === 0 ? options : [] };
      jobs.push(job);
      ({ options } = job);
    } else options.push(...optionLines(name, value, note));
  }
  if (jobs.length === 0) jobs.push({ name: 'job', options });
  if (commands.length > 1)
    note(
      '',
      `It contains ${commands.length} fio commands; this is the first. Open the others one by one, or vary the differences as a factor.`,
    );
  return {
    loops: loopsOf(joined),
    text: jobs.map((job) => [`[${job.name}]`, ...job.options, ''].join('\n')).join('\n'),
    lines: notes,
  };
}

/** `for depth in 1 4 16; do`: only plain words without shell expansions. */
const loopsOf = (text: string): Map<string, string[]> =>
  new Map(
    [...text.matchAll(/\bfor\s+(\w+)\s+in\s+([\w.\s-]+?)\s*(?:;|\n)/g)].map(([, name = '', words = '']) => [
      name,
      words.trim().split(/\s+/),
    ]),
  );

/** fio's own keywords, which look like shell variables. */
const OF_FIO = /^(jobname|jobnum|filenum|clientuid|ncpus|pagesize|mb_memory)$/;
/** Converts shell variables to the notation of job files: `$depth` becomes `${depth}`. */
const inBraces = (value: string): string =>
  value.replace(/\$(\w+)/g, (whole, name: string) => (OF_FIO.test(name) ? whole : `\${${name}}`));

function optionLines(name: string, value: string | undefined, note: (word: string, message: string) => void): string[] {
  const option = name.replaceAll('-', '_');
  const folder =
    option === 'filename' && value !== undefined ? /^(\/(?!dev\/)[^:$]*)\/[^/:$]+$/.exec(value)?.[1] : undefined;
  if (folder === undefined) return [value === undefined ? option : `${option}=${inBraces(value)}`];
  note(
    `${name}=${value}`,
    'Kneepoint creates its own test files, in a separate folder next to that file; each of several jobs has one. It touches nothing else there.',
  );
  return [`directory=${folder}`];
}

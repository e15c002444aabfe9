import { createHash } from 'node:crypto';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { LaunchLimits } from '../../../shared/model/tool.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { JobSpec, SharedFile } from './job.ts';
import { WAIT } from './scripts/short.sh.ts';
import { SUPERVISOR } from './scripts/supervisor.sh.ts';

/**
 * The sh function `write_files`, which writes all files of a job into the folder `$attempt`, each with its mode. Contents go through printf
 * instead of here-documents: bash stores those in a temporary file, where a secret must not be.
 */
export function writeFilesFunction(spec: JobSpec): string {
  const files = [
    { path: 'supervisor.sh', content: SUPERVISOR, mode: 0o600 },
    { path: 'start.sh', content: startScript(spec), mode: 0o600 },
    ...spec.files.map((file) => ({ path: pathOf(spec, file.name), content: file.content, mode: file.mode })),
  ];
  return [
    'write_files() {',
    'mkdir "$attempt/files" "$attempt/secret" || return 1',
    ...files.map(({ path, content, mode }) => {
      const target = `"$attempt"/${shellQuote(path)}`;
      return `{ ${printed(content)}; } >${target} && chmod ${mode.toString(8).padStart(4, '0')} ${target} || return 1`;
    }),
    ...(spec.shared ?? []).map(
      (file) => `take_shared ${digestOf(file)} "$attempt"/${shellQuote(pathOf(spec, file.name))} || return 1`,
    ),
    '}',
  ].join('\n');
}

/** The sh function `write_shared`, which writes the file's content to the given path. */
export const writeSharedFunction = ({ content }: SharedFile): string =>
  `write_shared() {\n{ ${printed(content)}; } >"$1"\n}`;

/** Name of a shared file on hosts. */
export const digestOf = ({ content }: SharedFile): string => createHash('sha256').update(content).digest('hex');

/** Command that prints the text exactly. In pieces, for shells whose printf is a program with a limited argument length. */
function printed(content: string): string {
  const pieces = content.match(/\0|[^\0]{1,16000}/gu) ?? [];
  if (pieces.length === 0) return 'true';
  return pieces.map((piece) => (piece === '\0' ? "printf '\\000'" : `printf %s ${shellQuote(piece)}`)).join(' && ');
}

/** The script that becomes the tool. Removes itself first, as the environment may hold secrets. */
function startScript(spec: JobSpec): string {
  return [
    'set -- "$(pwd)"',
    'rm -f start.sh',
    ...(spec.waitSeconds === undefined ? [] : [`patience=${Math.ceil(spec.waitSeconds)}`, WAIT]),
    'cd files || exit 126',
    ...Object.entries(spec.env).map(([name, value]) => `export ${checkVariable(name)}=${shellQuote(value)}`),
    ...limitLines(spec.under),
    `exec ${pinned(spec.under)}${spec.argv.map((word, index) => argument(spec, word, index)).join(' ')}`,
    '',
  ].join('\n');
}

/** dash and BusyBox use another letter for the number of processes. */
const OTHER_LETTERS: Readonly<Record<string, string>> = { u: 'p' };

function limitLines({ limits = {} }: LaunchLimits = {}): string[] {
  return Object.entries(limits).map(([letter, limit]) => {
    if (!/^[a-z]$/.test(letter) || !Number.isSafeInteger(limit) || limit < 0)
      throw badSpec(`“ulimit -${letter} ${limit}” cannot be a limit.`);
    const other = OTHER_LETTERS[letter] ?? letter;
    return `if (ulimit -${letter} ${limit}) 2>/dev/null; then ulimit -${letter} ${limit}; else ulimit -${other} ${limit}; fi || exit 126`;
  });
}

function pinned({ cpus }: LaunchLimits = {}): string {
  if (cpus === undefined) return '';
  if (!/^[0-9]+([,-][0-9]+)*$/.test(cpus)) throw badSpec(`“${cpus}” is not a list of CPUs.`);
  return `taskset -c ${cpus} `;
}

/** Quotes a word of argv and replaces `@name@` of the job's files with their absolute path; any other `@` is unchanged. */
function argument(spec: JobSpec, word: string, index: number): string {
  if (index === 0 && (word === '' || word.startsWith('-'))) {
    throw badSpec(`“${word}” cannot be the name of a program.`);
  }
  // Names have been validated: the dot is their only special character in a pattern.
  const names = filesOf(spec).map(({ name }) => name.replaceAll('.', '\\.'));
  if (names.length === 0) return shellQuote(word);
  return word
    .split(new RegExp(`(@(?:${names.join('|')})@)`))
    .map((part, place) => (place % 2 === 0 ? shellQuote(part) : `"$1"/${shellQuote(pathOf(spec, part.slice(1, -1)))}`))
    .join('');
}

/** Path relative to the job directory. Secret files have their own folder, so removing them needs no list. */
function pathOf(spec: JobSpec, name: string): string {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) throw badSpec(`“${name}” cannot be the name of a file of a job.`);
  const same = filesOf(spec).filter((file) => file.name === name);
  if (same.length !== 1) throw badSpec(`The job has ${same.length} files with the name “${name}”.`);
  return `${same[0]?.secret ? 'secret' : 'files'}/${name}`;
}

const filesOf = ({ files, shared = [] }: JobSpec): { name: string; secret: boolean }[] => [
  ...files,
  ...shared.map(({ name }) => ({ name, secret: false })),
];

function checkVariable(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return name;
  throw badSpec(`“${name}” cannot be the name of an environment variable.`);
}

function badSpec(message: string): KneepointError {
  return new KneepointError({ code: 'bad-request', message, safe: 'Nothing was started.' });
}

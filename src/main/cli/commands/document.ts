import { existsSync } from 'node:fs';
import type { CheckedDocument, ExperimentFile } from '../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { FactorKindInfo } from '../../../shared/model/factor.ts';
import { isOnlyFolder, openFolders, openFolderWords, withFolder } from '../../../shared/model/open-folders.ts';
import { placesNamed, withPlace } from '../../../shared/model/places.ts';
import { estimateBasis, estimateRows } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { readDuration } from '../../../shared/util/duration.ts';
import { formatCount, formatDuration, formatLevels, formatNumber } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readText } from '../files.ts';
import { askText, canAsk, print, printJson, printStatus, slow, table } from '../terminal.ts';
import { type Common, type EngineClient, withReader } from '../with-engine.ts';
import { findingLine } from './figures.ts';
import { setIn, splitOnce } from './set.ts';

export interface DocumentOptions extends Common {
  set?: string[];
  duration?: string;
  generator?: string[];
  target?: string;
  small?: boolean;
  /** Replacements of hosts and targets named in the document, each as `OLD=NEW`. */
  name?: string[];
}

/** `FILE` is a path, `-` for standard input, or the id of a template or published experiment. */
async function documentText(engine: EngineClient, file: string): Promise<string> {
  if (file === '-' || existsSync(file)) return readText(file);
  try {
    return (await engine.experiments.template({ id: file })).text;
  } catch (error) {
    if (!(error instanceof KneepointError) || error.code !== 'not-found') throw error;
    throw new UsageError(
      `There is no file “${file}”, and no template of that name. List templates with: kneepoint templates`,
    );
  }
}

/** The text after `--small`, `--set`, `--duration`, `--generator`, `--target` and `--name`, in this order; unchanged without any of them. */
async function editedText(engine: EngineClient, file: string, options: DocumentOptions): Promise<string> {
  const text = await documentText(engine, file);
  const { set = [], duration, generator = [], target, small = false, name = [] } = options;
  if (!small && [...set, ...generator, ...name].length === 0 && duration === undefined && target === undefined)
    return text;
  const { experiment, problems } = await slow((call) => engine.experiments.check({ text }, call));
  if (!experiment) throw new UsageError(problemLines(file, problems).join('\n'));
  const form = small ? (await engine.experiments.small({ experiment })).experiment : experiment;
  const edited = set.reduce(setIn, form);
  if (duration !== undefined) edited.measure = { ...edited.measure, duration: secondsOf(duration) };
  edited.where = {
    ...edited.where,
    ...(generator.length > 0 && { generators: generator }),
    ...(target !== undefined && { target }),
  };
  return (await engine.experiments.format({ experiment: name.reduce(setName, edited), base: text })).text;
}

function secondsOf(text: string): number {
  const seconds = readDuration(text, 's');
  if (seconds === undefined || !(seconds >= 1))
    throw new UsageError(`--duration takes seconds or a duration such as 5m or 1h30, 1 s or more, not “${text}”.`);
  return seconds;
}

export type ReadDocument = CheckedDocument & { text: string };

/** Reads, edits and validates a document. */
export async function readDocument(
  engine: EngineClient,
  file: string,
  options: DocumentOptions,
): Promise<ReadDocument> {
  const text = await editedText(engine, file, options);
  return { text, ...(await slow((call) => engine.experiments.check({ text }, call))) };
}

/** `mysql-5.7=mine`: replaces a host or target named in the document. */
function setName(experiment: Experiment, assignment: string): Experiment {
  const [name, chosen] = splitOnce(assignment, '=');
  const named = placesNamed(experiment);
  const place = named.find((each) => each.name === name);
  if (place && chosen) return withPlace(experiment, place, chosen);
  const folders = openFolders(experiment);
  if (folders.includes(name) && chosen) return withFolder(experiment, name, chosen);
  const known = [...named.map((each) => each.name), ...folders].join(', ') || 'none';
  throw new UsageError(
    `--name takes NAME=OTHER, where NAME is a host, a target or an unset folder of the experiment: ${known}.`,
  );
}

/** Hosts and targets named in an experiment that are not saved, with the names of saved ones. */
async function missingPlaces(engine: EngineClient, experiment: Experiment) {
  const saved = { host: await engine.hosts.list({}), target: await engine.targets.list({}) };
  return placesNamed(experiment).flatMap(({ place, name }) => {
    const known = saved[place].map(({ spec }) => spec.name);
    return known.includes(name) ? [] : [{ place, name, known }];
  });
}

/**
 * Asks for missing places on a terminal and returns the answers in the format of `--name`. Otherwise prints the option; the preflight then refuses.
 */
export async function askNames(engine: EngineClient, experiment: Experiment, options: Common): Promise<string[]> {
  const names: string[] = [];
  for (const { place, name, known } of await missingPlaces(engine, experiment)) {
    const saved = `saved: ${known.join(', ') || 'none'}`;
    if (!canAsk(options))
      printStatus(`No ${place} named “${name}” (${saved}). Save one, or use another: --name ${name}=OTHER`);
    else {
      const chosen =
        known.length > 0 ? await askText(`The experiment names a ${place} “${name}”. Which one is it (${saved})?`) : '';
      if (chosen !== '' && chosen !== name) names.push(`${name}=${chosen}`);
    }
  }
  for (const folder of openFolders(experiment)) {
    if (!canAsk(options)) printStatus(`No folder is chosen yet for ${folder}. Choose one: --name ${folder}=FOLDER`);
    else {
      const which = isOnlyFolder(folder) ? 'Which folder is used' : `Which folder is “${openFolderWords(folder)}”`;
      const chosen = await askText(`${which}, on the host that runs the tool?`);
      if (chosen !== '') names.push(`${folder}=${chosen}`);
    }
  }
  return names;
}

export async function checkCommand(file: string, options: DocumentOptions): Promise<number> {
  return withReader(options, async (engine) => {
    const checked = await readDocument(engine, file, options);
    if (options.json)
      printJson({ problems: checked.problems, findings: checked.plan?.findings ?? [], plan: sizeOf(checked) });
    else if (checked.problems.length === 0) {
      print(`${file}: complete. ${planWords(checked)}`);
      for (const finding of checked.plan?.findings ?? []) print(findingLine(finding));
    } else showProblems(file, checked);
    return checked.problems.length > 0 ? EXIT.wrongUse : EXIT.done;
  });
}

export async function planCommand(file: string, options: DocumentOptions & { script?: boolean }): Promise<number> {
  return withReader(options, async (engine) => {
    const checked = await readDocument(engine, file, options);
    if (options.script) return printScript(engine, file, checked);
    const { plan } = checked;
    if (options.json)
      printJson({
        problems: checked.problems,
        plan: plan ?? null,
        commands: checked.commands ?? [],
        dataCommands: checked.dataCommands ?? null,
      });
    else {
      showProblems(file, checked);
      if (!plan) return EXIT.wrongUse;
      print(planWords(checked));
      print('');
      print(
        table(plan.trials, [
          { title: 'trial', number: true, value: (trial) => String(trial.index + 1) },
          { title: 'repeat', number: true, value: (trial) => (trial.canary ? 'canary' : String(trial.repeat + 1)) },
          { title: 'cell', value: (trial) => formatLevels(plan.cells[trial.cell]?.levels ?? {}) || '(the only cell)' },
        ]),
      );
      print('');
      for (const { words, of, shares } of checked.accesses ?? [])
        print(`${labelled(`${ACCESSED[of]} accessed`)}${words} (${shares.map(sharesWords).join(', ')})`);
      for (const command of checked.dataCommands?.prepare ?? []) print(`${labelled('Prepare')}${command}`);
      for (const command of checked.dataCommands?.cleanup ?? []) print(`${labelled('Removes the data')}${command}`);
      const [first = ''] = checked.commands ?? [];
      print(
        checked.experiment?.steps
          ? `Steps of a trial in the first cell:\n${first}`
          : `${labelled('First command')}${first}`,
      );
      if (plan.estimate) {
        for (const { title, words } of estimateRows(plan.estimate)) print(`${`${title}:`.padEnd(24)}${words}`);
        print(estimateBasis(plan.estimate, checked.experiment?.where.generators ?? []));
      }
      for (const finding of plan.findings) print(findingLine(finding));
    }
    return plan ? EXIT.done : EXIT.wrongUse;
  });
}

/** Prints only the script, so that it can be redirected to a file. */
async function printScript(engine: EngineClient, file: string, checked: ReadDocument): Promise<number> {
  if (checked.problems.length > 0) {
    showProblems(file, checked);
    return EXIT.wrongUse;
  }
  const { text } = await engine.experiments.script({ text: checked.text });
  print(text.trimEnd());
  return EXIT.done;
}

const labelled = (label: string): string => `${label}:`.padEnd(18);

const ACCESSED = { rows: 'Rows', records: 'Records', blocks: 'Blocks' } as const;
const sharesWords = ({ accesses, rows }: { accesses: number; rows: number }): string =>
  `${formatNumber(accesses * 100)} % of the accesses go to ${formatNumber(rows * 100, 2)} % of them`;

/** Prints the problems of a document, each with its place. */
export function showProblems(file: string, checked: CheckedDocument): void {
  for (const line of problemLines(file, checked.problems)) printStatus(line);
  const needsTarget = checked.problems.some((problem) => problem.path === 'where');
  if (needsTarget) printStatus('Or pass it here: --target NAME (kneepoint target list shows yours).');
}

const problemLines = (file: string, problems: CheckedDocument['problems']): string[] =>
  problems.map(({ line, column, message }) => {
    const place = line === undefined ? '' : `:${line}:${column ?? 1}`;
    return `${file === '-' ? 'standard input' : file}${place}: ${message}`;
  });

const sizeOf = ({ plan }: CheckedDocument): object | null =>
  plan ? { cells: plan.cells.length, trials: plan.trials.length, seconds: plan.seconds } : null;

const planWords = ({ plan }: CheckedDocument): string =>
  plan
    ? `${formatCount(plan.cells.length, 'cell')}, ${formatCount(plan.trials.length, 'trial')}, ${plan.estimate?.atMost ? 'at most' : 'about'} ${formatDuration(plan.seconds)}.`
    : '';

export async function templatesCommand(options: Common & { rows?: boolean }): Promise<number> {
  return withReader(options, async (engine) => {
    const files = await slow((call) => engine.experiments.list({}, call));
    const all = files.filter((entry) => entry.origin === 'template');
    const templates = all.filter((entry) => (entry.row !== undefined) === (options.rows ?? false));
    if (options.json) printJson(templates);
    else if (options.rows) printRows(templates);
    else {
      print(
        table(templates, [
          { title: 'template', value: (entry) => entry.id },
          { title: 'tool', value: (entry) => entry.tool },
          { title: 'planned', value: (entry) => formatDuration(entry.outline?.seconds), number: true },
          { title: 'question', value: (entry) => entry.question ?? entry.name },
        ]),
      );
      print('\nStart one with: kneepoint run TEMPLATE [--target NAME] [--generator HOST] [--set factor=a,b,c]');
    }
    return EXIT.done;
  });
}

/** A published experiment takes two lines: its title and question, and the missing part. */
function printRows(files: readonly ExperimentFile[]): void {
  print(
    table(files, [
      { title: 'id', value: ({ id }) => id },
      { title: 'state', value: ({ row }) => row?.state ?? '' },
      { title: 'cells', value: ({ outline }) => String(outline?.cells ?? ''), number: true },
      { title: 'planned', value: ({ outline }) => formatDuration(outline?.seconds), number: true },
      { title: 'title and question', value: ({ name, question = '' }) => `${name}: ${question}` },
    ]),
  );
  print('');
  for (const { id, row } of files) if (row?.missing !== undefined) print(`${id} lacks: ${row.missing}`);
  const full = files.filter(({ row }) => row?.state === 'full').length;
  print(`\n${full} full, ${files.length - full} partly. Start one with: kneepoint run ID [--small]`);
}

export async function toolsCommand(options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const tools = await engine.experiments.tools({});
    if (options.json) printJson(tools);
    else {
      print(
        table(tools, [
          { title: 'tool', value: (tool) => tool.id },
          { title: 'drives', value: (tool) => tool.drives.join(', ') },
          { title: 'what it is', value: (tool) => tool.summary },
        ]),
      );
    }
    return EXIT.done;
  });
}

/** Lists the kinds of factors, or prints details of one kind. */
export async function factorsCommand(kind: string | undefined, options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const kinds = await engine.experiments.factorKinds({});
    if (kind === undefined) {
      if (options.json) printJson(kinds);
      else print(list(kinds));
      return EXIT.done;
    }
    const found = kinds.find((entry) => entry.kind === kind);
    if (!found)
      throw new UsageError(
        `There is no kind of factor named “${kind}”; there are ${kinds.map((entry) => entry.kind).join(', ')}.`,
      );
    if (options.json) printJson(found);
    else print(wordsOn(found));
    return EXIT.done;
  });
}

const list = (kinds: readonly FactorKindInfo[]): string =>
  table(kinds, [
    { title: 'kind', value: (entry) => entry.kind },
    { title: 'changes', value: (entry) => entry.changes },
    { title: 'what it varies', value: (entry) => entry.description },
  ]);

function wordsOn({ title, description, schema, level, takes, undone, example }: FactorKindInfo): string {
  const levels = level ? fieldsOf(level) : '';
  return [
    `${title}. ${description}`,
    `Cost of a change:       ${takes}`,
    `Verification and undo:  ${undone}`,
    ...[fieldsOf(schema)].filter(Boolean),
    levels === '' ? 'A level is a plain value.' : `A level has a name, and\n${levels}`,
    `factors:\n  - ${example.replaceAll('\n', '\n    ')}`,
  ].join('\n\n');
}

interface Described {
  readonly title?: string;
  readonly description?: string;
}

function fieldsOf({ properties = {} }: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(properties as Record<string, Described>);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, { description }]) => `  ${name.padEnd(width)}  ${description ?? ''}`).join('\n');
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ReadLine } from '../../../shared/contract/experiments.ts';
import { Experiment } from '../../../shared/model/experiment.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readText } from '../files.ts';
import { print, printJson, printStatus, terminal } from '../terminal.ts';
import { type Common, withReader } from '../with-engine.ts';
import { type DocumentOptions, readDocument, showProblems } from './document.ts';

/** Prints the load of a cell in the tool's own file format. */
export async function toolFileCommand(file: string, options: DocumentOptions & { cell?: string }): Promise<number> {
  return withReader(options, async (engine) => {
    const checked = await readDocument(engine, file, options);
    if (!checked.plan) {
      if (options.json) printJson({ problems: checked.problems, files: [] });
      else showProblems(file, checked);
      return EXIT.wrongUse;
    }
    const { files } = checked;
    if (!files) throw new UsageError(`${checked.experiment?.workload.tool} has no native file format.`);
    if (options.json) {
      printJson({ problems: [], files });
      return EXIT.done;
    }
    const text = files[cellOf(options.cell, files.length)];
    if (options.cell === undefined && files.length > 1)
      printStatus(
        `Cell 1 of ${files.length}: ${formatLevels(checked.plan.cells[0]?.levels ?? {})}. Use --cell N for another.`,
      );
    terminal().stdout.write(text ?? '');
    return EXIT.done;
  });
}

function cellOf(given: string | undefined, count: number): number {
  const number = Number(given ?? 1);
  if (Number.isInteger(number) && number >= 1 && number <= count) return number - 1;
  throw new UsageError(`--cell takes 1 to ${count}, not “${given}”.`);
}

/** Converts a tool's own file to an experiment: prints the document on standard output, and notes on its lines on standard error. */
export async function importCommand(tool: string, file: string, options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    if (file !== '-' && !existsSync(file)) throw new UsageError(`There is no file “${file}”.`);
    const text = await readText(file);
    const place = file === '-' ? {} : { path: resolve(file) };
    const read = await engine.experiments.readFile({ tool, options: {}, text, ...place });
    if (options.json) {
      printJson(read);
      return EXIT.done;
    }
    const experiment = Experiment.parse({
      kneepoint: 1,
      name: file === '-' ? `${tool} from a file` : file.replace(/^.*[/\\]/, ''),
      workload: { tool, options: read.options },
      where: {},
      ...(read.factors && { factors: read.factors }),
      measure: read.measure,
    });
    if (read.whole) printStatus('The options cannot express the whole file, so it is used unchanged:');
    for (const line of read.lines) printStatus(lineWords(line));
    if (read.measure.duration === undefined)
      printStatus(`note: measure.duration is ${experiment.measure.duration} s because the file has no usable runtime.`);
    print((await engine.experiments.format({ experiment })).text.trimEnd());
    return EXIT.done;
  });
}

const WORDS = { 'not-in-form': '', refused: 'does not run: ', note: 'note: ' } as const;
const lineWords = ({ number, text, is, message }: ReadLine): string =>
  `${number === undefined ? '' : `line ${number}, ${text}: `}${WORDS[is]}${message}`;

import path from 'node:path';
import type { ReadOutput } from '../../../shared/contract/sessions.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readInput } from '../files.ts';
import { print, printJson, printStatus, slow, table } from '../terminal.ts';
import { type Common, withEngine, withReader } from '../with-engine.ts';
import { given } from './parse.ts';

interface Options extends Common {
  name?: string;
  levels?: string;
  warmup?: string;
  option?: string[];
  dryRun?: boolean;
}

/** Enough for hours of a tool's output, which is held in memory. */
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** Imports recorded outputs as a session, with a run for each file. */
export async function importOutputsCommand(tool: string, files: string[], options: Options): Promise<number> {
  const pattern = patternOf(options.levels);
  const warmup = Number(options.warmup ?? 0);
  if (!(warmup >= 0)) throw new UsageError(`--warmup takes seconds, not “${options.warmup}”.`);
  const outputs = files.map((file) => ({
    name: file,
    text: readInput(file, LARGEST_OUTPUT).toString('utf8'),
    levels: levelsOf(file, pattern),
  }));
  const [first = ''] = files;
  const name =
    options.name ?? (files.length === 1 ? path.basename(first) : path.basename(path.dirname(path.resolve(first))));
  const store = options.dryRun !== true;
  return (store ? withEngine : withReader)(options, async (engine) => {
    const request = { ...{ name, tool, warmup, outputs, store }, options: given(options.option) };
    const { session, read } = await slow((call) => engine.sessions.importOutputs(request, call));
    if (options.json) {
      printJson({ session, read });
      return EXIT.done;
    }
    print(table(read, COLUMNS));
    printStatus(
      session
        ? `Session ${session.id} “${session.name}” has ${formatCount(read.length, 'run')}. Show it with: kneepoint show ${session.id}`
        : 'Nothing was stored.',
    );
    return EXIT.done;
  });
}

const COLUMNS = [
  { title: 'file', value: ({ name }: ReadOutput) => name },
  { title: 'levels', value: ({ levels }: ReadOutput) => formatLevels(levels) },
  { title: 'seconds', value: ({ seconds }: ReadOutput) => String(Math.round(seconds)), number: true },
  {
    title: 'mean',
    value: ({ metric, mean }: ReadOutput) =>
      mean === null ? '–' : `${Number(mean.toPrecision(4))} ${metric ?? ''}`.trim(),
    number: true,
  },
  {
    title: '',
    value: ({ findings }: ReadOutput) => findings.find(({ severity }) => severity !== 'note')?.message ?? '',
  },
];

function patternOf(levels: string | undefined): RegExp | undefined {
  if (levels === undefined) return undefined;
  try {
    const pattern = new RegExp(levels);
    if (levels.includes('(?<')) return pattern;
  } catch (error) {
    throw new UsageError(`--levels is not a valid regular expression: ${error instanceof Error ? error.message : ''}`);
  }
  throw new UsageError('--levels needs a named group for each factor, such as (?<threads>\\d+).');
}

/** Numeric values become numbers. */
function levelsOf(file: string, pattern: RegExp | undefined): Record<string, string | number> {
  if (!pattern) return {};
  const groups = pattern.exec(file)?.groups;
  if (!groups) throw new UsageError(`--levels does not match “${file}”.`);
  return Object.fromEntries(
    Object.entries(groups)
      .filter(([, value]) => value !== undefined)
      .map(([factor, value]) => [factor, /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value]),
  );
}

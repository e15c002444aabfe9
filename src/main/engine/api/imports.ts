import { createHash, randomUUID } from 'node:crypto';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { ReadOutput } from '../../../shared/contract/sessions.ts';
import { type Experiment, Experiment as ExperimentSchema } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CallContext, Implementation } from '../../../shared/rpc/define.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import { formatDocument } from '../plans/index.ts';
import type { EndedRun } from '../store/ended.ts';
import { normaliseOptions, parseText, READERS, type ReadRun, readerById, readRun } from '../tools/index.ts';
import type { ToolReader } from '../tools/tool.ts';
import { type ApiContext, requireSession } from './context.ts';
import { presentSession } from './present.ts';

type Request = Parameters<Implementation<AppContract['sessions']>['importOutputs']>[0];
type Output = Request['outputs'][number];
type Levels = Output['levels'];

interface Known {
  readonly output: Output;
  readonly read: ReadRun;
}

/** Stores outputs that were recorded elsewhere as a session of ended runs. */
export async function importOutputs(
  context: ApiContext,
  request: Request,
  progress: CallContext['progress'],
): Promise<Awaited<ReturnType<Implementation<AppContract['sessions']>['importOutputs']>>> {
  const reader = readerOf(request.tool);
  const metric = reader.metrics.primary(reader.options.parse(normaliseOptions(reader, request.options)));
  const known: Known[] = [];
  for (const [index, output] of request.outputs.entries()) {
    await progress({ what: 'Reading outputs', unit: 'file', done: index + 1, of: request.outputs.length });
    known.push({ output, read: figuresOf(reader, output, request.options) });
  }
  requireSameFactors(request.outputs);
  const read = known.map((each) => summaryOf(each, metric, request.warmup));
  if (!request.store) return { read };
  const id = storeRead(context, request, known, metric);
  context.events.changed('sessions');
  return { session: presentSession(context, requireSession(context, id)), read };
}

function readerOf(id: string): ToolReader {
  const reader = readerById(id);
  if (reader) return reader;
  throw new KneepointError({
    code: 'not-found',
    message: `There is no tool named “${id}”.`,
    next: `Tools: ${READERS.map((each) => each.id).join(', ')}.`,
  });
}

/**
 * Reads the output as the tool printed it, or without the additions of logs and terminals to its lines. Throws, with the reason, if it has no
 * figures.
 */
function figuresOf(reader: ToolReader, { name, text }: Output, options: Request['options']): ReadRun {
  const read = readRun(reader, text, options);
  if (hasFigures(read)) return read;
  if (text.trim() === '') throw refusal(`${name} is empty.`);
  const carried = parseText(reader, text, '', options, READERS);
  const worst = carried.findings.find(({ severity }) => severity === 'error') ?? carried.findings[0];
  if (hasFigures(carried)) return { ...carried, ok: worst?.severity !== 'error' };
  throw refusal(`No figures found in ${name}. ${worst?.message ?? ''}`.trim(), worst?.next);
}

const hasFigures = ({ samples, summary }: Pick<ReadRun, 'samples' | 'summary'>): boolean =>
  samples.length > 0 || Object.values(summary).some((value) => value !== 0);

function requireSameFactors(outputs: readonly Output[]): void {
  const factors = (levels: Levels): string => Object.keys(levels).toSorted().join(', ');
  const [first] = outputs as [Output, ...Output[]];
  const other = outputs.find(({ levels }) => factors(levels) !== factors(first.levels));
  if (other)
    throw refusal(
      `${first.name} has levels of ${factors(first.levels) || 'no factor'}, but ${other.name} of ${factors(other.levels) || 'none'}.`,
      'Give all outputs a level of each factor.',
    );
}

const refusal = (message: string, next = 'Omit it, or give the whole output of the tool.'): KneepointError =>
  new KneepointError({ code: 'bad-request', message, safe: 'Nothing was stored.', next });

const spanOf = ({ samples }: ReadRun): number => Math.max(0, ...samples.map(({ t }) => t));

function summaryOf({ output, read }: Known, metric: string | null, warmup: number): ReadOutput {
  const values = read.samples.flatMap(({ t, metrics }) => {
    const value = metric === null || t <= warmup ? undefined : metrics[metric];
    return value === undefined ? [] : [value];
  });
  return {
    ...{ name: output.name, levels: output.levels, seconds: spanOf(read), metric },
    mean: values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null,
    findings: read.findings,
  };
}

function storeRead(
  { store, outside }: ApiContext,
  request: Request,
  known: readonly Known[],
  metric: string | null,
): number {
  const experiment = experimentOf(request, known);
  const cells = cellsOf(known);
  const counts = new Map<number, number>();
  const runs = known.map(({ output, read }, trial): EndedRun => {
    const cell = cells.find(({ levels }) => sameLevels(levels, output.levels)) as Cell;
    const repeat = counts.get(cell.index) ?? 0;
    counts.set(cell.index, repeat + 1);
    const bytes = Buffer.from(output.text);
    return {
      ...{ trial, cell: cell.index, repeat, levels: cell.levels },
      ...{ warmup: request.warmup, duration: Math.max(0, spanOf(read) - request.warmup) },
      ...{ state: read.ok ? 'done' : 'failed', summary: read.summary, samples: read.samples, output: bytes },
      ...(read.latencies && { latencies: read.latencies }),
      about: { findings: [...read.findings, originOf(output, bytes)] },
    };
  });
  const session = {
    uuid: randomUUID(),
    origin: 'imported' as const,
    ...{ tags: [], createdAt: outside.clock.now(), startedAt: null, endedAt: null },
    snapshot: {
      ...{ experiment, experimentText: formatDocument(experiment) },
      plan: { cells, trials: [], seconds: 0, findings: [] },
      ...{ findings: [], appVersion: outside.version, steps: [{ tool: request.tool, metric }] },
    },
  };
  return store.insertEnded(session, runs).id;
}

/** Identifies the file later. */
const originOf = ({ name }: Output, bytes: Uint8Array): Finding => ({
  code: 'imported-output',
  severity: 'note',
  message: `Read from ${name}: ${formatCount(bytes.length, 'byte')}, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}.`,
});

const sameLevels = (one: Levels, other: Levels): boolean => formatLevels(one) === formatLevels(other);

function cellsOf(known: readonly Known[]): Cell[] {
  const found: Levels[] = [];
  for (const { output } of known) if (!found.some((each) => sameLevels(each, output.levels))) found.push(output.levels);
  return found.map((levels, index) => ({ index, levels }));
}

function experimentOf({ name, tool, options, warmup }: Request, known: readonly Known[]): Experiment {
  const factors = Object.keys(known[0]?.output.levels ?? {}).map((factor) => ({
    name: factor,
    levels: [...new Set(known.map(({ output }) => output.levels[factor]))],
  }));
  const duration = Math.max(1, Math.ceil(Math.max(...known.map(({ read }) => spanOf(read))) - warmup));
  return ExperimentSchema.parse({
    ...{ kneepoint: 1, name, workload: { tool, options }, where: {}, factors },
    measure: { warmup, duration },
  });
}

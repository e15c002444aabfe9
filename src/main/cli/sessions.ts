import { ExportFormat } from '../../shared/contract/reports.ts';
import { metricOf } from '../../shared/metrics/index.ts';
import { damageWords } from '../../shared/model/damage.ts';
import type { SessionResult } from '../../shared/model/result.ts';
import { meanWords } from '../../shared/model/result-words.ts';
import type { Run, Session } from '../../shared/model/session.ts';
import { shortDifferences } from '../../shared/model/settings.ts';
import { bestSentence } from '../../shared/stats/index.ts';
import {
  formatDateTime,
  formatLevels,
  formatNumber,
  formatPercent,
  formatRatio,
  formatValue,
} from '../../shared/util/format.ts';
import { EXIT, UsageError } from './exit.ts';
import { print, printJson, say, table } from './output.ts';
import { terminal } from './terminal.ts';
import { type Common, withEngine, withReader } from './with-engine.ts';
import { writeOutput } from './write-output.ts';

export const idOf = (text: string, what = "session's number (kneepoint sessions lists them)"): number => {
  const id = Number(text);
  if (!Number.isInteger(id) || id < 1) throw new UsageError(`“${text}” is not a ${what}.`);
  return id;
};

/** The table of cells: the same figures as on the screen, in the report and in the CSV. */
export function resultTable(result: SessionResult): string {
  const { digits, unit } = metricOf(result.metric);
  const number = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value, digits));
  return table(result.cells, [
    { title: 'cell', value: (cell) => formatLevels(cell.levels) || '(the only one)' },
    { title: 'runs', number: true, value: (cell) => String(cell.means.length) },
    { title: `mean ${unit}`, number: true, value: (cell) => meanWords(cell, digits) },
    { title: 'median', number: true, value: (cell) => number(cell.spread?.median) },
    { title: 'p5', number: true, value: (cell) => number(cell.spread?.p5) },
    { title: 'p95', number: true, value: (cell) => number(cell.spread?.p95) },
    { title: 'CV', number: true, value: (cell) => formatPercent(cell.spread?.cv, 1) },
    { title: 'errors', number: true, value: (cell) => formatNumber(cell.errors) },
    { title: '', value: (cell) => (cell.partial ? 'partial' : '') },
  ]);
}

/** A metric that nobody measured gives empty tables: better to say which ones there are. */
function requireMetric(metric: string | undefined, known: readonly string[], of: string): void {
  if (metric !== undefined && !known.includes(metric))
    throw new UsageError(`${of} no samples of “${metric}”. Measured: ${known.join(', ') || 'nothing yet'}.`);
}

const sessionState = ({ damaged, state }: Session): string => (damaged ? 'damaged' : state);

export async function sessionsCommand(options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const sessions = await engine.sessions.list({});
    if (options.json) printJson(sessions);
    else if (sessions.length === 0) print('The library holds no session yet. Begin with: kneepoint quickstart');
    else {
      print(
        table(sessions, [
          { title: 'id', number: true, value: (session) => String(session.id) },
          { title: 'state', value: (session) => sessionState(session) },
          { title: 'name', value: (session) => session.name },
          { title: 'tool', value: (session) => session.tool },
          { title: 'target', value: (session) => session.target ?? '' },
          { title: 'trials', number: true, value: (session) => `${session.trialsEnded}/${session.trialsTotal}` },
          {
            title: 'best',
            number: true,
            value: (session) => (session.best ? formatValue(session.best.value, metricOf(session.primaryMetric)) : '–'),
          },
          { title: 'started', value: ({ createdAt }) => (createdAt > 0 ? formatDateTime(createdAt) : '–') },
        ]),
      );
    }
    return EXIT.done;
  });
}

interface FinalFigure {
  run: Run;
  value: number;
}

/** What the tool itself printed at the end of each trial. */
const finalFigures = (runs: readonly Run[], metric: string): FinalFigure[] =>
  runs.flatMap((run) => {
    const value = run.summary[metric];
    return value === undefined ? [] : [{ run, value }];
  });

/** For a metric without samples by the second: there is no spread to show, and the warm-up is in it. */
function finalTable(metric: string, finals: readonly FinalFigure[]): string {
  const { digits, unit } = metricOf(metric);
  const rows = table(finals, [
    { title: 'cell', value: ({ run }) => formatLevels(run.levels) || '(the only one)' },
    { title: 'repeat', number: true, value: ({ run }) => String(run.repeat + 1) },
    { title: `${metric} ${unit}`.trim(), number: true, value: ({ value }) => formatNumber(value, digits) },
    { title: '', value: ({ run }) => (run.partial ? 'partial' : '') },
  ]);
  return `As the tool printed it at the end of each trial, warm-up included:\n${rows}`;
}

export async function showCommand(id: string, options: Common & { metric?: string }): Promise<number> {
  const sessionId = idOf(id);
  return withReader(options, async (engine) => {
    const detail = await engine.sessions.get({ id: sessionId });
    const runs = await engine.sessions.runs({ id: sessionId });
    const result = await engine.results.session({
      sessionId,
      ...(options.metric !== undefined && { metric: options.metric }),
    });
    const finals = options.metric === undefined ? [] : finalFigures(runs, options.metric);
    if (finals.length === 0) requireMetric(options.metric, result.metrics, `Session ${sessionId} has`);
    const bySecond = result.metrics.includes(result.metric);
    if (options.json) printJson({ ...detail, runs, result });
    else {
      print(`Session ${sessionId}: ${detail.session.name} (${detail.session.state})`);
      if (detail.session.question) print(detail.session.question);
      if (detail.session.message) print(detail.session.message);
      print(
        `${[detail.session.tool, detail.toolVersion].filter(Boolean).join(' ')} from ${detail.session.generators.join(', ')}${detail.target ? ` against ${detail.target.name}` : ''}\n`,
      );
      print(bySecond || finals.length === 0 ? resultTable(result) : finalTable(result.metric, finals));
      for (const entry of result.damage ?? []) print(damageWords(entry));
      const best = bestSentence(result);
      if (best) print(`\n${best}`);
      for (const run of runs)
        if (run.message) print(`Trial ${run.trial + 1} (${formatLevels(run.levels)}) ${run.state}: ${run.message}`);
    }
    return EXIT.done;
  });
}

/** The number of a trial counts from 1, as it is shown. */
export async function reingestCommand(id: string, options: Common & { trial?: string }): Promise<number> {
  const sessionId = idOf(id);
  const trial = options.trial === undefined ? undefined : idOf(options.trial, 'number of a trial');
  return withEngine(options, async (engine) => {
    const runs = await engine.sessions.runs({ id: sessionId });
    const run = trial === undefined ? undefined : runs.find((each) => each.trial === trial - 1);
    if (trial !== undefined && !run)
      throw new UsageError(`Session ${sessionId} has ${runs.length} trials, and no trial ${trial}.`);
    const again = await engine.sessions.reingest({ id: sessionId, ...(run && { runId: run.id }) });
    if (options.json) printJson(again);
    else
      for (const { trial: index, levels, state, seconds } of again)
        print(`Trial ${index + 1} (${formatLevels(levels)}) ${state}: ${formatNumber(seconds)} seconds read again.`);
    return EXIT.done;
  });
}

export async function exportCommand(
  id: string,
  options: Common & { format: string; output?: string; compareWith?: string },
): Promise<number> {
  const format = ExportFormat.safeParse(options.format);
  if (!format.success)
    throw new UsageError(`--format is one of ${ExportFormat.options.join(', ')}, not “${options.format}”.`);
  const sessionId = idOf(id);
  const compareWith = options.compareWith === undefined ? undefined : idOf(options.compareWith);
  return withReader(options, async (engine) => {
    const file = await engine.reports.make({
      sessionId,
      format: format.data,
      ...(compareWith !== undefined && { compareWith }),
    });
    if (options.output === '-') terminal().stdout.write(file.bytes);
    else {
      const output = options.output ?? file.fileName;
      writeOutput(output, file.bytes);
      if (options.json) printJson({ file: output, bytes: file.bytes.length });
      else say(`Wrote ${output} (${formatNumber(file.bytes.length)} bytes).`);
    }
    return EXIT.done;
  });
}

export async function compareCommand(a: string, b: string, options: Common & { metric?: string }): Promise<number> {
  const [baselineId, otherId] = [idOf(a), idOf(b)];
  return withReader(options, async (engine) => {
    const comparison = await engine.results.compare({
      baselineId,
      otherId,
      ...(options.metric !== undefined && { metric: options.metric }),
    });
    requireMetric(options.metric, comparison.metrics, 'The two sessions share');
    if (options.json) {
      printJson(comparison);
      return EXIT.done;
    }
    const { digits, unit } = metricOf(comparison.metric);
    print(
      `Baseline ${a}: ${comparison.baseline.name}\nOther    ${b}: ${comparison.other.name}\n\n${comparison.verdict}\n`,
    );
    print(
      table(comparison.cells, [
        { title: 'cell', value: (cell) => formatLevels(cell.levels) || '(the only one)' },
        { title: `baseline ${unit}`, number: true, value: (cell) => formatNumber(cell.baseline?.spread?.mean, digits) },
        { title: `other ${unit}`, number: true, value: (cell) => formatNumber(cell.other?.spread?.mean, digits) },
        { title: 'ratio', number: true, value: (cell) => formatRatio(cell.ratio) },
        { title: 'verdict', value: (cell) => cell.sentence },
      ]),
    );
    if (comparison.differences.length > 0) {
      print('\nWhat differs:');
      for (const difference of comparison.differences)
        print(`  ${difference.what}: ${difference.baseline} → ${difference.other}`);
    }
    if (comparison.settings.length > 0) {
      const { listed, sentences } = shortDifferences(comparison.settings);
      print('\nSettings of the targets that differ:');
      for (const setting of listed) print(`  ${setting.name}: ${setting.baseline} → ${setting.other}`);
      for (const sentence of sentences) print(`  ${sentence}`);
    }
    for (const finding of comparison.findings) print(`${finding.severity}: ${finding.message} ${finding.next ?? ''}`);
    return EXIT.done;
  });
}

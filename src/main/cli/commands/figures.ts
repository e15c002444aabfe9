import { placesText, stepsText } from '../../../shared/chart-models/index.ts';
import { metricName, metricOf } from '../../../shared/metrics/index.ts';
import { answerSentences } from '../../../shared/model/answer.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import { type Factor, levelsOf } from '../../../shared/model/factor.ts';
import { caveatWords } from '../../../shared/model/figure.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { canariesOf } from '../../../shared/model/repeats.ts';
import type { PlaceFigures, SessionResult, StepsTable } from '../../../shared/model/result.ts';
import { againstWords, valueWords } from '../../../shared/model/result-words.ts';
import type { Run } from '../../../shared/model/session.ts';
import { factRows, factValue } from '../../../shared/model/session-words.ts';
import { missingSentences } from '../../../shared/model/settling.ts';
import { basisSentences, bestSentence, figureTitle } from '../../../shared/stats/index.ts';
import { readDuration } from '../../../shared/util/duration.ts';
import {
  formatCount,
  formatFigure,
  formatLevels,
  formatNumber,
  formatPercent,
  formatRatio,
} from '../../../shared/util/format.ts';
import { idOf, UsageError } from '../exit.ts';
import { type Column, table } from '../terminal.ts';

/** The table of cells, with the same figures as on the screen, in the report and in the CSV. */
export function resultTable(result: SessionResult): string {
  const { digits, unit } = metricOf(result.metric);
  const number = (value: number | undefined): string => formatFigure(value, digits);
  const ofSeconds: Column<SessionResult['cells'][number]>[] = [
    { title: 'median', number: true, value: (cell) => number(cell.spread?.median) },
    { title: 'p5', number: true, value: (cell) => number(cell.spread?.p5) },
    { title: 'p95', number: true, value: (cell) => number(cell.spread?.p95) },
    { title: 'CV', number: true, value: (cell) => formatPercent(cell.spread?.cv, 1) },
  ];
  const cells = table(result.cells, [
    { title: 'cell', value: (cell) => formatLevels(cell.levels) || '(the only cell)' },
    { title: 'runs', number: true, value: (cell) => String(cell.means.length) },
    {
      title: `${figureTitle(result.metric, result.pick).toLowerCase()} ${unit}`.trim(),
      number: true,
      value: (cell) => valueWords(cell, digits),
    },
    ...(result.cells.some(({ spread }) => spread) ? ofSeconds : []),
    { title: 'errors', number: true, value: (cell) => formatNumber(cell.errors) },
    {
      title: '',
      value: (cell) => caveatWords('table', cell),
    },
  ]);
  return [cells, ...basisSentences(result)].join('\n');
}

/** Ratio and verdict of every cell, for each factor with a baseline. */
export const ratioTables = (result: SessionResult): string[] =>
  (result.ratios ?? []).map((ratios) => {
    const levelsOf = new Map(result.cells.map(({ cell, levels }) => [cell, levels]));
    const rows = table(ratios.cells, [
      { title: 'cell', value: ({ cell }) => formatLevels(levelsOf.get(cell) ?? {}) },
      { title: 'ratio', number: true, value: ({ ratio }) => formatRatio(ratio) },
      { title: `verdict ${againstWords(ratios)}`, value: ({ sentence }) => sentence },
    ]);
    return ratios.cells.length > 0 ? `${ratios.verdict}\n${rows}` : ratios.verdict;
  });

/** All measured steps, with their ratios to the baseline of the factor under test. */
export function stepsLines(steps: StepsTable): string {
  const { head, numbers, rows } = stepsText(steps);
  const columns = head.map((title, place) => ({
    title,
    number: place >= numbers,
    value: (row: readonly string[]) => row[place] ?? '',
  }));
  return [table(rows, columns), ...steps.sentences].join('\n');
}

/** Figures of each place of a load, and of all together. Empty if it has one place. */
export function placeLines(places: PlaceFigures): string {
  if (places.rows.length === 0) return '';
  const { head, numbers, rows } = placesText(places);
  return table(
    rows,
    head.map((title, place) => ({
      title,
      number: place >= numbers,
      value: (row: readonly string[]) => row[place] ?? '',
    })),
  );
}

/** Names a run by its trial, step and levels. */
export function runName({ trial, stepName, levels }: Run): string {
  const words = [stepName, formatLevels(levels)].filter(Boolean).join(', ');
  return `Trial ${trial + 1}${words ? ` (${words})` : ''}`;
}

/** The run of a trial. @throws UsageError if the session has no trial with that number. */
export function trialOf(sessionId: number, runs: readonly Run[], number: string): Run {
  const trial = idOf(number, 'number of a trial');
  const run = runs.find((each) => each.trial === trial - 1);
  if (run) return run;
  throw new UsageError(`Session ${sessionId} has ${formatCount(runs.length, 'trial')}, and no trial ${trial}.`);
}

/** The session's answer, then the best cell. Empty without a complete run. */
export function answerLines(result: SessionResult): string[] {
  const answer = answerSentences(result).join(' ');
  const best = bestSentence(result);
  const missing = missingSentences(result).join(' ');
  return [...(answer ? [answer] : []), ...(missing ? [missing] : []), ...(best ? [best] : [])];
}

/** Throws a usage error with the known metrics for an unknown one, which would otherwise result in empty tables. */
export function requireMetric(metric: string | undefined, known: readonly string[], of: string): void {
  const names = known.map(metricName);
  if (metric !== undefined && !known.includes(metric) && !names.includes(metric))
    throw new UsageError(`${of} no samples of “${metric}”. Measured: ${names.join(', ') || 'nothing yet'}.`);
}

interface FinalFigure {
  run: Run;
  value: number;
}

/** The tool's own final figure of each trial, without canaries. */
export function finalFigures(runs: readonly Run[], metric: string, plan: Plan): FinalFigure[] {
  const isCanary = canariesOf(plan);
  return runs.flatMap((run) => {
    const value = run.summary[metric];
    return value === undefined || isCanary(run) ? [] : [{ run, value }];
  });
}

/** For a metric without samples: there is no spread to show, and the warm-up is included. */
export function finalTable(metric: string, finals: readonly FinalFigure[]): string {
  const { digits, unit } = metricOf(metric);
  const rows = table(finals, [
    { title: 'cell', value: ({ run }) => formatLevels(run.levels) || '(the only cell)' },
    { title: 'repeat', number: true, value: ({ run }) => String(run.repeat + 1) },
    { title: `${metric} ${unit}`.trim(), number: true, value: ({ value }) => formatFigure(value, digits) },
    { title: '', value: ({ run }) => (run.partial ? 'partial' : '') },
  ]);
  return `Reported by the tool at the end of each trial, including warm-up:\n${rows}`;
}

/** Settings that levels required on hosts and servers, with the values read back. Undefined if there were none. */
export function factsTable(runs: readonly Run[]): string | undefined {
  const rows = factRows(runs);
  if (rows.length === 0) return undefined;
  const lines = table(rows, [
    { title: 'place', value: ({ place }) => `${place.kind} ${place.name}` },
    { title: 'setting', value: ({ what }) => what },
    { title: 'desired', value: ({ wanted }) => wanted },
    { title: 'read back', value: ({ found }) => factValue(found) },
    { title: 'before', value: ({ first }) => factValue(first) },
    { title: 'runs', number: true, value: (row) => String(row.runs.length) },
    { title: '', value: ({ matches }) => (matches === false ? 'not as desired' : '') },
  ]);
  return `Settings applied to the runs, read back before each one:\n${lines}`;
}

/** A finding as one line. */
export const findingLine = ({ severity, message, next }: Pick<Finding, 'severity' | 'message' | 'next'>): string =>
  `${severity}: ${message} ${next ?? ''}`.trim();

/** `--baseline FACTOR=LEVEL`, repeatable: levels that ratios refer to. Empty if not given. */
export function baselinesOf(asked: readonly string[] | undefined, factors: readonly Factor[]): { baselines?: Levels } {
  if (!asked) return {};
  const named = asked.map((each): [string, string] => {
    const [, name = '', level = ''] = /^(.+?)=(.*)$/s.exec(each) ?? [];
    const factor = factors.find((known) => known.name === name);
    const isKnown = level === '' || (factor && levelsOf(factor).some((known) => String(known) === level));
    if (factor && isKnown) return [name, level];
    const known = factors.flatMap((each) => levelsOf(each).map((one) => `${each.name}=${one}`));
    throw new UsageError(
      `--baseline takes a factor and one of its levels, not “${each}”. The session has: ${known.join(', ') || 'no factor'}.`,
    );
  });
  return { baselines: Object.fromEntries(named) };
}

/** `--warmup TIME`: the time to exclude at the start of each run. Empty if not given. */
export function cutOf(time: string | undefined): { warmup?: number } {
  if (time === undefined) return {};
  const warmup = readDuration(time, 's');
  if (warmup !== undefined) return { warmup };
  throw new UsageError(
    `--warmup takes the seconds to exclude at the start of each run, or a duration such as 2m, not “${time}”.`,
  );
}

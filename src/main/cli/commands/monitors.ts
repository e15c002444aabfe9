import { CHANGE_WORDS, intervalWords, nameOfSeries } from '../../../shared/analysis/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../shared/model/analysis.ts';
import {
  clockWords,
  costWords,
  damagedWords,
  gapWords,
  type MonitoredChoice,
  type MonitoredSource,
  type MonitoredValues,
  type RunWindow,
  sourceRole,
} from '../../../shared/model/monitored.ts';
import { mean } from '../../../shared/stats/index.ts';
import { readDuration } from '../../../shared/util/duration.ts';
import { formatDateTime, formatFigure, formatNumber } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, table, terminal } from '../terminal.ts';
import { type Common, type EngineClient, withReader } from '../with-engine.ts';

interface MonitorsOptions extends Common {
  source?: string[];
  series?: string[];
  trial?: string;
  from?: string;
  to?: string;
  csv?: boolean;
  notes?: boolean;
}

/** Lists everything that was monitored during a session; with `--series`, prints values. */
export async function monitorsCommand(id: string, options: MonitorsOptions): Promise<number> {
  const sessionId = idOf(id);
  const trial = options.trial === undefined ? undefined : idOf(options.trial, 'number of a trial');
  if (!options.series && (options.csv || trial !== undefined || options.from !== undefined || options.to !== undefined))
    throw new UsageError(
      `--csv, --trial, --from and --to require --series, as in: kneepoint monitors ${id} --series cpu.busy`,
    );
  if (options.notes && (options.source || options.series))
    throw new UsageError('--notes covers every source: omit --source and --series.');
  return withReader(options, async (engine) => {
    if (options.notes) return showMoments(engine, sessionId, options.json);
    const all = await engine.monitors.sources({ sessionId });
    const sources = named(all, options.source, sessionId);
    if (!options.series) return showSources(sources, sessionId, options.json);
    const choice = {
      ...chosen(sources, options.series, sessionId),
      ...(await spanOf(engine, sessionId, trial, options)),
    };
    if (options.csv) {
      const file = await engine.reports.make({ sessionId, format: 'csv-monitors', monitored: choice });
      terminal().stdout.write(file.bytes);
      return EXIT.done;
    }
    const values = await engine.monitors.series({ sessionId, ...choice });
    if (options.json)
      printJson(values.map(({ t, v, ...series }) => ({ ...series, t: [...t], v: Array.from(v, (one) => known(one)) })));
    else showValues(sources, values, sessionId);
    return EXIT.done;
  });
}

/** JSON has no NaN: unknown values are null. */
const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

function named(sources: readonly MonitoredSource[], names: readonly string[] | undefined, session: number) {
  if (!names) return sources;
  for (const name of names)
    if (!sources.some((source) => source.name === name)) {
      const there = sources.map((source) => source.name).join(', ') || 'nothing';
      throw new UsageError(`Session ${session} did not watch “${name}”. Watched: ${there}.`);
    }
  return sources.filter(({ name }) => names.includes(name));
}

function showSources(sources: readonly MonitoredSource[], session: number, json: boolean | undefined): number {
  if (json) printJson(sources);
  else if (sources.length === 0) print(`Session ${session} watched no hosts or servers.`);
  else {
    print(
      table<MonitoredSource>(sources, [
        { title: 'watched', value: ({ name }) => name },
        { title: 'as', value: sourceRole },
        { title: 'samples', number: true, value: ({ samples }) => formatNumber(samples) },
        { title: 'missing', value: gapWords },
        { title: 'clock', number: true, value: clockWords },
        { title: 'cost', number: true, value: costWords },
        { title: 'series', number: true, value: ({ series }) => String(series.length) },
        { title: '', value: ({ problem }) => problem ?? '' },
      ]),
    );
    for (const { name, series } of sources) {
      const shown = new Set(series.flatMap(({ main, rule }) => (main ? [rule] : [])));
      if (shown.size > 0) print(`\n${name}: ${[...shown].join(', ')}`);
    }
    print(`\nValues: kneepoint monitors ${session} --series ID (* is a wildcard); --json here lists every id.`);
  }
  return EXIT.done;
}

/** Resolves ids, and patterns with `*` as a wildcard, to the sources that have them. */
function chosen(sources: readonly MonitoredSource[], asked: readonly string[], session: number): MonitoredChoice {
  const fits = asked.map((each) => {
    const parts = each.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(`^${parts.join('.*')}$`);
    return { each, of: (id: string) => pattern.test(id) };
  });
  for (const { each, of } of fits)
    if (!sources.some(({ series }) => series.some(({ id }) => of(id))))
      throw new UsageError(
        `No source watched by session ${session} has a series “${each}”. Its series: kneepoint monitors ${session} --json`,
      );
  const wanted = sources.flatMap(({ id: sourceId, series }) => {
    const ids = series.map(({ id }) => id).filter((id) => fits.some(({ of }) => of(id)));
    return ids.length > 0 ? [{ sourceId, ids }] : [];
  });
  return { wanted };
}

/** The period in epoch milliseconds of this computer's clock. */
async function spanOf(
  engine: EngineClient,
  sessionId: number,
  trial: number | undefined,
  { from, to }: MonitorsOptions,
): Promise<Pick<MonitoredChoice, 'from' | 'to'>> {
  if (trial === undefined && from === undefined && to === undefined) return {};
  const window = trial === undefined ? undefined : await windowOf(engine, sessionId, trial);
  const { session } = await engine.sessions.get({ id: sessionId });
  const zero = window?.zero ?? session.startedAt ?? session.createdAt;
  const begins = from === undefined ? window?.zero : momentOf('--from', from, zero);
  const ends = to === undefined ? window?.to : momentOf('--to', to, zero);
  return { ...(begins !== undefined && { from: begins }), ...(ends !== undefined && { to: ends }) };
}

async function windowOf(engine: EngineClient, sessionId: number, trial: number): Promise<RunWindow> {
  const runs = await engine.sessions.runs({ id: sessionId });
  const run = runs.find((each) => each.trial === trial - 1);
  if (!run) throw new UsageError(`Session ${sessionId} has ${runs.length} trials, and no trial ${trial}.`);
  const window = (await engine.monitors.windows({ sessionId })).find(({ runId }) => runId === run.id);
  if (!window) throw new UsageError(`Trial ${trial} of session ${sessionId} has not started.`);
  return window;
}

/** Parses a time since the start of the trial or session (`90`, `5m`), or a moment (`2026-01-31T12:00:00`). */
function momentOf(option: string, text: string, zero: number): number {
  const seconds = readDuration(text, 's');
  if (seconds !== undefined) return zero + seconds * 1000;
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new UsageError(
    `${option} takes the time since the start of the trial or session (90, 5m), or a moment such as 2026-01-31T12:00:00, not “${text}”.`,
  );
}

/** Prints a summary of each series; --csv and --json print every value. */
function showValues(sources: readonly MonitoredSource[], all: readonly MonitoredValues[], session: number): void {
  const rows = all.map(({ sourceId, id, t, v }) => {
    const source = sources.find((each) => each.id === sourceId);
    const series = source?.series.find((each) => each.id === id);
    const values = v.filter((value) => !Number.isNaN(value)).sort();
    const digits = series?.digits ?? 1;
    return { source: source?.name ?? '', id, unit: series?.unit ?? '', t, values, digits };
  });
  type Row = (typeof rows)[number];
  const figure = (title: string, of: (values: Float64Array) => number | undefined) => ({
    title,
    number: true,
    value: ({ values, digits }: Row) => formatFigure(of(values), digits),
  });
  print(
    table(rows, [
      { title: 'watched', value: ({ source }) => source },
      { title: 'series', value: ({ id }) => id },
      { title: 'unit', value: ({ unit }) => unit },
      { title: 'values', number: true, value: ({ values }) => formatNumber(values.length) },
      figure('mean', meanOf),
      figure('median', (values) => values[values.length >> 1]),
      figure('smallest', (values) => values[0]),
      figure('largest', (values) => values.at(-1)),
      { title: 'from', value: ({ t }) => (t[0] === undefined ? '–' : formatDateTime(t[0])) },
    ]),
  );
  for (const values of all) {
    const words = damagedWords(sources.find(({ id }) => id === values.sourceId)?.name ?? '', values);
    if (words !== undefined) print(words);
  }
  print(`\nFor every value, add --csv or --json, as in: kneepoint monitors ${session} --series cpu.busy --csv`);
}

const meanOf = (values: Float64Array): number | undefined => (values.length > 0 ? mean(values) : undefined);

/** Prints the changes after each note and event of a session. */
async function showMoments(engine: EngineClient, sessionId: number, json: boolean | undefined): Promise<number> {
  const moments = await engine.monitors.moments({ sessionId });
  if (json) printJson(moments);
  else if (moments.length === 0) print(`Session ${sessionId} has no notes or events during a trial.`);
  else for (const moment of moments) showMoment(moment);
  return EXIT.done;
}

function showMoment({ at, kind, message, series, sentences }: MomentComparison): void {
  print(`${formatDateTime(at)} ${kind === 'note' ? 'note' : 'event'}: ${message}`);
  for (const sentence of sentences) print(`  ${sentence}`);
  if (series.length > 0) print(`${seriesTable(series)}\n`);
}

const seriesTable = (series: readonly SeriesBeforeAfter[]): string =>
  table<SeriesBeforeAfter>(series, [
    { title: 'watched', value: ({ source }) => source },
    { title: 'series', value: nameOfSeries },
    { title: 'unit', value: ({ unit }) => unit },
    { title: 'before', number: true, value: ({ before, digits = 1 }) => formatFigure(before, digits) },
    { title: 'after', number: true, value: ({ after, digits = 1 }) => formatFigure(after, digits) },
    { title: 'after ÷ before', number: true, value: (row) => intervalWords(row) ?? '–' },
    { title: 'verdict', value: ({ verdict, why }) => [CHANGE_WORDS[verdict], why].filter(Boolean).join(': ') },
  ]);

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import type { ExportFormat } from '../../../src/shared/contract/reports.ts';
import { EventKind, LOG_KINDS } from '../../../src/shared/model/session.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { startEngine, type TestEngine } from '../testing/engine.ts';

/** A library and the responses of the version that wrote it: a folder here, named by the schema of the file. */
export interface Fixture {
  readonly folder: string;
  /** Its responses include monitoring, judgements, comparisons of levels and PDFs. */
  readonly more: boolean;
}

const fileOf = ({ folder }: Fixture, name: string): string => path.join(import.meta.dirname, folder, name);

/** By the name of the call, its request and its response. */
export type Answers = Record<string, unknown>;

const POINTS = 20;
/** One in this many series: a server has a thousand. */
const EACH_SERIES = 10;
const isAsked = (id: string): boolean => Buffer.from(id).reduce((sum, byte) => sum + byte, 0) % EACH_SERIES === 0;
/** Each series by its name, as later versions have more of them. */
const byId = (series: readonly { id: string }[]): unknown => Object.fromEntries(series.map((one) => [one.id, one]));
const seriesById = (sources: readonly { series: readonly { id: string }[] }[]): unknown[] =>
  sources.map((source) => ({ ...source, series: byId(source.series) }));

/** A copy of the library in a separate folder. */
function copyOfLibrary(fixture: Fixture): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-library-'));
  const library = gunzipSync(readFileSync(fileOf(fixture, 'library.db.gz')));
  writeFileSync(path.join(dataDir, 'library.db'), library, { mode: 0o600 });
  return dataDir;
}

/** Opens a copy without continuing anything. */
export const openLibrary = (fixture: Fixture): Promise<TestEngine> =>
  startEngine(copyOfLibrary(fixture), { resumeSessions: false });

/** Every read-only call with a deterministic response; one in `each` sessions is queried. */
export async function ask(client: Client<AppContract>, { more }: Fixture, each = 1): Promise<Answers> {
  const answers: Answers = {};
  const note: Note = async (name, answer) => {
    answers[name] = await answer.then(plain, (error: unknown) => ({
      problem: plain((error as { problem?: unknown }).problem),
    }));
  };
  const sessions = [...(await client.sessions.list({})), ...(await client.sessions.list({ archived: true }))];
  // Figures arrive after a list.
  await client.sessions.figures({ ids: sessions.map(({ id }) => id) });
  await note('sessions.list', client.sessions.list({}));
  await note('sessions.list archived', client.sessions.list({ archived: true }));
  await note('hosts.list', client.hosts.list({}));
  await note('targets.list', client.targets.list({}));
  await note('dataSets.list', client.dataSets.list({ kind: 'tables' }));
  await note('fileSets.list', client.dataSets.list({ kind: 'files' }));
  await note(
    'costs.valueForMoney',
    client.costs.valueForMoney({ sessionIds: sessions.map(({ id }) => id), perCell: true }),
  );
  const saved = (await client.experiments.list({})).filter(({ id }) => /^\d+$/.test(String(id)));
  answers['experiments saved'] = plain(saved);
  for (const { id } of sessions.filter((_, at) => at % each === 0)) {
    await askAbout(client, id, note);
    if (more) await askMore(client, id, note);
  }
  const named = new Map(sessions.map((session) => [session.name, session.id]));
  for (const { tool, id } of sessions.filter(({ name }) => name.endsWith(', done')))
    for (const other of ['done again', 'interrupted', 'running', 'mixed', 'repeated'].slice(
      0,
      each > 1 ? 1 : undefined,
    )) {
      const otherId = named.get(`${tool}, ${other}`);
      if (otherId === undefined) continue;
      await note(`results.compare ${id} ${otherId}`, client.results.compare({ baselineId: id, otherId }));
      if (other === 'done again')
        await note(`reports.make csv-cells ${otherId} with ${id}`, report(client, otherId, 'csv-cells', id));
    }
  return answers;
}

type Note = (name: string, answer: Promise<unknown>) => Promise<void>;

async function askAbout(client: Client<AppContract>, id: number, note: Note): Promise<void> {
  await note(`sessions.get ${id}`, client.sessions.get({ id }));
  await note(`sessions.runs ${id}`, client.sessions.runs({ id }));
  await note(`sessions.log ${id}`, client.sessions.events({ id, kinds: [...LOG_KINDS] }));
  await note(`results.session ${id}`, client.results.session({ sessionId: id }));
  await note(`results.session ${id} without warm-up`, client.results.session({ sessionId: id, warmup: 0 }));
  await note(`costs.ofSession ${id}`, client.costs.ofSession({ sessionId: id }));
  for (const format of ['csv', 'csv-cells', 'json'] as const)
    await note(`reports.make ${format} ${id}`, report(client, id, format));
  const { metrics } = await client.results.session({ sessionId: id });
  const runIds = (await client.sessions.runs({ id })).map((run) => run.id);
  await note(`results.series ${id}`, client.results.series({ runIds, metrics: metrics.slice(0, 3), points: POINTS }));
  for (const runId of runIds)
    for (const stream of ['stdout', 'stderr'] as const)
      await note(`results.raw ${runId} ${stream}`, client.results.raw({ runId, stream, limit: 400 }));
}

async function askMore(client: Client<AppContract>, id: number, note: Note): Promise<void> {
  await note(`sessions.events ${id}`, client.sessions.events({ id, kinds: [...EventKind.options] }));
  const { factors, warmup } = await client.results.session({ sessionId: id });
  for (const { name, levels } of factors)
    for (const level of levels.slice(0, 1))
      await note(
        `results.compareLevels ${id} ${name}`,
        client.results.compareLevels({ sessionId: id, factor: name, level }),
      );
  const runs = await client.sessions.runs({ id });
  const cells = [...Map.groupBy(runs, ({ cell }) => cell).values()].map((of) => of.map((run) => run.id));
  const metric = (await client.sessions.get({ id })).session.primaryMetric ?? '';
  await note(`results.stretches ${id}`, client.results.stretches({ groups: cells, metric, points: POINTS }));
  await note(`results.quantiles ${id}`, client.results.quantiles({ groups: cells, metric, warmup }));
  await note(`results.judgements ${id}`, client.results.judgements({ sessionId: id }));
  await note(`monitors.windows ${id}`, client.monitors.windows({ sessionId: id }));
  await note(`monitors.limits ${id}`, client.monitors.limits({ sessionId: id }));
  await note(`monitors.moments ${id}`, client.monitors.moments({ sessionId: id }));
  await note(`monitors.sources ${id}`, client.monitors.sources({ sessionId: id }).then(seriesById));
  const sources = await client.monitors.sources({ sessionId: id });
  const wanted = sources.map((source) => ({
    sourceId: source.id,
    ids: source.series.map((series) => series.id).filter(isAsked),
  }));
  await note(
    `monitors.series ${id}`,
    client.monitors
      .series({ sessionId: id, wanted, points: POINTS })
      .then((all) => wanted.map(({ sourceId }) => byId(all.filter((one) => one.sourceId === sourceId)))),
  );
  for (const format of ['csv-monitors', 'pdf'] as const)
    await note(`reports.make ${format} ${id}`, report(client, id, format));
}

/** Text of a report, without its creation time. */
async function report(
  client: Client<AppContract>,
  sessionId: number,
  format: ExportFormat,
  compareWith?: number,
): Promise<unknown> {
  const made = await client.reports.make({ sessionId, format, ...(compareWith !== undefined && { compareWith }) });
  if (format === 'pdf') return { ...made, bytes: linesOf(made.bytes) };
  const text = Buffer.from(made.bytes).toString('utf8');
  if (format !== 'json') return { ...made, bytes: text.split('\n') };
  const { madeAt: _, ...document } = JSON.parse(text);
  if (document.monitored) document.monitored.sources = seriesById(document.monitored.sources);
  return { ...made, bytes: document };
}

/** The footer of each page of a PDF, with the version and its creation time. */
const FOOTER = /^Kneepoint \S+ · session /;
const LOCAL_TIME = /\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g;

/** By pdftotext of Debian's poppler-utils: times in UTC, gaps between columns as two spaces, without lines that belong only to the page. */
const linesOf = (pdf: Uint8Array): string[] =>
  execFileSync('pdftotext', ['-layout', '-nopgbrk', '-', '-'], { input: pdf, encoding: 'utf8' })
    .replace(LOCAL_TIME, (time) => new Date(time.replace(' ', 'T')).toISOString().slice(0, 16).replace('T', ' '))
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, '  '))
    .filter((line) => line !== '' && !FOOTER.test(line));

/** As JSON stores it: columns as lists, without values that JSON does not support. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (value instanceof Float64Array || value instanceof Float32Array)
    return Array.from(value, (number) => (Number.isFinite(number) ? number : null));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value === undefined || Object.is(value, -0) ? null : value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
}

export const storedAnswers = (fixture: Fixture): Answers =>
  JSON.parse(gunzipSync(readFileSync(fileOf(fixture, 'answers.json.gz'))).toString('utf8')) as Answers;

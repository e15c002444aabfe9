import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import { LOG_KINDS } from '../../../src/shared/model/session.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { startEngine, type TestEngine } from '../testing/engine.ts';

const FOLDER = import.meta.dirname;
const LIBRARY = {
  database: path.join(FOLDER, 'library.db.gz'),
  answers: path.join(FOLDER, 'answers.json.gz'),
};

/** By the name of the call, what it was asked with and what it answered. */
export type Answers = Record<string, unknown>;

const POINTS = 20;

/** A copy of the library in a folder of its own. */
function copyOfLibrary(): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-library-'));
  writeFileSync(path.join(dataDir, 'library.db'), gunzipSync(readFileSync(LIBRARY.database)), { mode: 0o600 });
  return dataDir;
}

/** Opens a copy without continuing anything. */
export const openLibrary = (): Promise<TestEngine> => startEngine(copyOfLibrary(), { resumeSessions: false });

/** Every call that only reads and always answers the same; of each so many sessions one is asked about. */
export async function ask(client: Client<AppContract>, each = 1): Promise<Answers> {
  const answers: Answers = {};
  const note = async (name: string, answer: Promise<unknown>): Promise<void> => {
    answers[name] = await answer.then(plain, (error: unknown) => ({
      problem: plain((error as { problem?: unknown }).problem),
    }));
  };
  const sessions = [...(await client.sessions.list({})), ...(await client.sessions.list({ archived: true }))];
  // Figures follow a list.
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
  for (const { id } of sessions.filter((_, at) => at % each === 0)) await askAbout(client, id, note);
  const named = new Map(sessions.map((session) => [session.name, session.id]));
  for (const { tool, id } of sessions.filter(({ name }) => name.endsWith(', done')))
    for (const other of ['done again', 'interrupted', 'running', 'mixed'].slice(0, each > 1 ? 1 : undefined)) {
      const otherId = named.get(`${tool}, ${other}`);
      if (otherId === undefined) continue;
      await note(`results.compare ${id} ${otherId}`, client.results.compare({ baselineId: id, otherId }));
      if (other === 'done again')
        await note(`reports.make csv-cells ${otherId} with ${id}`, report(client, otherId, 'csv-cells', id));
    }
  return answers;
}

async function askAbout(
  client: Client<AppContract>,
  id: number,
  note: (name: string, answer: Promise<unknown>) => Promise<void>,
): Promise<void> {
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

/** Text of a report, without the moment of its making. */
async function report(
  client: Client<AppContract>,
  sessionId: number,
  format: 'csv' | 'csv-cells' | 'json',
  compareWith?: number,
): Promise<unknown> {
  const made = await client.reports.make({ sessionId, format, ...(compareWith !== undefined && { compareWith }) });
  const text = Buffer.from(made.bytes).toString('utf8');
  if (format !== 'json') return { ...made, bytes: text.split('\n') };
  const { madeAt: _, ...document } = JSON.parse(text) as Record<string, unknown>;
  return { ...made, bytes: document };
}

/** As JSON keeps it: columns as lists, none of the values that JSON has not. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (value instanceof Float64Array || value instanceof Float32Array)
    return Array.from(value, (number) => (Number.isFinite(number) ? number : null));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value === undefined || Object.is(value, -0) ? null : value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
}

export const storedAnswers = (): Answers =>
  JSON.parse(gunzipSync(readFileSync(LIBRARY.answers)).toString('utf8')) as Answers;

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import { ENDED_SESSION } from '../../../src/shared/model/session.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { afterEachTest, jobFolders, whenFileEnds } from '../../testbed/left.ts';

/** A library used by tests of this file. */
interface Library {
  /** The engine that has it open. */
  client: Client<AppContract> | undefined;
  /** Sessions that had not ended before an engine first opened it here. */
  readonly brought: ReadonlySet<number>;
}

const libraries = new Map<string, Library>();

/** `client`: of the engine that opens it; undefined once that is closed. */
export function noteLibrary(dataDir: string, client: Client<AppContract> | undefined): void {
  if (libraries.size === 0) {
    afterEachTest('session', async () => [...(await endSessions()), ...[...libraries].flatMap(killTools)]);
    whenFileEnds(() => libraries.clear());
  }
  const library = libraries.get(dataDir) ?? { client, brought: new Set(openSessions(dataDir).map(({ id }) => id)) };
  libraries.set(dataDir, library);
  library.client = client;
}

interface Left {
  readonly id: number;
  readonly name: string;
  readonly state: string;
}

/** Read from the file: a killed engine cannot be queried. */
function openSessions(dataDir: string): Left[] {
  const ended = ENDED_SESSION.map((state) => `'${state}'`).join();
  return rowsOf(dataDir, `SELECT id, name, state FROM session WHERE state NOT IN (${ended})`) as Left[];
}

function rowsOf(dataDir: string, sql: string): unknown[] {
  const file = path.join(dataDir, 'library.db');
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Ends sessions that a test has left under way, on open engines and in libraries that no engine has open. */
async function endSessions(): Promise<string[]> {
  const found: string[] = [];
  for (const [dataDir, library] of libraries) {
    const left = openSessions(dataDir).filter(({ id }) => !library.brought.has(id));
    if (left.length === 0) continue;
    const stop = library.client ? undefined : await openAgain(dataDir);
    for (const { id, name, state } of left) {
      const isEnded = library.client !== undefined && (await endSession(library.client, dataDir, id));
      found.push(`Session ${id} (${name}) was ${state}${isEnded ? '' : ', and does not end'}.`);
    }
    await stop?.();
  }
  return found;
}

/** Milliseconds; the second stop gives up unreachable hosts. */
const STOP_LIMIT = 20_000;

async function endSession(client: Client<AppContract>, dataDir: string, id: number): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const limit = performance.now() + STOP_LIMIT;
    client.sessions.stop({ id }).catch(() => {});
    while (performance.now() < limit) {
      if (!openSessions(dataDir).some((session) => session.id === id)) return true;
      await delay(100);
    }
  }
  return false;
}

/** Ends tools that run although their session has ended, and monitors without an engine to end them. */
function killTools([dataDir, { client }]: [string, Library]): string[] {
  const jobs = rowsOf(dataDir, 'SELECT DISTINCT job_id AS id, kind FROM job') as { id: string; kind: string }[];
  return jobs.flatMap(({ id, kind }) => {
    if (kind === 'monitor' && client) return [];
    const local = path.join(process.env.XDG_STATE_HOME ?? '', 'kneepoint/jobs');
    const folder = [...jobFolders, local].map((each) => path.join(each, id)).find(existsSync);
    const pid = folder === undefined ? undefined : runningTool(folder);
    if (pid === undefined) return [];
    process.kill(-pid, 'SIGKILL');
    return kind === 'monitor' ? [] : [`The tool of job ${id} was running.`];
  });
}

/** The process of a job's tool; undefined if none is running. */
export function runningTool(folder: string): number | undefined {
  const file = path.join(folder, 'tool');
  if (existsSync(path.join(folder, 'end')) || !existsSync(file)) return undefined;
  const [pid] = readFileSync(file, 'utf8').split(' ');
  return existsSync(`/proc/${pid}`) ? Number(pid) : undefined;
}

async function openAgain(dataDir: string): Promise<() => Promise<void>> {
  const { startEngine } = await import('./engine.ts');
  const { client, stop } = await startEngine(dataDir, { resumeSessions: false });
  // The passphrase of most beds; a session that needs no password ends without it.
  await client.app.unlockVault({ passphrase: 'a passphrase of the vault' }).catch(() => {});
  return stop;
}

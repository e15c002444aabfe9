import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { type ApiContext, Prices } from '../src/main/engine/api/context.ts';
import { SessionReader, watchSession } from '../src/main/engine/api/watch-session.ts';
import { FakeMachines } from '../src/main/engine/hosts/testing/fake-machines.ts';
import type { FakeJob } from '../src/main/engine/jobs/testing/fake-job.ts';
import { FakeJobs } from '../src/main/engine/jobs/testing/fake-jobs.ts';
import { Overviews } from '../src/main/engine/results/index.ts';
import { createSecrets } from '../src/main/engine/secrets/index.ts';
import type { SessionContext } from '../src/main/engine/session/index.ts';
import { Sessions } from '../src/main/engine/session/sessions.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import { shownCommand, TOOLS, toolById } from '../src/main/engine/tools/index.ts';
import { Lags } from '../src/main/engine/trial/context.ts';
import { RunRecorder } from '../src/main/engine/trial/recorder.ts';
import { OneByOne } from '../src/main/engine/watching/context.ts';
import { freshLibrary } from './library.ts';
import type { BenchRow } from './row.ts';
import { addSession, HOST } from './session-library.ts';
import { seconds } from './sysbench-like.ts';

const SIZES = [27, 1000, 5000, 20_000] as const;
/** Ticks before the measured ones: caches fill, code is compiled. A session of hours is long past them. */
const WARM_UP = 120;
const TICKS = 120;
const WARM_UP_ON_END = 2000;
const TICKS_ON_END = 2000;
/** Minimum interval between changes sent to a page. */
const SPACING_MS = 250;

/**
 * One second of output of the running trial through the engine: followed, parsed, committed, and sent to a watching page. The host is a fake in
 * this process, so that only the engine uses the CPU. Measured twice: without pauses, for the cost of the work, and a quarter of a second apart,
 * where an idle processor starts with cold caches.
 */
export async function tickRows(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const gap of [0, SPACING_MS]) {
    const limit = await bareTick(gap);
    for (const trials of SIZES) {
      const { store, dataDir, remove } = freshLibrary();
      const value = await measure(store, dataDir, trials, gap).finally(remove);
      rows.push({
        name: `Live tick of a session of ${trials.toLocaleString('en-US')} trials, ${gap === 0 ? 'one after the other' : `${gap} ms apart`}`,
        value,
        unit: 'ms of CPU',
        limit,
        ratio: value / limit,
        ...(trials === 20_000 && gap === 0 && { goal: '≤ 1 ms' }),
        note: 'limit: a bare relaxed commit and three SELECTs by key',
      });
    }
  }
  return rows;
}

async function measure(store: Store, dataDir: string, trials: number, gap: number): Promise<number> {
  const { id, running } = addSession(store, { name: 'Live', trials, ended: Math.floor(trials / 2) });
  const { sessions, context, job } = await livingSession(store, dataDir, running ?? 0);
  try {
    sessions.continueInterrupted(id);
    return gap === 0 ? ticksOnEnd(context, id, running ?? 0) : await ticksApart(context, id, job);
  } finally {
    await sessions.close();
  }
}

/** The work of a tick without the timers between its parts. */
function ticksOnEnd(context: ApiContext, id: number, runId: number): number {
  const { store } = context;
  const tool = toolById('sysbench');
  if (!tool) throw new Error('sysbench is missing.');
  const recorder = new RunRecorder({
    store,
    runId,
    generator: 0,
    makeParser: (events) => tool.parser('run', {}, events),
  });
  const reader = new SessionReader(context, id, 600);
  let offset = 0;
  let received = 0;
  const tick = (line: string): void => {
    const bytes = Buffer.from(line);
    recorder.push('stdout', offset, bytes);
    offset += bytes.length;
    store.relaxed(() => recorder.flush());
    received += reader.updates().filter(({ kind }) => kind === 'samples').length;
  };
  const lines = [...seconds(WARM_UP_ON_END + TICKS_ON_END, 3)].map(({ line }) => line);
  for (const line of lines.slice(0, WARM_UP_ON_END)) tick(line);
  received = 0;
  const before = process.threadCpuUsage();
  for (const line of lines.slice(WARM_UP_ON_END)) tick(line);
  const value = msPerTick(before, TICKS_ON_END);
  if (received !== TICKS_ON_END) throw new Error(`${received} of ${TICKS_ON_END} ticks were told.`);
  return value;
}

async function ticksApart(context: ApiContext, id: number, job: FakeJob): Promise<number> {
  const end = new AbortController();
  try {
    const events = watchSession(context, id, 600, end.signal);
    const tick = async (line: string): Promise<void> => {
      job.print(line);
      for await (const event of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) })
        if (event.kind === 'samples') return;
        else if (event.kind === 'session' && event.session.state !== 'running')
          throw new Error(`The session stopped: ${event.session.message ?? event.session.state}`);
    };
    const lines = [...seconds(WARM_UP + TICKS, 3)].map(({ line }) => line);
    for (const line of lines.slice(0, WARM_UP)) await tick(line);
    const before = process.threadCpuUsage();
    for (const line of lines.slice(WARM_UP)) await tick(line);
    return msPerTick(before, TICKS);
  } finally {
    end.abort();
  }
}

/** Over all ticks together: the system updates the CPU time of a thread only when it sleeps, so single ticks are not measurable. */
function msPerTick(before: NodeJS.CpuUsage, ticks: number): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / ticks;
}

/** The parts of the engine around a stored session whose running trial is a job on a fake host. */
async function livingSession(
  store: Store,
  dataDir: string,
  runId: number,
): Promise<{ sessions: Sessions; context: ApiContext; job: FakeJob }> {
  const machines = new FakeMachines([HOST]);
  const jobs = new FakeJobs();
  const jobId = store.runs.get(runId)?.jobs[0]?.jobId ?? '';
  const job = jobs.leaveRunning(machines.get(HOST), { id: jobId, argv: [], env: {}, files: [], limitSeconds: 60 });
  const unexpected = (): never => {
    throw new Error('A tick does not ask for this.');
  };
  const runs: SessionContext = {
    store,
    machines,
    jobs,
    tools: TOOLS,
    targets: {
      spec: unexpected,
      shown: () => undefined,
      nodes: () => [],
      connection: unexpected,
      connectionThroughApp: unexpected,
      open: unexpected,
    },
    servers: { of: unexpected },
    monitors: {},
    judge: async () => ({ version: 1, findings: [], isStill: () => true }),
    judgings: new OneByOne(),
    changers: [],
    library: 'bench',
    readFacts: unexpected,
    readClock: unexpected,
    figureOf: unexpected,
    prices: unexpected,
    shownCommand,
    redact: (text) => text,
    dataWork: new Map(),
    lags: new Lags(),
    jobsAtWork: new Set(),
    dataChanged: () => {},
    hostsChanged: () => {},
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    nodePath: process.execPath,
    assetsDir: '.',
    version: '0.1.0',
  };
  const sessions = new Sessions(runs);
  const secrets = await createSecrets({ dataDir, rows: store.secrets });
  const context = {
    store,
    runs,
    sessions,
    secrets,
    overviews: new Overviews(store),
    prices: new Prices('.'),
    now: () => Date.now(),
  };
  return { sessions, context: context as ApiContext, job };
}

/** Limit: the writes and reads of one tick with only better-sqlite3, at the same interval as the ticks. */
async function bareTick(gap: number): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(path.join(folder, 'bare.db'));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(`CREATE TABLE raw (offset INTEGER PRIMARY KEY, data BLOB); CREATE TABLE sample (t INTEGER PRIMARY KEY, tps REAL, qps REAL);
      CREATE TABLE session (id INTEGER PRIMARY KEY, state TEXT, ended INTEGER); INSERT INTO session VALUES (1, 'running', 10);
      CREATE TABLE run (id INTEGER PRIMARY KEY, state TEXT, seconds INTEGER); INSERT INTO run VALUES (1, 'running', 10)`);
    const raw = db.prepare('INSERT INTO raw VALUES (?, ?)');
    const sample = db.prepare('INSERT INTO sample VALUES (?, ?, ?)');
    const reads = ['session', 'run'].map((table) => db.prepare(`SELECT * FROM ${table} WHERE id = 1`));
    const updates = db.prepare<[number]>('SELECT * FROM sample WHERE t >= ?');
    const commit = db.transaction((t: number, line: string) => {
      raw.run(t, Buffer.from(line));
      sample.run(t, 1.5, 2.5);
    });
    let before = process.threadCpuUsage();
    let ticks = 0;
    const [warmUp, measured] = gap === 0 ? [WARM_UP_ON_END, TICKS_ON_END] : [WARM_UP, TICKS];
    for (const { t, line } of seconds(warmUp + measured, 3)) {
      if (gap > 0) await delay(gap);
      commit(t, line);
      for (const read of reads) read.get();
      updates.all(t);
      ticks += 1;
      if (ticks === warmUp) before = process.threadCpuUsage();
    }
    return msPerTick(before, measured);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

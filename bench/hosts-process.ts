import { randomUUID } from 'node:crypto';
import path from 'node:path';
import v8 from 'node:v8';
import Database from 'better-sqlite3';
import { rulesOf } from '../src/main/engine/api/monitors.ts';
import { cooperatively } from '../src/main/engine/figures/index.ts';
import { judging } from '../src/main/engine/judging/index.ts';
import { monitoredSources } from '../src/main/engine/monitored/index.ts';
import { makePlan, readDocument } from '../src/main/engine/plans/index.ts';
import { LIBRARY_FILE, openStore } from '../src/main/engine/store/open.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import { toolById } from '../src/main/engine/tools/index.ts';
import { type Answer, askEngine, type Questions, type Took } from './ask-engine.ts';
import { decodeAll, measured } from './judging.ts';
import { batches } from './library.ts';
import { untilDone } from './open-precomputed.ts';
import { CountedHost, WATCHED_START } from './watched.ts';

/* Runs a step on a library of many monitored hosts, and prints its costs as JSON: argv = step, folder, session. */
const [stepName = '', dataDir = '', session = ''] = process.argv.slice(2);
// As an engine does for itself.
v8.setFlagsFromString('--semi-space-growth-factor=1');
const HOSTS = Number(process.env.BENCH_HOSTS ?? 20);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 36_000);
/** Rows per commit of each host: the follower of a monitor's job commits more often, and the same rows. */
const ROWS = 60;
const START_MS = WATCHED_START * 1000;
/** Lanes visible at the same time. */
const SEEN = 12;
const POINTS = 1000;

export interface Written {
  session: number;
  hosts: number;
  counters: number;
  series: number;
  seconds: number;
  samples: number;
  ms: number;
  cpuMs: number;
  peakMiB: number;
}
export interface Judged extends Took {
  limitMs: number;
  longestMs: number;
  peakMiB: number;
}
export interface Opened {
  answers: Answer[];
  /** Reading the chunks of a counter of each host without decoding them. */
  limitMs: number;
  peakMiB: number;
}

const hostNames = Array.from({ length: HOSTS }, (_, index) => `host-${index + 1}`);
const DOCUMENT = `kneepoint: 1
name: Twenty hosts for ten hours
workload: { tool: sysbench }
where: { generators: [${hostNames[0]}] }
measure: { warmup: 600, duration: ${SECONDS - 600} }
monitors: { hosts: [${hostNames.slice(1).join(', ')}] }
`;

function addSession(store: Store): { session: number; run: number } {
  const { experiment, problems } = readDocument(DOCUMENT);
  const tool = toolById('sysbench');
  if (!experiment || !tool) throw new Error(problems[0]?.message ?? 'There is no sysbench.');
  const plan = makePlan(experiment, { tool, kindOf: () => 'mysql' });
  const snapshot = {
    ...{ experiment, experimentText: DOCUMENT, plan, findings: plan.findings },
    ...{ appVersion: '0.1.0', steps: [{ tool: 'sysbench', metric: 'tps' }] },
  };
  const { id } = store.sessions.insert(
    { uuid: randomUUID(), state: 'done', tags: [], createdAt: START_MS, snapshot },
    plan.trials.map(({ index, cell, repeat }) => ({
      ...{ trial: index, cell, repeat, levels: {} },
      ...{ warmup: experiment.measure.warmup, duration: experiment.measure.duration },
    })),
  );
  const endedAt = START_MS + SECONDS * 1000;
  store.sessions.update(id, { startedAt: START_MS, endedAt });
  const [run] = store.runs.ofSession(id);
  if (!run) throw new Error('The session has no run.');
  for (const batch of batches(run.id, SECONDS, 4000)) store.samples.ingest(batch);
  const jobs = [{ host: 'host-1', jobId: randomUUID() }];
  store.runs.update(run.id, { state: 'done', exit: { code: 0 }, startedAt: START_MS, endedAt, jobs });
  store.samples.seal(run.id);
  return { session: id, run: run.id };
}

/** Each host in turn commits a minute, as all of them are monitored at the same time. */
function write(store: Store): Written {
  const added = addSession(store);
  const hosts = hostNames.map((name, position) => {
    const { id } = store.sources.ensure(added.session, { kind: 'host', name, position });
    store.sources.setAbout(id, { roles: [position === 0 ? 'generator' : 'server'], host: name });
    for (let t = WATCHED_START; t <= WATCHED_START + SECONDS; t += 3600)
      store.sources.addClock(id, { t, offsetMs: 3 + (position % 5) / 10, errorMs: 1 });
    return { id, host: new CountedHost(20 + position) };
  });
  const took = { ms: 0, cpuMs: 0 };
  const storing = (work: () => void): void => {
    const [began, before] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(before);
    took.ms += performance.now() - began;
    took.cpuMs += (user + system) / 1000;
  };
  for (let first = 0; first < SECONDS; first += ROWS)
    for (const { id, host } of hosts) {
      const rows = Array.from({ length: Math.min(ROWS, SECONDS - first) }, (_, index) => host.next(first + index));
      storing(() => store.relaxed(() => store.monitored.ingest({ sourceId: id, rows })));
    }
  for (const { id } of hosts) storing(() => store.monitored.seal(id));
  const [first] = monitoredSources(store, added.session, rulesOf);
  const counters = store.monitored.names(hosts[0]?.id ?? 0).length;
  return {
    ...{ session: added.session, hosts: HOSTS, counters, series: first?.series.length ?? 0, seconds: SECONDS },
    ...{ samples: HOSTS * counters * SECONDS, ...took, peakMiB: peakMiB() },
  };
}

const peakMiB = (): number => process.resourceUsage().maxRSS / 1024;

async function judge(store: Store): Promise<Judged> {
  const [run] = store.runs.ofSession(Number(session));
  if (!run) throw new Error('The session has no run.');
  const bare = await measured(() => decodeAll(store, run));
  const { result, ms, cpuMs, longestMs } = await measured(() =>
    cooperatively(judging(store, run, { facts: { hosts: [], load: [] }, rulesOf })),
  );
  if (!result) throw new Error('The run was not judged.');
  store.judgements.set(run.id, result.judgement);
  return { ms, cpuMs, longestMs, limitMs: bare.ms, peakMiB: peakMiB() };
}

/** The page's requests, in this order, when the session is opened and its Hosts tab viewed. */
const questions: Questions = (client, sessionId) => {
  const sources = () => client.monitors.sources({ sessionId });
  let known: ReturnType<typeof sources> | undefined;
  const lanes = async () => {
    known ??= sources();
    const all = (await known).flatMap(({ id, series }) => series.map((each) => ({ sourceId: id, ids: [each.id] })));
    return all.filter((_, index) => index % Math.ceil(all.length / SEEN) === 0);
  };
  const seen = async (count: number, part: { from?: number; to?: number } = {}) =>
    Promise.all(
      (await lanes())
        .slice(0, count)
        .map((lane) => client.monitors.series({ sessionId, wanted: [lane], points: POINTS, ...part })),
    );
  const ofHost = async () => {
    known ??= sources();
    return (await known).slice(0, 1).map(({ id, series }) => ({ sourceId: id, ids: series.map((each) => each.id) }));
  };
  const tenth = { from: START_MS + SECONDS * 500, to: START_MS + SECONDS * 600 };
  const ofTool = async () => {
    const runs = await client.sessions.runs({ id: sessionId });
    return client.results.stretches({ groups: runs.map(({ id }) => [id]), metric: 'tps', points: 600 });
  };
  return [
    ['Overview', () => client.results.session({ sessionId })],
    ['Timeline', ofTool],
    ['Hosts: what was watched', sources],
    ['Hosts: one lane', () => seen(1)],
    [`Hosts: the first ${SEEN} lanes, of as many hosts`, () => seen(SEEN)],
    ['Hosts: a tenth of their time', () => seen(SEEN, tenth)],
    ['Hosts: limits in the lanes', () => client.monitors.limits({ sessionId })],
    [
      'All series of a host at once',
      async () => client.monitors.series({ sessionId, wanted: await ofHost(), points: POINTS }),
    ],
  ];
};

function bareChunks(): number {
  const db = new Database(path.join(dataDir, LIBRARY_FILE), { readonly: true });
  try {
    const select = db.prepare<[], { data: Buffer }>(
      `SELECT data FROM chunk WHERE metric_id = (SELECT id FROM metric WHERE name = 'cpu.user') ORDER BY feed_id, first`,
    );
    const began = performance.now();
    let bytes = 0;
    for (const { data } of select.iterate()) bytes += data.length;
    if (bytes === 0) throw new Error('There are no chunks.');
    return performance.now() - began;
  } finally {
    db.close();
  }
}

async function withStore<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
  const store = openStore(dataDir, { mode: 'test' });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

async function open(): Promise<Opened> {
  const limitMs = bareChunks();
  const answers = await askEngine(dataDir, Number(session), questions);
  return { answers, limitMs, peakMiB: peakMiB() };
}

const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  write: () => withStore(write),
  judge: () => withStore(judge),
  ahead: async () => ({ ...(await untilDone(dataDir)), peakMiB: peakMiB() }),
  open,
};
process.stdout.write(JSON.stringify(await STEPS[stepName]?.()));

import { setImmediate as nextTurn } from 'node:timers/promises';
import { rulesOf } from '../src/main/engine/api/monitors.ts';
import { cooperatively } from '../src/main/engine/figures/index.ts';
import { judging, readEvidence } from '../src/main/engine/judging/index.ts';
import type { RunRow, Source, Store } from '../src/main/engine/store/store.ts';
import { ComparedRuns, seriesDifferences } from '../src/shared/analysis/index.ts';
import { addRun, freshLibrary } from './library.ts';
import type { BenchRow } from './row.ts';
import { START, storeSeconds } from './watched-session.ts';
import { WatchedText } from './watched-text.ts';

const HOSTS = Number(process.env.BENCH_HOSTS ?? 20);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 36_000);
const ROWS_PER_BATCH = 1000;
/** A dip of some seconds every half hour: for each, all series are examined. */
const DIP = { every: 1800, seconds: 5 };
const MIB = 2 ** 20;

/** Judging a ten-hour run with twenty monitored hosts: how long it blocks the rest of the engine, and its memory. */
export async function run(): Promise<BenchRow[]> {
  const { store, remove } = freshLibrary();
  try {
    const run = longRun(store);
    const { many, values } = watchedHosts(store, run);
    const facts = { hosts: [], load: [] };
    const bare = await measured(async () => decodeAll(many, run));
    const judged = await measured(() => cooperatively(judging(many, run, { facts, rulesOf })));
    if (!judged.result) throw new Error('The run was not judged.');
    const what = `${HOSTS} hosts × ${values.toLocaleString('en-US')} counters × ${SECONDS.toLocaleString('en-US')} s`;
    return [
      {
        name: `Judging a run of ${what}`,
        value: judged.ms,
        unit: 'ms',
        limit: bare.ms,
        ratio: judged.ms / bare.ms,
        note: 'limit: its stored counters read one after the other',
      },
      { name: 'The same, CPU', value: judged.cpuMs, unit: 'ms', limit: bare.cpuMs, ratio: judged.cpuMs / bare.cpuMs },
      { name: 'Longest time in which nothing else is done', value: judged.longestMs, unit: 'ms', goal: '≤ 100 ms' },
      { name: 'Memory above that before it, at most', value: judged.peakMib, unit: 'MiB', goal: '≤ 300 MiB' },
      await differencesRow(many, run),
    ];
  } finally {
    remove();
  }
}

function longRun(store: Store): RunRow {
  const id = addRun(store);
  const samples = Array.from({ length: SECONDS }, (_, second) => ({
    t: second + 1,
    metrics: { tps: second % DIP.every >= DIP.every - DIP.seconds ? 100 : 1000 + (second % 17) },
  }));
  for (let first = 0; first < SECONDS; first += ROWS_PER_BATCH)
    store.samples.ingest({
      ...{ runId: id, generator: 0, stream: 'stdout', offset: first },
      bytes: new Uint8Array(ROWS_PER_BATCH),
      samples: samples.slice(first, first + ROWS_PER_BATCH),
    });
  store.samples.seal(id);
  const [startedAt, endedAt] = [START * 1000, (START + SECONDS) * 1000];
  return store.runs.update(id, { state: 'done', duration: SECONDS, startedAt, endedAt, exit: { code: 0 } });
}

/** One host is stored, and read as many times as there are hosts: each of its counters is decoded from the library again. */
function watchedHosts(store: Store, { sessionId }: RunRow): { many: Store; values: number } {
  const source = store.sources.ensure(sessionId, { kind: 'host', name: 'host-1', position: 0 });
  store.sources.setAbout(source.id, { roles: ['server'] });
  storeSeconds(store, source.id, new WatchedText(7), START, SECONDS);
  store.monitored.seal(source.id);
  const copies = Array.from(
    { length: HOSTS },
    (_, position): Source => ({ ...source, name: `host-${position + 1}`, position, about: { roles: ['server'] } }),
  );
  const many = { ...store, sources: { ...store.sources, ofSession: () => copies } };
  return { many, values: store.monitored.names(source.id).length };
}

/** Limit: every stored counter, one after the other. */
export async function decodeAll(store: Store, { sessionId }: Pick<RunRow, 'sessionId'>): Promise<void> {
  for (const { id } of store.sources.ofSession(sessionId))
    for (const name of store.monitored.names(id)) {
      store.monitored.columns(id, [name]);
      await nextTurn();
    }
}

interface Took<T> {
  result: T;
  ms: number;
  cpuMs: number;
  /** Between two turns of the event loop. */
  longestMs: number;
  peakMib: number;
}

export async function measured<T>(work: () => Promise<T>): Promise<Took<T>> {
  globalThis.gc?.();
  const [before, cpu, began] = [process.memoryUsage().rss, process.cpuUsage(), performance.now()];
  let [last, longestMs, peak, isOver] = [began, 0, before, false];
  const watching = async (): Promise<void> => {
    while (!isOver) {
      await nextTurn();
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      peak = Math.max(peak, process.memoryUsage.rss());
      last = performance.now();
    }
  };
  const watched = watching();
  const result = await work();
  isOver = true;
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  await watched;
  return { result, ms, cpuMs: (user + system) / 1000, longestMs, peakMib: (peak - before) / MIB };
}

/** Hosts with different names on each side: every series looks for the only one of its rule. */
async function differencesRow(store: Store, run: RunRow): Promise<BenchRow> {
  const evidence = await cooperatively(readEvidence(store, run, { facts: { hosts: [], load: [] }, rulesOf }));
  if (!evidence) throw new Error('There is no evidence.');
  const [one, other] = [new ComparedRuns(), new ComparedRuns()];
  one.add(evidence);
  other.add({ ...evidence, hosts: evidence.hosts.map((host) => ({ ...host, name: `other-${host.name}` })) });
  const began = performance.now();
  seriesDifferences(one, other);
  const series = evidence.hosts.reduce((sum, host) => sum + host.series.length, 0);
  return {
    name: `Differences between ${series.toLocaleString('en-US')} series of hosts with other names`,
    value: performance.now() - began,
    unit: 'ms',
  };
}

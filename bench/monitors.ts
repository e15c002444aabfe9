import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'better-sqlite3';
import type { ApiContext } from '../src/main/engine/api/context.ts';
import { monitorsApi, rulesOf } from '../src/main/engine/api/monitors.ts';
import type { FakeJob } from '../src/main/engine/jobs/testing/fake-job.ts';
import { hostMonitor } from '../src/main/engine/monitors/index.ts';
import type { MonitorRow } from '../src/main/engine/monitors/monitor.ts';
import { monitoredSeries, monitoredSources } from '../src/main/engine/results/index.ts';
import { SessionBed } from '../src/main/engine/runs/testing/session-bed.ts';
import { LIBRARY_FILE } from '../src/main/engine/store/open.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import { addRuns, withLibrary } from './library.ts';
import { type BenchRow, median } from './row.ts';
import { WatchedText } from './watched-text.ts';

const START = 1_700_000_000;
const HOSTS = 20;
const WARM_UP_S = 5;
const MEASURED_S = Number(process.env.BENCH_SECONDS ?? 30);
const EARLIER_S = [0, 3600] as const;
const TEN_HOURS_S = 36_000;
const POINTS = 1000;
const ROUNDS = 5;

/** What watching costs the engine: following, parsing and storing, a live page, memory over hours, and what is stored. */
export async function run(): Promise<BenchRow[]> {
  const live: BenchRow[] = [];
  const limit = await bareCommits();
  for (const earlier of EARLIER_S) live.push(await liveRow(earlier, limit));
  return [...live, ...storedRows(), ...(await memoryRows())];
}

const documentOf = (hosts: readonly string[]): string => `kneepoint: 1
name: Watched
workload: { tool: fake }
where: { generators: [${hosts[0]}] }
measure: { duration: 36000 }
monitors: { hosts: [${hosts.slice(1).join(', ')}] }
`;

/** A session that watches these hosts, all of them in this process, with a page that looks at it. `now`: of the page, milliseconds. */
async function watchedSession(count: number, now: () => number) {
  const hosts = Array.from({ length: count }, (_, index) => `host-${index + 1}`);
  const bed = new SessionBed(hosts);
  bed.monitors = { host: hostMonitor };
  bed.crash();
  const id = await bed.startText(documentOf(hosts));
  const isMonitor = ({ spec }: FakeJob): boolean => spec.argv.includes('@pace.sh@');
  const monitors = (): FakeJob[] => bed.jobs.all.filter(isMonitor);
  while (monitors().length < count) await delay(5);
  const page = new AbortController();
  const { store, sessions } = bed;
  return {
    store,
    id,
    jobs: monitors().sort((one, other) => hosts.indexOf(one.machine.name) - hosts.indexOf(other.machine.name)),
    sources: store.sources.ofSession(id).filter(({ kind }) => kind === 'host'),
    /** Counts the values that the page is told. */
    look(told: (values: number) => void): void {
      const watch = monitorsApi({ store, sessions, now } as unknown as ApiContext).watch({ id, seconds: 600 }, {
        signal: page.signal,
      } as Parameters<ReturnType<typeof monitorsApi>['watch']>[1]);
      void (async () => {
        for await (const news of watch) told(news.reduce((sum, { v }) => sum + v.length, 0));
      })();
    },
    async close(): Promise<void> {
      page.abort();
      await bed.sessions.close();
      bed.close();
    },
  };
}

/** The rows of so many seconds, as the collector's parser reads them. */
function* rowsOf(text: WatchedText, from: number, seconds: number): Generator<MonitorRow> {
  const parser = hostMonitor({ processes: [] }).parser();
  for (let second = 0; second < seconds; second += 1)
    for (const line of text.block(from + second).split('\n')) {
      const row = parser.line(line);
      if (row) yield row;
    }
}

function store(into: Store, sourceId: number, text: WatchedText, from: number, seconds: number): number {
  let rows: MonitorRow[] = [];
  let values = 0;
  const flush = (): void => {
    into.monitored.ingest({ sourceId, rows });
    rows = [];
  };
  for (const row of rowsOf(text, from, seconds)) {
    rows.push(row);
    values += Object.keys(row.metrics).length;
    if (rows.length === 1000) flush();
  }
  if (rows.length > 0) flush();
  return values;
}

/** CPU of this process, percent of one core, while each host prints a second's figures each second. `earlier`: seconds stored before. */
async function liveRow(earlier: number, limit: number): Promise<BenchRow> {
  const texts = Array.from({ length: HOSTS }, (_, index) => new WatchedText(index + 1));
  let second = START + earlier;
  const session = await watchedSession(HOSTS, () => second * 1000);
  try {
    const { jobs, sources } = session;
    if (earlier > 0)
      for (const [index, text] of texts.entries()) store(session.store, sources[index]?.id ?? 0, text, START, earlier);
    const blocks = Array.from({ length: WARM_UP_S + MEASURED_S }, (_, index) =>
      texts.map((text) => text.block(START + earlier + index)),
    );
    let told = 0;
    session.look((values) => {
      told += values;
    });
    const { cpu } = await eachSecond((index) => {
      second += 1;
      for (const [host, job] of jobs.entries()) job.print(blocks[index]?.[host] ?? '');
    });
    await delay(1500);
    const [first] = sources;
    const { samples } = session.store.monitored.extent(first?.id ?? 0);
    if (samples !== earlier + WARM_UP_S + MEASURED_S) throw new Error(`${samples} samples of the first host came.`);
    if (told === 0) throw new Error('The page was told nothing.');
    const names = session.store.monitored.names(first?.id ?? 0).length;
    return {
      name: `Engine CPU, ${HOSTS} hosts of ${names} counters each second, ${earlier === 0 ? 'at the start' : 'after an hour'}`,
      value: cpu,
      unit: '% of one core',
      limit,
      ratio: cpu / limit,
      note: 'parser, store and one live page, hosts in this process; limit: a bare commit of each block',
    };
  } finally {
    await session.close();
  }
}

async function eachSecond(tick: (index: number) => void): Promise<{ cpu: number }> {
  let before = process.cpuUsage();
  const began = performance.now();
  let from = began;
  for (let index = 0; index < WARM_UP_S + MEASURED_S; index += 1) {
    if (index === WARM_UP_S) {
      before = process.cpuUsage();
      from = performance.now();
    }
    tick(index);
    await delay(Math.max(0, began + (index + 1) * 1000 - performance.now()));
  }
  const used = process.cpuUsage(before);
  return { cpu: (used.user + used.system) / 10 / (performance.now() - from) };
}

/** Limit: the text of each block and its place, in a commit of its own that does not wait for the disk. */
async function bareCommits(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(path.join(folder, 'bare.db'));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(
      'CREATE TABLE block (host INTEGER, t INTEGER, data BLOB, PRIMARY KEY (host, t)); CREATE TABLE place (host INTEGER PRIMARY KEY, bytes INTEGER)',
    );
    const block = db.prepare('INSERT INTO block VALUES (?, ?, ?)');
    const place = db.prepare('INSERT OR REPLACE INTO place VALUES (?, ?)');
    const commit = db.transaction((host: number, t: number, text: string) => {
      block.run(host, t, Buffer.from(text));
      place.run(host, text.length * t);
    });
    const texts = Array.from({ length: HOSTS }, (_, index) => new WatchedText(index + 1));
    const blocks = Array.from({ length: WARM_UP_S + MEASURED_S }, (_, index) =>
      texts.map((text) => text.block(START + index)),
    );
    const { cpu } = await eachSecond((index) => {
      for (const [host, text] of (blocks[index] ?? []).entries()) commit(host, index, text);
    });
    return cpu;
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A host of ten hours: bytes of a sealed sample, and the first chart of all of its series. */
function storedRows(): BenchRow[] {
  return withLibrary((library, dataDir) => {
    addRuns(library, 1);
    const sessionId = 1;
    const source = library.sources.ensure(sessionId, { kind: 'host', name: 'host-1', position: 0 });
    library.sources.setAbout(source.id, { roles: ['server'] });
    library.sources.addClock(source.id, { t: START, offsetMs: 3, errorMs: 1 });
    const values = store(library, source.id, new WatchedText(7), START, TEN_HOURS_S);
    library.monitored.seal(source.id);
    const [watched] = monitoredSources(library, sessionId, rulesOf);
    const ids = (watched?.series ?? []).map(({ id }) => id);
    const wanted = [{ sourceId: source.id, ids }];
    const chart = rounds(
      () => monitoredSeries(library, { sessionId, wanted, points: POINTS }, rulesOf).length === ids.length,
    );
    const bare = bareColumns(library.monitored.names(source.id).length);
    const bytes = sealedBytes(path.join(dataDir, LIBRARY_FILE)) / values;
    const name = `First chart of ${ids.length} series × ${TEN_HOURS_S.toLocaleString('en-US')} s, thinned to ${POINTS} points`;
    return [
      {
        name,
        value: chart.ms,
        unit: 'ms',
        limit: bare.ms,
        ratio: chart.ms / bare.ms,
        goal: '≤ 500 ms',
        note: 'limit: its counters as plain doubles in blobs, read alone',
      },
      { name: `${name}, CPU`, value: chart.cpuMs, unit: 'ms', limit: bare.cpuMs, ratio: chart.cpuMs / bare.cpuMs },
      {
        name: 'Sealed sample of a host on disk',
        value: bytes,
        unit: 'bytes',
        limit: 8,
        ratio: bytes / 8,
        goal: '≤ 2 bytes',
        note: 'limit: a plain double',
      },
    ];
  });
}

/** Medians. `work` says whether all came back. */
function rounds(work: () => boolean): { ms: number; cpuMs: number } {
  const found = Array.from({ length: ROUNDS }, () => {
    const [before, began] = [process.cpuUsage(), performance.now()];
    if (!work()) throw new Error('Not all of it came back.');
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - began, cpuMs: (user + system) / 1000 };
  });
  return { ms: median(found.map(({ ms }) => ms)), cpuMs: median(found.map(({ cpuMs }) => cpuMs)) };
}

const BLOB_ROWS = 1024;

function bareColumns(count: number): { ms: number; cpuMs: number } {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(path.join(folder, 'bare.db'));
  try {
    db.exec('CREATE TABLE chunk (metric INTEGER, first INTEGER, data BLOB, PRIMARY KEY (metric, first))');
    const insert = db.prepare('INSERT INTO chunk VALUES (?, ?, ?)');
    db.transaction(() => {
      for (let metric = 0; metric < count; metric += 1)
        for (let first = 0; first < TEN_HOURS_S; first += BLOB_ROWS) {
          const rows = Math.min(BLOB_ROWS, TEN_HOURS_S - first);
          insert.run(
            metric,
            first,
            Buffer.from(Float64Array.from({ length: rows }, (_, row) => first + row + metric / 7).buffer),
          );
        }
    })();
    const select = db.prepare<[number], { first: number; data: Buffer }>(
      'SELECT first, data FROM chunk WHERE metric = ? ORDER BY first',
    );
    return rounds(() => {
      for (let metric = 0; metric < count; metric += 1) {
        const bytes = new Uint8Array(new Float64Array(TEN_HOURS_S).buffer);
        for (const { first, data } of select.iterate(metric)) bytes.set(data, first * Float64Array.BYTES_PER_ELEMENT);
      }
      return true;
    });
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function sealedBytes(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    const names = ['chunk', 'sqlite_autoindex_chunk_1', 'tail', 'feed', 'feed_metric', 'metric'];
    const sum = db.prepare<string[], { bytes: number | null }>(
      `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN (${names.map(() => '?').join(', ')})`,
    );
    return sum.get(...names)?.bytes ?? 0;
  } finally {
    db.close();
  }
}

const SPEED = 600;
const MEMORY_HOSTS = 4;
const MEMORY_S = 7200;
/** Seconds printed at once: the fake host keeps each piece of output for ever, which is not the engine's memory. */
const PIECE_S = 10;
const LOOK_EVERY_S = 300;

/** Two hours of four hosts at six hundred times their speed: by how much the heap grows in an hour, after all garbage was collected. */
async function memoryRows(): Promise<BenchRow[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let second = START;
  const session = await watchedSession(MEMORY_HOSTS, () => second * 1000);
  try {
    const texts = Array.from({ length: MEMORY_HOSTS }, (_, index) => new WatchedText(index + 1));
    session.look(() => {});
    const looks: { hour: number; mib: number; rss: number }[] = [];
    const began = performance.now();
    for (let done = 0; done < MEMORY_S; done += PIECE_S) {
      for (const [host, job] of session.jobs.entries())
        job.print(Array.from({ length: PIECE_S }, (_, index) => texts[host]?.block(second + index) ?? '').join(''));
      second += PIECE_S;
      await delay(Math.max(1, began + ((done + PIECE_S) * 1000) / SPEED - performance.now()));
      if ((done + PIECE_S) % LOOK_EVERY_S !== 0) continue;
      collect();
      const { heapUsed, rss } = process.memoryUsage();
      looks.push({ hour: (done + PIECE_S) / 3600, mib: heapUsed / 2 ** 20, rss: rss / 2 ** 20 });
    }
    const { samples } = session.store.monitored.extent(session.sources[0]?.id ?? 0);
    if (samples < MEMORY_S - 2 * PIECE_S) throw new Error(`Only ${samples} of ${MEMORY_S} samples came.`);
    // Code is compiled and caches fill in the first half hour.
    const settled = looks.filter(({ hour }) => hour >= 0.5);
    const note = `${settled[0]?.mib.toFixed(1)} MiB after half an hour, ${settled.at(-1)?.mib.toFixed(1)} MiB after two; process ${settled.at(-1)?.rss.toFixed(0)} MiB`;
    return [
      {
        name: `Heap, ${MEMORY_HOSTS} hosts, growth in an hour`,
        value: slopeOf(settled),
        unit: 'MiB',
        goal: '≤ 1 MiB',
        note,
      },
    ];
  } finally {
    await session.close();
  }
}

/** Least squares, MiB per hour. */
function slopeOf(looks: readonly { hour: number; mib: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [hour, mib] = [mean(looks.map((look) => look.hour)), mean(looks.map((look) => look.mib))];
  const both = looks.reduce((sum, look) => sum + (look.hour - hour) * (look.mib - mib), 0);
  return both / looks.reduce((sum, look) => sum + (look.hour - hour) ** 2, 0);
}

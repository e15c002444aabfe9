import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { memoryRows } from './monitors-memory.ts';
import { storedRows } from './monitors-stored.ts';
import type { BenchRow } from './row.ts';
import { START, storeSeconds, watchedSession } from './watched-session.ts';
import { WatchedText } from './watched-text.ts';

const HOSTS = 20;
const WARM_UP_S = 5;
const MEASURED_S = Number(process.env.BENCH_SECONDS ?? 30);
const EARLIER_S = [0, 3600] as const;

/** Cost of monitoring in the engine: following, parsing and storing, a live page, memory over hours, and storage. */
export async function run(): Promise<BenchRow[]> {
  const live: BenchRow[] = [];
  const limit = await bareCommits();
  for (const earlier of EARLIER_S) live.push(await liveRow(earlier, limit));
  return [...live, ...storedRows(), ...(await memoryRows())];
}

/** CPU of this process, percent of one core, while each host prints a second's figures every second. `earlier`: seconds stored before. */
async function liveRow(earlier: number, limit: number): Promise<BenchRow> {
  const texts = Array.from({ length: HOSTS }, (_, index) => new WatchedText(index + 1));
  let second = START + earlier;
  const session = await watchedSession(HOSTS, () => second * 1000);
  try {
    const { jobs, sources } = session;
    if (earlier > 0)
      for (const [index, text] of texts.entries())
        storeSeconds(session.store, sources[index]?.id ?? 0, text, START, earlier);
    const blocks = Array.from({ length: WARM_UP_S + MEASURED_S }, (_, index) =>
      texts.map((text) => text.block(START + earlier + index)),
    );
    let sent = 0;
    session.look((values) => {
      sent += values;
    });
    const { cpu } = await eachSecond((index) => {
      second += 1;
      for (const [host, job] of jobs.entries()) job.print(blocks[index]?.[host] ?? '');
    });
    await delay(1500);
    const [first] = sources;
    const { samples } = session.store.monitored.extent(first?.id ?? 0);
    if (samples !== earlier + WARM_UP_S + MEASURED_S) throw new Error(`${samples} samples of the first host came.`);
    if (sent === 0) throw new Error('The page was told nothing.');
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

/** Limit: the text of each block and its offset, in a separate commit that does not wait for the disk. */
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

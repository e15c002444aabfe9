import type { Store } from '../src/main/engine/store/store.ts';
import { batches } from './library.ts';

export const HOSTS = 5;
export const SECONDS = 4000;
const START = 1_700_000_000_000;
const CORES = 16;
const DISKS = ['nvme0n1', 'nvme1n1'];
const ROWS_PER_BATCH = 1000;
const SEED = 20_261_123;
const MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];

/** Pseudo-random numbers from 0 to 1 with this seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Stores the seconds of a session's run, and of `HOSTS` hosts monitored during it. */
export function addWatched(store: Store, sessionId: number): void {
  const [run] = store.runs.ofSession(sessionId);
  if (!run) throw new Error('The session has no run.');
  for (const batch of batches(run.id, SECONDS, ROWS_PER_BATCH)) store.samples.ingest(batch);
  store.runs.update(run.id, { state: 'done', exit: { code: 0 }, startedAt: START, endedAt: START + SECONDS * 1000 });
  store.samples.seal(run.id);
  for (let host = 0; host < HOSTS; host += 1) {
    const { id } = store.sources.ensure(sessionId, { kind: 'host', name: `db${host + 1}`, position: host });
    store.sources.setAbout(id, { roles: [host === 0 ? 'generator' : 'server'], host: `db${host + 1}` });
    addHost(store, id, SEED + host);
    store.monitored.seal(id);
  }
  store.sessions.update(sessionId, { state: 'done', startedAt: START, endedAt: START + SECONDS * 1000 });
}

function addHost(store: Store, sourceId: number, seed: number): void {
  const random = randomFrom(seed);
  const counters: Record<string, number> = {};
  let rows: { t: number; metrics: Record<string, number> }[] = [];
  for (let second = 0; second <= SECONDS; second += 1) {
    grow(counters, random);
    rows.push({ t: START / 1000 + second, metrics: { ...counters } });
    if (rows.length < ROWS_PER_BATCH && second < SECONDS) continue;
    store.monitored.ingest({ sourceId, rows });
    rows = [];
  }
}

/** The counters of a host a second later, by its collector's names. */
function grow(counters: Record<string, number>, random: () => number): void {
  const add = (name: string, by: number): void => {
    counters[name] = (counters[name] ?? 0) + Math.round(by);
  };
  const set = (name: string, value: number): void => {
    counters[name] = Math.round(value);
  };
  for (const mode of MODES) add(`cpu.${mode}`, CORES * 12 * random());
  for (let core = 0; core < CORES; core += 1) for (const mode of MODES) add(`core.${core}.${mode}`, 12 * random());
  set('cpu.count', CORES);
  set('sys.running', 20 * random());
  set('sys.blocked', 4 * random());
  set('mem.total_kib', 64 * 1024 ** 2);
  set('mem.available_kib', (30 + random()) * 1024 ** 2);
  set('mem.cached_kib', (20 + random()) * 1024 ** 2);
  for (const what of ['cpu.some', 'io.some', 'memory.some']) add(`pressure.${what}_us`, 300_000 * random());
  for (const disk of DISKS) {
    for (const what of ['read', 'write']) {
      add(`disk.${disk}.${what}_ios`, 9000 * random());
      add(`disk.${disk}.${what}_sectors`, 200_000 * random());
      add(`disk.${disk}.${what}_ms`, 3000 * random());
    }
    add(`disk.${disk}.busy_ms`, 1000 * random());
  }
  add('net.eth0.rx_bytes', 9e8 * random());
  add('net.eth0.tx_bytes', 9e8 * random());
  set('net.eth0.speed_mbps', 10_000);
  for (const name of ['mariadbd', 'sysbench']) {
    add(`proc.${name}.user_ticks`, 900 * random());
    add(`proc.${name}.system_ticks`, 300 * random());
  }
}

import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { connect, durabilityOf, fieldNames, valueMaker } from './database.ts';
import { keyChooser, keyOf, type Random, randomOf } from './keys.ts';
import { kindChooser, MIXES, type Settings } from './settings.ts';
import {
  cellOf,
  commonClock,
  ERRORS,
  GO,
  LATENCY_MAX,
  LATENCY_MIN,
  LATENCY_SUM,
  NewKeys,
  STOP,
  type ThreadMemory,
} from './shared.ts';

/** One function per kind, in the order of `KINDS`. Each throws SQLite's error; `SQLITE_BUSY` leaves nothing half done. */
type Operations = readonly (() => void)[];

/** A record that must exist was missing: the database lost it, or this program has a bug. */
class RecordMissing extends Error {}

/**
 * The operations of YCSB's core workload: a read fetches all fields, an update writes one, a scan starts at a chosen key and fetches 1 …
 * max-scan-length records, a read-modify-write reads and updates the same record.
 */
function operationsOf(database: Database.Database, settings: Settings, random: Random, keys: NewKeys): Operations {
  const fields = fieldNames(settings);
  const choose = keyChooser(settings.distribution, settings.records, random);
  const value = valueMaker(random, settings.fieldLength);
  const select = database.prepare<[string]>('SELECT * FROM usertable WHERE ycsb_key = ?').raw();
  const updates = fields.map((name) =>
    database.prepare<[string, string]>(`UPDATE usertable SET ${name} = ? WHERE ycsb_key = ?`),
  );
  const insert = database.prepare(`INSERT INTO usertable VALUES (?${', ?'.repeat(fields.length)})`);
  const scan = database
    .prepare<[string, number]>('SELECT * FROM usertable WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT ?')
    .raw();

  const chosenKey = (): string => keyOf(choose(keys.count()));
  const read = (key: string): void => {
    if (select.get(key) === undefined) throw new RecordMissing(`Record ${key} is not in the table.`);
  };
  const update = (key: string): void => {
    const { changes } = updates[Math.floor(random() * updates.length)]?.run(value(), key) ?? { changes: 0 };
    if (changes !== 1) throw new RecordMissing(`Record ${key} is not in the table.`);
  };
  return [
    () => read(chosenKey()),
    () => update(chosenKey()),
    () => {
      insert.run(keyOf(keys.take()), fields.map(value));
      keys.inserted();
    },
    () => {
      scan.all(chosenKey(), 1 + Math.floor(random() * settings.maxScanLength));
    },
    () => {
      const key = chosenKey();
      read(key);
      update(key);
    },
  ];
}

/** The input of a worker thread. */
export interface WorkerInput {
  thread: number;
  file: string;
  settings: Settings;
  control: Int32Array<SharedArrayBuffer>;
  start: Float64Array<SharedArrayBuffer>;
  memory: ThreadMemory;
}

/** Messages of a worker to the main thread. `ready`: its connection is open and its statements are prepared. `done`: its last operation completed. */
export type WorkerMessage =
  | { kind: 'ready'; durability: { journal: string; synchronous: string } }
  | { kind: 'done' }
  | { kind: 'failed'; code: string; message: string };

/** Typical lateness of a timer, milliseconds. The last part of a wait is spent polling the clock. */
const TIMER_SLACK = 0.2;

/**
 * With a rate, an operation due before the end still starts up to this much later, milliseconds, so that a thread that woke up late does not omit its
 * last operations. Shorter than the time that the last line waits for them. Beyond that, the load could not be sustained.
 */
const LATE_START = 100;

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError &&
  (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED'));

function record(memory: ThreadMemory, kind: number, milliseconds: number): void {
  const { counters, histogram } = memory;
  const nanoseconds = milliseconds * 1e6;
  const cell = cellOf(nanoseconds);
  histogram[cell] = (histogram[cell] ?? 0) + 1;
  counters[LATENCY_SUM] = (counters[LATENCY_SUM] ?? 0) + nanoseconds;
  const least = counters[LATENCY_MIN] ?? 0;
  if (least === 0 || nanoseconds < least) counters[LATENCY_MIN] = nanoseconds;
  if (nanoseconds > (counters[LATENCY_MAX] ?? 0)) counters[LATENCY_MAX] = nanoseconds;
  counters[kind] = (counters[kind] ?? 0) + 1;
}

/**
 * With a rate, operations are due at fixed times regardless of how long earlier ones took, and latency counts from the due time: operations delayed
 * by a stall count as slow instead of not being issued.
 */
function run(input: WorkerInput, operations: Operations): void {
  const { control, settings, memory, thread } = input;
  const choose = kindChooser(MIXES[settings.mix]);
  const random = randomOf(settings.seed, 1000 + thread);
  const clock = commonClock();
  const start = input.start[0] ?? 0;
  const deadline = start + settings.duration * 1000;
  const step = settings.rate > 0 ? (settings.threads * 1000) / settings.rate : 0;
  const lastStart = step > 0 ? deadline + LATE_START : deadline;
  for (let turn = 0; Atomics.load(control, STOP) === 0; turn += 1) {
    let from = clock();
    if (step > 0) {
      const due = start + (thread / settings.threads + turn) * step;
      if (due >= deadline) return;
      while (from < due) {
        if (due - from > TIMER_SLACK) Atomics.wait(control, STOP, 0, due - from - TIMER_SLACK);
        if (Atomics.load(control, STOP) !== 0) return;
        from = clock();
      }
      from = due;
    }
    if (clock() >= lastStart) return;
    const kind = choose(random());
    try {
      operations[kind]?.();
      record(memory, kind, clock() - from);
    } catch (error) {
      if (!isBusy(error)) throw error;
      memory.counters[ERRORS] = (memory.counters[ERRORS] ?? 0) + 1;
    }
  }
}

function main(input: WorkerInput, send: (message: WorkerMessage) => void): void {
  let database: Database.Database | undefined;
  try {
    database = connect(input.file, input.settings);
    const keys = new NewKeys(input.control, input.thread);
    const operations = operationsOf(database, input.settings, randomOf(input.settings.seed, input.thread), keys);
    send({ kind: 'ready', durability: durabilityOf(database) });
    Atomics.wait(input.control, GO, 0);
    run(input, operations);
    send({ kind: 'done' });
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : 'failed';
    send({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  } finally {
    database?.close();
  }
}

if (parentPort) {
  const port = parentPort;
  main(workerData as WorkerInput, (message) => port.postMessage(message));
}

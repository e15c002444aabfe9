import { existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { load } from './database.ts';
import type { Line, SummaryLine } from './lines.ts';
import { Report } from './report.ts';
import { type Settings, SettingsError, settingsOf } from './settings.ts';
import { commonClock, GO, type SharedMemory, STOP, sharedMemory } from './shared.ts';
import type { WorkerInput, WorkerMessage } from './worker.ts';

/*
 * Benchmarks SQLite on this machine. Loads its table, then runs each thread on its own connection. Exit codes: 0 the run is complete; 1 it failed;
 * 2 invalid command line; 143 stopped by a signal (the summary is written anyway).
 */

interface Failure {
  code: string;
  message: string;
}
interface Durability {
  journal: string;
  synchronous: string;
}

/** The worker threads of a run. */
interface Team {
  /** Resolves with the durability of the connections when all are open; undefined if one failed. */
  ready: Promise<Durability | undefined>;
  /** Resolves when the last operation of every thread has completed. */
  done: Promise<void>;
  /** Resolves when every thread has closed its connection and exited. */
  gone: Promise<void>;
  failures: readonly Failure[];
  go(): void;
  stop(): void;
}

const each = <Value>(
  count: number,
  settled: (index: number, resolve: (value: Value) => void) => void,
): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => new Promise<Value>((resolve) => settled(index, resolve))));

/** Starts one thread per connection. If one fails, the others are stopped. */
function teamOf(file: string, settings: Settings, memory: SharedMemory): Team {
  const { control, start } = memory;
  const failures: Failure[] = [];
  const release = (): void => {
    Atomics.store(control, GO, 1);
    Atomics.notify(control, GO);
  };
  const stop = (): void => {
    Atomics.store(control, STOP, 1);
    Atomics.notify(control, STOP);
    release();
  };
  const fail = (failure: Failure): void => {
    failures.push(failure);
    stop();
  };
  const workers = memory.threads.map((thread, index) => {
    const workerData: WorkerInput = { thread: index, file, settings, control, start, memory: thread };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
    worker.on('error', (error) =>
      fail({ code: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
    return worker;
  });
  const ready = each<Durability | undefined>(workers.length, (index, resolve) => {
    workers[index]?.on('message', (message: WorkerMessage) =>
      resolve(message.kind === 'ready' ? message.durability : undefined),
    );
    workers[index]?.once('exit', () => resolve(undefined));
  });
  const done = each<void>(workers.length, (index, resolve) => {
    workers[index]?.on('message', (message: WorkerMessage) => {
      if (message.kind === 'failed') fail(message);
      if (message.kind !== 'ready') resolve();
    });
    workers[index]?.once('exit', () => resolve());
  });
  const gone = each<void>(workers.length, (index, resolve) => workers[index]?.once('exit', () => resolve()));
  return {
    ready: ready.then((all) => (all.includes(undefined) ? undefined : all[0])),
    done: done.then(() => undefined),
    gone: gone.then(() => undefined),
    failures,
    go: release,
    stop,
  };
}

interface MeasureInput {
  report: Report;
  /** Start on `clock`, milliseconds. */
  start: number;
  /** Seconds. */
  duration: number;
  clock(): number;
  write(line: Line): void;
  /** Resolves when no more operations will follow. */
  done: Promise<void>;
  /** Whether it ends as soon as `done` resolves (stopped, failed) or waits for its planned end. */
  early(): boolean;
}

/** Milliseconds for the last operations of a run to complete before its last line is written. */
const GRACE = 200;

const rounded = (seconds: number): number => Number(seconds.toFixed(3));

/**
 * Writes one line per second on a fixed grid: a late line does not delay the next one. Continues after the planned end while operations hang. Returns
 * the covered seconds, which are the sum of those of the lines.
 */
async function measure(input: MeasureInput): Promise<number> {
  const { report, start, duration, clock, write } = input;
  const elapsed = (): number => (clock() - start) / 1000;
  let timer: NodeJS.Timeout | undefined;
  const at = (seconds: number): Promise<'time'> =>
    new Promise((resolve) => {
      timer = setTimeout(() => resolve('time'), Math.max(0, start + seconds * 1000 - clock()));
    });
  const over = input.done.then(async () => {
    if (!input.early() && elapsed() < duration) await at(duration);
    return 'over' as const;
  });
  let covered = 0;
  const emit = (t: number): void => {
    if (elapsed() <= covered) return;
    const line = report.interval(rounded(t), () => {
      const before = covered;
      covered = elapsed();
      return Number((covered - before).toFixed(6));
    });
    write(line);
  };
  for (let second = 1; ; second += 1) {
    const due = second >= duration && second < duration + 1 ? duration : second;
    const woken = await Promise.race([over, at(due === duration ? due + GRACE / 1000 : due)]);
    if (woken === 'over') {
      clearTimeout(timer);
      emit(!input.early() && covered < duration ? duration : elapsed());
      return Number(covered.toFixed(6));
    }
    emit(due);
  }
}

/** Magic numbers of in-memory file systems (linux/magic.h). */
const IN_MEMORY = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

/** The location of a run's database. */
interface Place {
  directory: string;
  file: string;
  /** Name of a file system that loses all data in a power cut. */
  inMemory: string | undefined;
  /** Bytes of the database, including its write-ahead log. */
  bytes(): number;
  remove(): void;
}

/** A temporary folder inside the given one, removed with all its content. A file given by name is kept. */
function placeOf(settings: Settings): Place {
  const own = settings.file === undefined;
  const directory = own
    ? mkdtempSync(join(resolve(settings.directory), 'kneepoint-sqlite-'))
    : dirname(resolve(settings.file ?? ''));
  const file = own ? join(directory, 'usertable.db') : resolve(settings.file ?? '');
  return {
    directory,
    file,
    inMemory: process.platform === 'linux' ? IN_MEMORY.get(statfsSync(directory).type) : undefined,
    bytes: () =>
      [file, `${file}-wal`].filter((path) => existsSync(path)).reduce((sum, path) => sum + statSync(path).size, 0),
    remove: () => {
      if (own) rmSync(directory, { recursive: true, force: true });
    },
  };
}

const STOPPED = 143;
const LOAD_LINE_EVERY = 1000;

const write = (line: Line): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Reports a signal that requests the program to end. */
function stopSignal(): { wanted(): boolean; when(action: () => void): void } {
  const actions: (() => void)[] = [];
  let wanted = false;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      wanted = true;
      for (const action of actions) action();
    });
  }
  return { wanted: () => wanted, when: (action) => actions.push(action) };
}

function warnings(place: Place, settings: Settings): void {
  if (place.inMemory === undefined) return;
  write({
    kind: 'warning',
    code: 'database-in-memory',
    message: `${place.directory} is a ${place.inMemory}: it is in memory, so synchronous = ${settings.synchronous} writes to no disk and durability has no meaning.`,
    next: 'Use a folder on a disk to measure durability.',
  });
}

async function fill(place: Place, settings: Settings, stopped: () => boolean): Promise<boolean> {
  const clock = commonClock();
  let lastReport = clock();
  const reportLoad = (rows: number): void => write({ kind: 'load', rows, of: settings.records });
  const complete = await load(place.file, settings, async (rows) => {
    if (clock() - lastReport >= LOAD_LINE_EVERY) {
      reportLoad(rows);
      lastReport = clock();
    }
    await new Promise((resolve) => setImmediate(resolve));
    return !stopped();
  });
  if (complete) reportLoad(settings.records);
  return complete;
}

const sqliteVersion = (): string => {
  const database = new Database(':memory:');
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get());
  database.close();
  return version;
};

async function benchmark(place: Place, settings: Settings): Promise<number> {
  const clock = commonClock();
  const stop = stopSignal();
  warnings(place, settings);
  const memory = sharedMemory(settings.threads, settings.records);
  const report = new Report(memory.threads, settings.mix);
  const finish = (ended: SummaryLine['ended'], seconds: number): void =>
    write(report.summary(ended, seconds, place.bytes()));

  const before = clock();
  if (!(await fill(place, settings, stop.wanted))) {
    finish('stopped', 0);
    return STOPPED;
  }
  const loadSeconds = Number(((clock() - before) / 1000).toFixed(3));

  const team = teamOf(place.file, settings, memory);
  stop.when(team.stop);
  if (stop.wanted()) team.stop();
  const durability = await team.ready;
  let seconds = 0;
  if (durability) {
    const { mix, distribution, records, threads } = settings;
    const facts = { sqlite: sqliteVersion(), mix, distribution, records, threads, directory: place.directory };
    write({ kind: 'start', version: 1, ...facts, ...durability, loadSeconds, databaseBytes: place.bytes() });
    const start = clock();
    memory.start[0] = start;
    team.go();
    const early = (): boolean => stop.wanted() || team.failures.length > 0;
    seconds = await measure({ report, start, duration: settings.duration, clock, write, done: team.done, early });
  }
  await team.gone;
  for (const failure of team.failures) write({ kind: 'error', ...failure });
  const failed = team.failures.length > 0;
  const stopped = stop.wanted() && seconds < settings.duration;
  finish(failed ? 'failed' : stopped ? 'stopped' : 'complete', seconds);
  return failed ? 1 : stopped ? STOPPED : 0;
}

async function main(): Promise<number> {
  let place: Place | undefined;
  try {
    const settings = settingsOf(process.argv.slice(2), process.cwd());
    place = placeOf(settings);
    return await benchmark(place, settings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    if (error instanceof SettingsError) return 2;
    write({ kind: 'error', code: error instanceof Database.SqliteError ? error.code : 'failed', message });
    return 1;
  } finally {
    place?.remove();
  }
}

process.exitCode = await main();

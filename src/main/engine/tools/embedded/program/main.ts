import Database from 'better-sqlite3';
import { load } from './database.ts';
import type { Line, SummaryLine } from './lines.ts';
import { measure } from './measure.ts';
import { type Place, placeOf } from './place.ts';
import { Report } from './report.ts';
import { type Settings, SettingsError, settingsOf } from './settings.ts';
import { commonClock, sharedMemory } from './shared.ts';
import { teamOf } from './team.ts';

/*
 * Benchmarks SQLite on this machine. Loads its table, then lets each thread work with its own connection. Exit codes: 0 the run
 * is complete; 1 it failed; 2 the command line is wrong; 143 it was stopped by a signal (its summary is written all the same).
 */

const STOPPED = 143;
const LOAD_LINE_EVERY = 1000;

const write = (line: Line): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Settles when a person or the machine wants the program to end. */
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
    message: `${place.directory} is a ${place.inMemory}: it lives in memory, so synchronous = ${settings.synchronous} writes to no disk and durability means nothing here.`,
    next: 'Give a directory on a real disk to measure durability.',
  });
}

async function fill(place: Place, settings: Settings, stopped: () => boolean): Promise<boolean> {
  const clock = commonClock();
  let told = clock();
  const say = (rows: number): void => write({ kind: 'load', rows, of: settings.records });
  const complete = await load(place.file, settings, async (rows) => {
    if (clock() - told >= LOAD_LINE_EVERY) {
      say(rows);
      told = clock();
    }
    await new Promise((resolve) => setImmediate(resolve));
    return !stopped();
  });
  if (complete) say(settings.records);
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

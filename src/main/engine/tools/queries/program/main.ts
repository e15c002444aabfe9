import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from './connect.ts';
import { type Driver, Interruptible } from './driver.ts';
import type { Line } from './lines.ts';
import { Failed, failureOf, measure, send } from './measure.ts';
import { Settings } from './settings.ts';

/*
 * Sends queries to a server and measures their time. Its only argument is the settings file. Exit codes: 0 complete; 1 failed; 2 the settings cannot
 * be read; 143 stopped by a signal (objects created for the queries are removed anyway).
 */

const STOPPED = 143;
const CLOSING_MS = 5_000;

let executions = 0;
const write = (line: Line): void => {
  if (line.kind === 'execution') executions += 1;
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

let stopping = false;
/** Cancels running statements when this program is stopped: an abandoned query would disturb the next trial. */
function stoppedWithUs(drivers: readonly Driver[]): Interruptible[] {
  const senders = drivers.map(
    (driver) =>
      new Interruptible(driver, (error) => write(failureOf('the end of what the server was doing', error, false))),
  );
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => {
      stopping = true;
      for (const sender of senders) void sender.stop();
    });
  return senders;
}

/** Opens a connection for each client, one after the other. On failure, closes the open ones and throws `Failed`. */
async function connectAll(connection: Settings['connection'], clients: number): Promise<[Driver, ...Driver[]]> {
  const drivers: Driver[] = [];
  try {
    const first = await connect(connection);
    drivers.push(first);
    while (drivers.length < clients) drivers.push(await connect(connection));
    return [first, ...drivers.slice(1)];
  } catch (error) {
    await closeAll(drivers);
    throw new Failed(clients === 1 ? 'connecting' : `connecting client ${drivers.length + 1} of ${clients}`, error);
  }
}

const closeAll = (drivers: readonly Driver[]): Promise<unknown> =>
  Promise.race([
    Promise.all(drivers.map((driver) => driver.close().catch(() => undefined))),
    delay(CLOSING_MS, undefined, { ref: false }),
  ]);

async function work(settings: Settings): Promise<number> {
  const drivers = await connectAll(settings.connection, settings.step === 'run' ? (settings.clients ?? 1) : 1);
  const [driver] = drivers;
  const [sender, ...others] = stoppedWithUs(drivers) as [Interruptible, ...Interruptible[]];
  write({ kind: 'start', server: driver.server, encryption: driver.encryption });
  try {
    const ended =
      settings.step === 'run'
        ? await measure(driver, sender, settings, write, { others })
        : await send(sender, settings, write).then(() => 'complete' as const);
    write({ kind: 'summary', ended, executions });
    return ended === 'stopped' ? STOPPED : 0;
  } finally {
    await closeAll(drivers);
  }
}

async function main(): Promise<number> {
  let settings: Settings;
  try {
    settings = Settings.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
  } catch (error) {
    // The error's text may contain a password, so only its type is reported.
    process.stderr.write(`The settings cannot be read (${error instanceof Error ? error.name : 'unknown'}).\n`);
    return 2;
  }
  try {
    return await work(settings);
  } catch (error) {
    write(failureOf(error instanceof Failed ? error.doing : 'the run', error, true));
    write({ kind: 'summary', ended: stopping ? 'stopped' : 'failed', executions });
    return stopping ? STOPPED : 1;
  }
}

process.exitCode = await main();
// A connection that does not close, because its server is still busy with a cancelled statement, must not delay the exit.
setTimeout(() => process.exit(), CLOSING_MS).unref();

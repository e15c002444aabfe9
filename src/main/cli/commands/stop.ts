import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { STOP_REQUESTS } from '../../../shared/contract/sessions.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, printStatus } from '../terminal.ts';
import { type Common, type EngineClient, type OpenEngine, withEngine, withOpenEngine } from '../with-engine.ts';
import { followToEnd, printUnrestored } from './run.ts';

/** Milliseconds for the Kneepoint that has the library open to accept a request. */
const TAKEN_WITHIN_MS = 15_000;
const POLL_MS = 300;
/** Milliseconds for it to restore settings that an ended session had left changed. */
const RESTORE_MS = 70_000;

/** Ends a session and its jobs on hosts, and restores its changes there. If another Kneepoint has the library open, it is requested to do so. */
export async function stopCommand(id: string | undefined, options: Common): Promise<number> {
  const wanted = id === undefined ? undefined : idOf(id);
  try {
    return await withEngine(options, (engine) => stopHere(engine, wanted, options));
  } catch (error) {
    if (!(error instanceof KneepointError && error.code === 'store-busy')) throw error;
    return withOpenEngine(options, 'cli', (open) => stopThere(open, wanted, options), true);
  }
}

/** The number is required if several sessions have not ended. */
async function sessionToStop(engine: EngineClient, wanted: number | undefined): Promise<Session> {
  if (wanted !== undefined) return (await engine.sessions.get({ id: wanted })).session;
  const open = (await engine.sessions.list({})).filter(({ state }) => !ENDED_SESSION.includes(state));
  const [first] = open;
  if (!first) throw new UsageError('No session to stop: all have ended. List them with: kneepoint sessions');
  if (open.length === 1) return first;
  throw new UsageError(`Several sessions have not ended: name one of ${open.map(({ id }) => id).join(', ')}.`);
}

const isOver = ({ state }: Session): boolean => state === 'done' || state === 'stopped';

async function stopHere(engine: EngineClient, wanted: number | undefined, options: Common): Promise<number> {
  const session = await sessionToStop(engine, wanted);
  const { id } = session;
  if (isOver(session)) await engine.changes.putBack({ session: id });
  else {
    printStatus(`Stopping session ${id}: ${session.name}.`);
    await engine.sessions.stop({ id });
    if (!(await followToEnd(engine, id))) return EXIT.runFailed;
  }
  return showStopped(engine, id, options);
}

async function stopThere(
  { client, dataDir }: OpenEngine,
  wanted: number | undefined,
  options: Common,
): Promise<number> {
  const session = await sessionToStop(client, wanted);
  const { id } = session;
  const changed = async () => (await client.changes.list({})).filter((entry) => entry.session === id);
  if (!isOver(session) || (await changed()).length > 0) {
    printStatus(`Asking the Kneepoint process that has the library open to stop session ${id}: ${session.name}.`);
    await ask(dataDir, id);
    const end = performance.now() + RESTORE_MS;
    const isDone = async (): Promise<boolean> => {
      if (!isOver((await client.sessions.get({ id })).session)) return false;
      return !isOver(session) || (await changed()).length === 0 || performance.now() > end;
    };
    while (!(await isDone())) await delay(POLL_MS);
  }
  return showStopped(client, id, options);
}

async function ask(dataDir: string, id: number): Promise<void> {
  const folder = path.join(dataDir, STOP_REQUESTS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const request = path.join(folder, String(id));
  writeFileSync(request, '', { mode: 0o600 });
  for (const end = performance.now() + TAKEN_WITHIN_MS; existsSync(request); await delay(POLL_MS)) {
    if (performance.now() < end) continue;
    rmSync(request, { force: true });
    throw new KneepointError({
      code: 'store-busy',
      message: `The Kneepoint process that has the library ${dataDir} open did not accept the request to stop session ${id} within ${TAKEN_WITHIN_MS / 1000} s.`,
      session: id,
      safe: 'Nothing was changed.',
      next: 'Stop the session there. If that process hangs, end it, then run this command again.',
    });
  }
}

async function showStopped(engine: EngineClient, id: number, options: Common): Promise<number> {
  const { session } = await engine.sessions.get({ id });
  const unrestored = await printUnrestored(engine, id);
  if (options.json) printJson({ session, left: unrestored });
  else
    print(
      `Session ${id} is ${session.state}.${unrestored.length === 0 ? ' It left nothing behind on hosts and servers.' : ''}`,
    );
  return unrestored.length === 0 ? EXIT.done : EXIT.runFailed;
}

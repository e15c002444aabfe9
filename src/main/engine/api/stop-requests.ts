import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { STOP_REQUESTS } from '../../../shared/contract/sessions.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import { changedNow, putBack } from '../world/index.ts';
import type { ApiContext } from './context.ts';

const LOOK_EVERY_MS = 500;
const PUT_BACK_MS = 60_000;

/** Sees to sessions that “kneepoint stop” in another process asks to be stopped, until the returned function is called. */
export function takeStopRequests(context: ApiContext): () => void {
  const folder = path.join(context.outside.dataDir, STOP_REQUESTS);
  // Asked of an engine that is gone: whoever asked has not been answered.
  takeAll(folder);
  const timer = setInterval(() => {
    for (const id of takeAll(folder))
      stop(context, id).catch((error: unknown) =>
        context.outside.log.warn('a session could not be stopped', { session: id, message: problemOf(error).message }),
      );
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function takeAll(folder: string): number[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Nobody has asked for anything yet.
    return [];
  }
  return names.flatMap((name) => {
    rmSync(path.join(folder, name), { force: true, recursive: true });
    return /^[1-9]\d*$/.test(name) ? [Number(name)] : [];
  });
}

/** One that has ended puts back what its end could not. */
async function stop({ store, sessions, runs, events }: ApiContext, id: number): Promise<void> {
  const state = store.sessions.get(id)?.state;
  if (state === undefined) return;
  if (sessions.isActive(id) || (state !== 'done' && state !== 'stopped')) return sessions.stop(id);
  await putBack(runs, changedNow(store, id), { signal: AbortSignal.timeout(PUT_BACK_MS) });
  events.changed('hosts');
}

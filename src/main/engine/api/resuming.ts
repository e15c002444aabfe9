import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { STOP_REQUESTS } from '../../../shared/contract/sessions.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_SESSION } from '../../../shared/model/session.ts';
import type { SessionRow } from '../store/store.ts';
import { changedNow, restoreChanges } from '../world/index.ts';
import { type ApiContext, hostOwner, targetOwner } from './context.ts';

/**
 * Continues every session that was under way when the app ended, and fetches the last samples of those that had just ended. A session that needs a
 * password from a locked vault stays as it is.
 */
export function resumeInterrupted(context: ApiContext): void {
  for (const row of context.sessions.interrupted()) {
    if (waitsForVault(context, row)) {
      context.outside.log.info('a session waits for the vault to be unlocked', { session: row.id });
      continue;
    }
    context.outside.log.info('continuing a session that was under way', { session: row.id });
    context.sessions.continueInterrupted(row.id);
  }
  context.sessions.collectLeftovers();
}

/** Call once the vault is open: retries links that waited for a password, and continues the sessions that waited. */
export function resumeAfterUnlock(context: ApiContext, waiting: readonly number[]): void {
  for (const { spec } of context.store.hosts.list()) context.machines.retry(spec.name);
  context.sessions.wake();
  for (const id of waiting) {
    if (context.sessions.isActive(id)) continue;
    context.outside.log.info('the vault is open: continuing a session', { session: id });
    context.sessions.continueInterrupted(id);
  }
  context.sessions.collectLeftovers();
}

/** Sessions that continue by themselves when the vault is unlocked. */
export const waitingForVault = (context: ApiContext): number[] =>
  context.sessions
    .interrupted()
    .filter((row) => waitsForVault(context, row))
    .map((row) => row.id);

/** Whether a session that is not executed cannot be continued before the vault is unlocked. */
export function waitsForVault(context: Pick<ApiContext, 'store' | 'secrets' | 'sessions'>, row: SessionRow): boolean {
  if (ENDED_SESSION.includes(row.state) || context.sessions.isActive(row.id)) return false;
  return ownersOf(context, row).some((owner) => context.secrets.isLocked(owner));
}

/** Throws vault-locked if the session needs a password that cannot be read now. */
export function refuseWhileLocked(context: ApiContext, row: SessionRow): void {
  if (context.sessions.isActive(row.id)) return;
  if (!ownersOf(context, row).some((owner) => context.secrets.isLocked(owner))) return;
  throw new KneepointError({
    code: 'vault-locked',
    message: `Session ${row.id} needs passwords that are in the vault, and the vault is locked.`,
    session: row.id,
    safe: 'Jobs on hosts keep running, and everything recorded is stored.',
    next: 'Unlock the vault to continue it.',
  });
}

/** Owners of the secrets that the session needs: its targets, its generators, and the hosts on the way to all of them. */
function ownersOf(context: Pick<ApiContext, 'store'>, row: Pick<SessionRow, 'generators' | 'targets'>): string[] {
  const targets = row.targets.flatMap((name) => context.store.targets.byName(name) ?? []);
  const hosts = new Set<string>();
  const add = (name: string): void => {
    if (hosts.has(name)) return;
    hosts.add(name);
    const spec = context.store.hosts.byName(name)?.spec;
    if (spec?.kind === 'ssh') for (const jump of spec.jumps) add(jump);
  };
  for (const name of row.generators) add(name);
  for (const { spec } of targets) if (spec.via) add(spec.via);
  const owners = [...hosts].flatMap((name) => {
    const host = context.store.hosts.byName(name);
    return host ? [hostOwner(host.id)] : [];
  });
  return [...owners, ...targets.map(({ id }) => targetOwner(id))];
}

const POLL_MS = 500;
const RESTORE_MS = 60_000;

/** Stops sessions at the request of “kneepoint stop” in another process, until the returned function is called. */
export function takeStopRequests(context: ApiContext): () => void {
  const folder = path.join(context.outside.dataDir, STOP_REQUESTS);
  // Requests to an engine that is gone: their senders got no answer.
  takeAll(folder);
  const timer = setInterval(() => {
    for (const id of takeAll(folder))
      stop(context, id).catch((error: unknown) =>
        context.outside.log.warn('a session could not be stopped', { session: id, message: problemOf(error).message }),
      );
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function takeAll(folder: string): number[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // No requests yet.
    return [];
  }
  return names.flatMap((name) => {
    rmSync(path.join(folder, name), { force: true, recursive: true });
    return /^[1-9]\d*$/.test(name) ? [Number(name)] : [];
  });
}

/** For a session that has ended, restores what its end could not. */
async function stop({ store, sessions, runs, events }: ApiContext, id: number): Promise<void> {
  const state = store.sessions.get(id)?.state;
  if (state === undefined) return;
  if (sessions.isActive(id) || (state !== 'done' && state !== 'stopped')) return sessions.stop(id);
  await restoreChanges(runs, changedNow(store, id), { signal: AbortSignal.timeout(RESTORE_MS) });
  events.changed('hosts');
}

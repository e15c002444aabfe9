import { accessSync, constants, statfsSync } from 'node:fs';
import type { AppEvent } from '../../../shared/contract/app.ts';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { DoctorLine } from '../../../shared/model/app.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { describeProblem, type Problem, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_SESSION } from '../../../shared/model/session.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { PROTOCOL } from '../../../shared/rpc/wire.ts';
import type { Store } from '../store/store.ts';
import { changedNow } from '../world/index.ts';
import type { ApiContext } from './context.ts';
import { presentOrDamaged } from './damaged.ts';
import { leftBehind } from './left-behind.ts';
import { resumeAfterUnlock, waitingForVault } from './resuming.ts';
import { eachChange } from './watch-session.ts';

const SPACING_MS = 250;
const LOW_SPACE_BYTES = 1 << 30;

export function appApi(context: ApiContext): Implementation<AppContract['app']> {
  const { outside, store, secrets, events } = context;
  return {
    info: () => ({
      version: outside.version,
      mode: outside.mode,
      node: process.version,
      sqlite: store.sqliteVersion,
      pid: process.pid,
      dataDir: outside.dataDir,
      protocol: PROTOCOL,
      ...readOnlyPart(store),
    }),
    doctor: () => doctor(context),
    watch: (_input, { signal }) => watchApp(context, signal),
    secrets: () => secrets.status(),
    async unlockVault({ passphrase }) {
      const waiting = waitingForVault(context);
      await secrets.unlock(passphrase);
      if (outside.resumeSessions !== false && !store.readOnly()) resumeAfterUnlock(context, waiting);
      events.changed('secrets');
      return secrets.status();
    },
  };
}

async function* watchApp(context: ApiContext, signal: AbortSignal): AsyncGenerator<AppEvent> {
  const topics = new Set<Extract<AppEvent, { kind: 'changed' }>['topic']>();
  const moved = new Set<number>();
  const figured = new Set<number>();
  const { store, sessions, machines, events, overviews, figures } = context;
  for (const row of store.sessions.list(false).sessions) if (!ENDED_SESSION.includes(row.state)) moved.add(row.id);
  let links = true;
  const subscribe = (wake: () => void): (() => void) => {
    const ends = [
      events.listen((topic) => {
        topics.add(topic);
        wake();
      }),
      sessions.changes.watchAll((id) => {
        moved.add(id);
        wake();
      }),
      figures.listen((id) => {
        figured.add(id);
        wake();
      }),
      machines.onLinks(() => {
        links = true;
        wake();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  };
  // A change while an event is being read is reported again: each one is taken before it is sent, and sent as of then.
  for await (const _ of eachChange(subscribe, signal, SPACING_MS)) {
    if (links) {
      links = false;
      yield { kind: 'links', links: machines.links() };
    }
    for (const id of taken(moved)) {
      const row = store.sessions.get(id);
      if (row) yield { kind: 'session', session: presentOrDamaged(context, row) };
    }
    const updated = taken(figured).flatMap((id) => store.sessions.get(id) ?? []);
    if (updated.length > 0)
      yield {
        kind: 'figures',
        sessions: updated.map((row) => presentOrDamaged(context, row, () => overviews.kept(row))),
      };
    for (const topic of taken(topics)) yield { kind: 'changed', topic };
  }
}

function taken<T>(from: Set<T>): T[] {
  const all = [...from];
  from.clear();
  return all;
}

/** Checks that a user with a problem needs first. */
async function doctor(context: ApiContext): Promise<DoctorLine[]> {
  const { outside, store, secrets } = context;
  const space = statfsSync(outside.dataDir);
  const free = space.bavail * space.bsize;
  const keeper = secrets.status();
  return [
    {
      topic: 'Version',
      ok: true,
      message: `Kneepoint ${outside.version}, Node ${process.version}, SQLite ${store.sqliteVersion}`,
    },
    libraryLine(context),
    {
      topic: 'Disk space',
      ok: free > LOW_SPACE_BYTES,
      message: `${(free / 2 ** 30).toFixed(1)} GiB free for the library`,
      ...(free <= LOW_SPACE_BYTES && { next: 'Free space, or move the library with --data.' }),
    },
    { topic: 'Secrets', ok: keeper.keeper !== 'launch', message: keeper.message },
    ...leftBehindLines(context),
    ...changedLines(context),
    nodeLine(outside.nodePath),
    await shellLine(context),
  ];
}

const leftBehindLines = (context: ApiContext): DoctorLine[] =>
  leftBehind(context).map(({ host, what, since, message, next }) => ({
    topic: `Left behind on ${host}`,
    ok: false,
    message: `${what}${since === undefined ? '' : `, since ${new Date(since).toISOString()}`}.${message === undefined ? '' : ` ${message}`}`,
    next,
  }));

/** Changes left by sessions that are not under way. */
const changedLines = ({ store, sessions }: ApiContext): DoctorLine[] =>
  changedNow(store)
    .filter(({ sessionId }) => sessionId === null || !sessions.isActive(sessionId))
    .map(({ place, what, undo, wanted, sessionId, writtenAt }) => ({
      topic: `Changed on ${place.kind} ${place.name}`,
      ok: false,
      message: `${what} is ${wanted ?? 'unset'}, and was ${undo.first.value ?? 'unset'} before ${sessionId === null ? 'a session' : `session ${sessionId}`}, since ${new Date(writtenAt).toISOString()}.`,
      next: `Restore it: kneepoint restore${sessionId === null ? '' : ` ${sessionId}`}`,
    }));

const readOnlyPart = (store: Store): { readOnly?: Problem } => {
  const readOnly = store.readOnly();
  return readOnly ? { readOnly } : {};
};

function libraryLine({ outside, store }: ApiContext): DoctorLine {
  const readOnly = store.readOnly();
  if (!readOnly) return { topic: 'Library', ok: true, message: `${outside.dataDir}, open and checked` };
  // With another engine on the library, all is well.
  return { topic: 'Library', ok: readOnly.code === 'store-busy', message: describeProblem(readOnly) };
}

function nodeLine(nodePath: string): DoctorLine {
  try {
    accessSync(nodePath, constants.X_OK);
    return { topic: 'Embedded benchmark', ok: true, message: `runs with ${nodePath}` };
  } catch (error) {
    return {
      topic: 'Embedded benchmark',
      ok: false,
      message: problemOf(error).message,
      next: 'Install Node 24 or newer.',
    };
  }
}

async function shellLine(context: ApiContext): Promise<DoctorLine> {
  try {
    await context.machines.get(LOCAL_HOST_NAME).exec('exit 0', { timeoutMs: 10_000 });
    return { topic: 'Local jobs', ok: true, message: 'POSIX shell found' };
  } catch (error) {
    return {
      topic: 'Local jobs',
      ok: false,
      message: problemOf(error).message,
      next: 'Benchmarks on this computer need /bin/sh. Benchmarks on remote hosts do not.',
    };
  }
}

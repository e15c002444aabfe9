import { pauseFor, type RunsContext } from '../runs/index.ts';
import type { HostWatcher } from './host-watcher.ts';
import type { Watched } from './monitor-jobs.ts';

/** How often it is looked whether the program on the host gives anything. */
const LOOK_MS = 1_000;
/** Looks in a row without anything new before its job is looked at. */
const QUIET_LOOKS = 3;
/** The same before the server is asked over the app's connection whether it answers at all. */
const SILENT_LOOKS = 20;
/** The same where its client has said something and never told a sample: a refused login is said at once. */
const REFUSED_LOOKS = 3;
/** Looks in a row while its host was never reached before a server that does not need that host for its connection is asked over that. */
const UNREACHED_LOOKS = 8;

/** A server's own client on its host. */
export interface ServerClient extends Pick<Watched, 'machine'> {
  target: string;
  watcher: HostWatcher;
  /** Whether nothing was ever to be started on its host before. */
  isFirst: boolean;
  /** How often it has told a sample. */
  times(): number;
  /** It has said something, and never told a sample. */
  isRefused(): boolean;
  isGivenUp(): boolean;
}

/**
 * Ends a client that runs and gives nothing, although the server answers others, for as long as nobody ends that. Gives why the host is done
 * without where it was never reached.
 */
export async function untilNotNeeded(
  context: RunsContext,
  client: ServerClient,
  ends: AbortSignal,
): Promise<string | undefined> {
  const { machine, watcher } = client;
  let silent = 0;
  let times = client.times();
  let unreached = 0;
  while (!ends.aborted && !client.isGivenUp()) {
    await pauseFor(LOOK_MS, ends);
    const { state, message } = machine.link();
    const isUp = state === 'up';
    unreached = isUp ? Number.NEGATIVE_INFINITY : unreached + 1;
    // It may have come up while the server was asked.
    if (unreached >= UNREACHED_LOOKS && (await isNotNeeded(context, client, ends)) && machine.link().state !== 'up')
      return message ?? 'its host cannot be reached';
    silent = isUp && watcher.isFollowing && times === client.times() ? silent + 1 : 0;
    times = client.times();
    if (silent === QUIET_LOOKS) await watcher.look().catch(() => undefined);
    const enough = client.isRefused() ? REFUSED_LOOKS : SILENT_LOOKS;
    if (silent < enough || !(await answers(context, client.target, ends))) continue;
    silent = 0;
    await watcher.endJobs().catch(() => undefined);
  }
  return undefined;
}

/** Nothing was ever started on its host, and the app reaches the server without it. */
async function isNotNeeded(context: RunsContext, client: ServerClient, ends: AbortSignal): Promise<boolean> {
  const { target, machine, isFirst } = client;
  return isFirst && context.targets.spec(target).via !== machine.name && answers(context, target, ends);
}

/** A server that is down, or has no connection left, is to be waited for. */
async function answers({ targets }: RunsContext, target: string, ends: AbortSignal): Promise<boolean> {
  try {
    const session = await targets.open(target, ends);
    try {
      await session?.ping();
    } finally {
      await session?.close();
    }
    return session !== undefined;
  } catch {
    return false;
  }
}

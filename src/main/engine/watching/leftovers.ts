import type { EngineFinding } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import { LOADING_SESSION } from '../../../shared/model/states.ts';
import { clockOffset, toHostTime } from '../../../shared/monitoring/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { mayBeAtWork } from '../jobs/job.ts';
import { serverReader, statementsReader } from '../monitors/index.ts';
import { untilReachable, type Waiting } from '../runs/index.ts';
import type { OrphanJob, Source } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import { hasLeftoverSecrets, leftoverClaims, releaseLeftoverClaims, removeLeftoverSecrets } from '../world/index.ts';
import type { WatchingContext } from './context.ts';
import { CLOCK_ERROR_MS, canBeJudged, judgeNow, sealWatched } from './judged.ts';
import { endJob } from './monitor-jobs.ts';
import { isLost, type Recorded, recordMonitor } from './record.ts';
import { noteRows } from './statement-series.ts';

export type LeftoverContext = Pick<
  WatchingContext,
  | 'store'
  | 'clock'
  | 'jobs'
  | 'jobsAtWork'
  | 'monitors'
  | 'judge'
  | 'judgings'
  | 'sealedWatched'
  | 'hostsChanged'
  | 'log'
>;

/**
 * Programs that monitor a host although their session has ended: the host was unreachable then, or the app ended before they had. Excludes those that
 * are being handled.
 */
export const leftoverMonitors = (
  { store, jobsAtWork }: Pick<LeftoverContext, 'store' | 'jobsAtWork'>,
  host: string,
): OrphanJob[] => store.jobs.orphanJobs(host).filter(({ kind, jobId }) => kind === 'monitor' && !jobsAtWork.has(jobId));

/** Ends these programs and stores their data up to the end of their session. One that cannot be ended is tried again at the next contact. */
async function endLeftoverMonitors(context: LeftoverContext, machine: Machine, signal: AbortSignal): Promise<void> {
  for (const orphan of leftoverMonitors(context, machine.name)) {
    // The previous one took its time, and this one may be handled elsewhere by now.
    if (context.jobsAtWork.has(orphan.jobId)) continue;
    try {
      await endLeftoverMonitor(context, machine, orphan, signal);
    } catch (error) {
      if (signal.aborted) return;
      const message = problemOf(error).message;
      const about = { host: machine.name, job: orphan.jobId, message };
      context.log.warn('a monitoring program on a host could not be stopped', about);
    }
  }
}

/** Within the time limit of the app for closing (`computer/index.ts`); a busy host takes seconds to start a shell. */
const AT_CLOSE_MS = 4000;

/** How much longer a monitor runs than the tools for which it is left on its host. */
const AFTER_TOOLS_S = 600;

/**
 * Called when the app closes: monitors of a session end with the tools that run on, which takes at most `toolSeconds`, and at once if none does. Only
 * on hosts that respond at once; others end by themselves later (`monitor-jobs.ts`). Their data is read at the next contact.
 */
export async function leaveMonitorsAtClose(
  { store, machines, jobs }: Pick<WatchingContext, 'store' | 'machines' | 'jobs'>,
  sessionId: number,
  toolSeconds: number,
): Promise<void> {
  const open = store.sources
    .ofSession(sessionId)
    .flatMap(({ id }) => store.monitored.jobs(id).filter(({ ended }) => !ended));
  const signal = AbortSignal.timeout(AT_CLOSE_MS);
  const end = async ({ host, jobId }: (typeof open)[number]): Promise<void> => {
    const machine = machines.get(host);
    if (machine.link().state !== 'up') return;
    if (toolSeconds === 0) await jobs.stop(machine, jobId, { cause: 'stop', graceSeconds: 1, signal });
    else await jobs.limit(machine, jobId, toolSeconds + AFTER_TOOLS_S, signal);
  };
  await Promise.allSettled(open.map(end));
}

/** Ends one such program. Resolves with the number of its processes that no signal ends. */
async function endLeftoverMonitor(
  context: LeftoverContext,
  machine: Machine,
  { jobId, sessionId }: OrphanJob,
  signal: AbortSignal,
): Promise<number> {
  const { jobs, jobsAtWork } = context;
  jobsAtWork.add(jobId);
  try {
    const status = await jobs.status(machine, jobId, signal);
    if (mayBeAtWork(status)) {
      const { left } = await jobs.stop(machine, jobId, { cause: 'stop', graceSeconds: 2, signal });
      if (left > 0) return left;
    }
    const from = status.state === 'gone' ? undefined : await collect(context, machine, { jobId, sessionId }, signal);
    // A job at work keeps its secrets.
    jobsAtWork.delete(jobId);
    await endJob(context, { jobId, host: machine.name }, { machine, seen: status.state !== 'lost', signal });
    if (sessionId !== null) await concludeWatched(context, sessionId, signal, from);
    return 0;
  } finally {
    jobsAtWork.delete(jobId);
    context.hostsChanged();
  }
}

/** Resolves with the time of the first late sample, epoch milliseconds of our clock. */
async function collect(
  context: LeftoverContext,
  machine: Machine,
  { jobId, sessionId }: Pick<OrphanJob, 'jobId' | 'sessionId'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { store } = context;
  const job = store.monitored.job(jobId);
  const session = sessionId === null ? undefined : store.sessions.get(sessionId);
  const source = session && store.sources.ofSession(session.id).find(({ id }) => id === job?.sourceId);
  const program = source && programOf(context, source);
  if (!job || job.ended || !program) return undefined;
  const clocks = store.sources.clocks(source.id);
  // Later data belongs to nothing.
  const until =
    session.endedAt === null ? Number.POSITIVE_INFINITY : toHostTime(clocks, session.endedAt + CLOCK_ERROR_MS);
  try {
    const first = await recordMonitor(context, { machine, job, ...program, wanted: ({ t }) => t <= until }, signal);
    return first === undefined ? undefined : first * 1000 + clockOffset(clocks, first).offsetMs;
  } catch (error) {
    if (!isLost(error)) throw error;
    // Some of it may have arrived, from an unknown time on.
    return 0;
  }
}

/** The program that printed the samples of a source. Undefined if this version knows none. */
function programOf(
  { store, monitors }: LeftoverContext,
  { sessionId, kind, position, about }: Source,
): Pick<Recorded, 'program' | 'sources' | 'coming'> | undefined {
  if (kind === 'server') {
    // These seconds have been read over the connection already.
    if (about?.direct !== undefined) return undefined;
    const hostLines = about?.target === undefined ? undefined : targetByKind(about.target).monitoring?.hostLines;
    return hostLines && { program: serverReader(hostLines) };
  }
  if (kind === 'host') {
    // The processes to follow matter only to its job.
    const program = monitors.host?.({ processes: [] });
    return program && { program };
  }
  const { commands = [], statements = [] } = store.sessions.snapshot(sessionId).experiment.monitors ?? {};
  const spec = commands[position];
  if (spec) {
    const program = monitors.command?.(spec);
    return program && { program };
  }
  if (about?.direct !== undefined || about?.target === undefined) return undefined;
  const read = targetByKind(about.target).monitoring?.statementLines;
  const own = store.sources.ofSession(sessionId).filter(({ kind }) => kind === 'own');
  const asked = statements.flatMap((statement, index) => {
    const source = own.find((each) => each.position === commands.length + index);
    return source ? [{ spec: statement, source }] : [];
  });
  const sources = asked.map(({ source }) => source.id);
  return read && { program: statementsReader(read), sources, coming: noteRows({ store }, asked) };
}

/**
 * Completes a session that is no longer executed: judges runs that were not judged, or that have late samples (from the time `from` on, epoch
 * milliseconds), and turns all monitoring data into chunks.
 */
async function concludeWatched(
  context: Pick<LeftoverContext, 'store' | 'judge' | 'judgings' | 'sealedWatched' | 'log'>,
  sessionId: number,
  signal: AbortSignal,
  from = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { store } = context;
  const isOver = (): boolean =>
    !signal.aborted && !LOADING_SESSION.includes(store.sessions.get(sessionId)?.state ?? 'running');
  if (!isOver()) return;
  for (const run of store.runs.ofSession(sessionId)) {
    const isLate = run.endedAt !== null && run.endedAt > from - CLOCK_ERROR_MS;
    if (!canBeJudged(run) || !(isLate || store.judgements.version(run.id) === undefined)) continue;
    await judgeNow(context, run, signal);
    // A session may have hundreds of runs, and others are under way.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOver()) return;
  }
  sealWatched(context, sessionId);
}

type Context = LeftoverContext & Pick<WatchingContext, 'machines' | 'targets' | 'servers'>;

export interface HostCleanup {
  /** Connects once to the hosts that have samples of ended sessions. */
  collect(): void;
  end(): void;
}

/**
 * Cleans up a host as soon as it is connected, whoever connects to it; this computer, which is always connected, at once. Also completes sessions
 * that the end of the app interrupted here.
 */
export function cleanUpOnContact(context: Context): HostCleanup {
  const { machines, store, log } = context;
  const ends = new AbortController();
  const busy = new Set<string>();
  const cleanUp = (host: string): void => {
    const isClean = (): boolean =>
      !hasLeftoverSecrets(context, host) &&
      leftoverMonitors(context, host).length + leftoverClaims(context, host).length === 0;
    if (busy.has(host) || isClean()) return;
    busy.add(host);
    const machine = machines.get(host);
    // A running monitor needs its secrets: they are removed with it.
    endLeftoverMonitors(context, machine, ends.signal)
      .then(() => removeLeftoverSecrets(context, machine, ends.signal))
      .then(() => releaseLeftoverClaims(context, machine, ends.signal))
      .catch((error: unknown) =>
        log.warn('files left behind on a host could not be removed', { host, message: String(error) }),
      )
      .finally(() => busy.delete(host));
  };
  const unwatch = machines.onLinks(({ host, state }) => {
    if (state === 'up') cleanUp(host);
  });
  if (store.readOnly() === undefined) {
    cleanUp(LOCAL_HOST_NAME);
    conclude(context, ends.signal).catch((error: unknown) =>
      log.warn('the end of a session could not be concluded', { message: String(error) }),
    );
  }
  return {
    collect() {
      for (const { spec } of store.hosts.list())
        if (leftoverMonitors(context, spec.name).length > 0) cleanUp(spec.name);
    },
    end() {
      unwatch();
      ends.abort();
    },
  };
}

/** Excludes sessions with samples left on a host: they are completed when these have arrived. */
async function conclude(context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context;
  for (const id of store.monitored.unsealed()) {
    const sources = store.sources.ofSession(id);
    const isAwaited = sources.some((source) => store.monitored.jobs(source.id).some(({ ended }) => !ended));
    if (!isAwaited) await concludeWatched(context, id, signal);
  }
}

/**
 * Ends the tools of earlier trials and steps on a host whose end was not seen: their output was cut off, or the host was abandoned. Otherwise they
 * would load the target during what is about to start. Resolves with findings on processes that could not be stopped.
 */
export async function endOrphanJobs(context: WatchingContext, machine: Machine, waiting: Waiting): Promise<Finding[]> {
  const { store, jobs } = context;
  const { signal } = waiting;
  const findings: Finding[] = [];
  for (const orphan of store.jobs.orphanJobs(machine.name)) {
    const { jobId } = orphan;
    // A session that is ending now handles its own monitors.
    if (context.jobsAtWork.has(jobId)) continue;
    if (orphan.kind === 'monitor') {
      const processes = await untilReachable(machine, waiting, () =>
        endLeftoverMonitor(context, machine, orphan, signal),
      );
      if (processes > 0) findings.push(overlap(machine.name, wordsOn(context, orphan), processes));
      continue;
    }
    const status = await untilReachable(machine, waiting, () => jobs.status(machine, jobId, signal));
    if (mayBeAtWork(status)) {
      const owner = wordsOn(context, orphan);
      waiting.notice?.('warn', `The tool of ${owner} is still running on ${machine.name}; stopping it first.`);
      const stopped = await untilReachable(machine, waiting, () =>
        jobs.stop(machine, jobId, { cause: 'stop', signal }),
      );
      if (stopped.left > 0) {
        findings.push(overlap(machine.name, owner, stopped.left));
        continue;
      }
    }
    store.jobs.jobEnded(machine.name, jobId);
  }
  return findings;
}

const overlap = (host: string, owner: string, findings: number): EngineFinding => ({
  code: 'overlapping-load',
  severity: 'warn',
  message: `This trial ran in parallel with ${findings} ${findings === 1 ? 'process' : 'processes'} of ${owner} on ${host} that could not be stopped: both put load on the target.`,
  next: 'Stop them on the host, then repeat the trial.',
});

function wordsOn({ store }: WatchingContext, { runId, sessionId, kind }: OrphanJob): string {
  const run = runId === null ? undefined : store.runs.get(runId);
  if (run) return `trial ${run.trial + 1} of session ${run.sessionId}`;
  if (sessionId === null) return 'a removed session';
  return kind === 'monitor' ? `the monitors of session ${sessionId}` : `the data preparation of session ${sessionId}`;
}

import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { serverJob } from '../monitors/index.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { pauseFor, type RunsContext } from '../runs/index.ts';
import type { Source, SourceAbout } from '../store/store.ts';
import type { HostSampling, TargetSession } from '../targets/target.ts';
import type { WatchingContext } from './context.ts';
import { type HostWatch, HostWatcher } from './host-watcher.ts';
import type { Watched } from './monitor-jobs.ts';
import { changeAbout } from './sources.ts';

/** Between two checks for output of the program on the host. */
const POLL_MS = 1_000;
/** Checks in a row without new output before the job itself is checked. */
const QUIET_POLLS = 3;
/** Checks in a row without new output before the app tests over its own connection whether the server responds at all. */
const SILENT_POLLS = 20;
/** The same for a client that has printed a message and never a sample: it reports a refused login at once. */
const REFUSED_POLLS = 3;
/** Checks in a row with an unreached host before the app tests a server whose connection does not need that host. */
const UNREACHED_POLLS = 8;

/** A server's own client on its host. */
interface ServerClient extends Pick<Watched, 'machine'> {
  target: string;
  watcher: HostWatcher;
  /** Whether no job of it was ever created before. */
  isFirst: boolean;
  /** Number of times that samples have arrived. */
  times(): number;
  /** It has printed a message, and never a sample. */
  isRefused(): boolean;
  isAbandoned(): boolean;
}

/**
 * Ends a client that runs without output although the server responds to others, until `ends` aborts. Resolves with a reason if its host is not
 * needed and was never reached.
 */
async function untilNotNeeded(
  context: RunsContext,
  client: ServerClient,
  ends: AbortSignal,
): Promise<string | undefined> {
  const { machine, watcher } = client;
  let silent = 0;
  let times = client.times();
  let unreached = 0;
  while (!ends.aborted && !client.isAbandoned()) {
    await pauseFor(POLL_MS, ends);
    const { state, message } = machine.link();
    const isUp = state === 'up';
    unreached = isUp ? Number.NEGATIVE_INFINITY : unreached + 1;
    // The link may have come up while the server was being asked.
    if (unreached >= UNREACHED_POLLS && (await isNotNeeded(context, client, ends)) && machine.link().state !== 'up')
      return message ?? 'its host is unreachable';
    silent = isUp && watcher.isFollowing && times === client.times() ? silent + 1 : 0;
    times = client.times();
    if (silent === QUIET_POLLS) await watcher.check().catch(() => undefined);
    const enough = client.isRefused() ? REFUSED_POLLS : SILENT_POLLS;
    if (silent < enough || !(await answers(context, client.target, ends))) continue;
    silent = 0;
    await watcher.endJobs().catch(() => undefined);
  }
  return undefined;
}

/** Whether nothing was ever started on its host, and the app reaches the server without it. */
async function isNotNeeded(context: RunsContext, client: ServerClient, ends: AbortSignal): Promise<boolean> {
  const { target, machine, isFirst } = client;
  return isFirst && context.targets.spec(target).via !== machine.name && answers(context, target, ends);
}

/** False for a server that is down or has no free connection: it is waited for. */
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

/** Between two attempts to reach a server that has not been reached yet. */
const LONGEST_WAIT_MS = 5_000;

export interface ClientWatch extends Watched, Pick<HostWatch, 'program' | 'coming'> {
  target: string;
  /** All sources that it reads for, in order. The jobs belong to the first one. */
  watched: readonly Source[];
  /** The program to send, and sentences on what the account may not see. Without a program, the client cannot connect with the target's settings. */
  prepare(
    session: TargetSession | undefined,
  ): Promise<{ program?: HostSampling | undefined; unreported?: readonly string[] }>;
  /** Reads over the app's connection, and reports why. */
  askDirectly(why: string, signal: AbortSignal): { readonly finished: Promise<void>; stop(): Promise<void> };
  problem(message: string | undefined, how?: 'stopped' | 'in part'): void;
}

/**
 * Reads a server by its own client on its host, which leaves no gaps while the link is down. If that client is missing, cannot log in or cannot be
 * used, the server is read over the app's connection to the end of the session; if a client that worked has died, only until it runs again. There is
 * one source at a time: the connection is used only after all output of the client was read.
 */
export class ClientOnHost {
  readonly #context: WatchingContext;
  readonly #watch: ClientWatch;
  readonly #over = new AbortController();
  /** Aborts when the app closes or the session ends. */
  readonly #ends: AbortSignal;
  readonly #watcher: HostWatcher;
  #unreported: string | undefined;
  /** Whether its client has produced a sample in this session. */
  #hasWorked: boolean;
  /** Whether no job of it was ever created before. */
  readonly #isFirst: boolean;
  /** Number of times that samples have arrived, and the last line of output that was no sample. */
  #times = 0;
  #lastMessage: string | undefined;
  /** Why its client cannot be used here. */
  #refused: string | undefined;
  /** The last start failed because the server itself was unreachable. */
  #isUnreachable = false;
  readonly finished: Promise<void>;

  constructor(context: WatchingContext, watch: ClientWatch, closing: AbortSignal) {
    this.#context = context;
    this.#watch = watch;
    this.#ends = AbortSignal.any([closing, this.#over.signal]);
    this.#hasWorked = watch.watched.some(({ id }) => context.store.monitored.extent(id).samples > 0);
    this.#isFirst = context.store.monitored.jobs(watch.source.id).length === 0;
    this.#unreported = watch.source.about?.untold;
    const { sessionId, source, machine, plannedSeconds, program, coming } = watch;
    this.#watcher = new HostWatcher(
      context,
      {
        ...{ sessionId, source, machine, plannedSeconds, program, coming },
        sources: watch.watched.map(({ id }) => id),
        job: () => this.#job(),
        problem: (message) => this.#problem(message),
        onRows: (rows, lastMessage) => this.#onRows(rows, lastMessage),
        mayRestart: (pauseMs, why, signal) => this.#mayRestart(pauseMs, why, signal),
      },
      closing,
    );
    this.finished = this.#run();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#watcher.stop();
    await this.finished;
  }

  async #run(): Promise<void> {
    const listening = this.#watchConnection();
    await this.#watcher.finished;
    if (this.#refused !== undefined && !this.#ends.aborted) {
      const direct = this.#directWords(this.#refused);
      this.#keep(({ host: _, ...about }) => ({ ...about, direct }));
      await this.#watch.askDirectly(direct, this.#ends).finished;
    }
    await listening;
  }

  /** Prepares the job over the app's connection, which shows what the account may see. */
  async #job(): Promise<MonitorProgram['job']> {
    const { target } = this.#watch;
    const { targets } = this.#context;
    this.#isUnreachable = true;
    const session = await targets.open(target, this.#ends);
    try {
      const { program, unreported = [] } = await this.#watch.prepare(session);
      this.#isUnreachable = false;
      if (!program) {
        this.#refused =
          'the client on the host cannot be given this target’s connection settings (TLS, password, pooler, mapped port)';
        throw new KneepointError({ code: 'unsupported', message: this.#directWords(this.#refused) });
      }
      this.#unreported = unreported.length > 0 ? unreported.join(' ') : undefined;
      this.#keep(({ untold: _, ...about }) => ({
        ...about,
        ...(this.#unreported !== undefined && { untold: this.#unreported }),
      }));
      return serverJob(program);
    } finally {
      await session?.close().catch(() => undefined);
    }
  }

  #keep(change: (about: SourceAbout) => SourceAbout): void {
    try {
      for (const source of this.#watch.watched) changeAbout(this.#context, source, change);
    } catch (error) {
      // A full disk on this computer is waited out elsewhere.
      this.#context.log.warn('counters of a server could not be stored', { message: problemOf(error).message });
    }
  }

  #onRows(rows: number, lastMessage: string | undefined): void {
    this.#lastMessage = lastMessage;
    if (rows === 0) return;
    this.#hasWorked = true;
    this.#times += 1;
  }

  #problem(message: string | undefined): void {
    if (this.#refused !== undefined) return;
    if (message === undefined) this.#watch.problem(this.#unreported, 'in part');
    else this.#watch.problem(this.#context.redact(message));
  }

  /** Abandons the client on a host that was never reached. */
  async #watchConnection(): Promise<void> {
    const { target, machine } = this.#watch;
    const client = {
      ...{ target, machine, watcher: this.#watcher, isFirst: this.#isFirst, times: () => this.#times },
      isRefused: () => !this.#hasWorked && this.#lastMessage !== undefined,
      isAbandoned: () => this.#refused !== undefined,
    };
    const why = await untilNotNeeded(this.#context, client, this.#ends);
    if (why === undefined) return;
    this.#refused = why;
    await this.#watcher.abandon();
  }

  /** Reads over the connection in the meantime, with times on the clock of its host. A client that has never worked there is not tried again. */
  async #mayRestart(pauseMs: number, why: string | undefined, signal: AbortSignal): Promise<boolean> {
    const reason = this.#lastMessage ?? why ?? 'it ended by itself';
    if (!this.#hasWorked && !this.#isUnreachable) this.#refused ??= reason;
    if (this.#refused !== undefined) return false;
    if (!this.#hasWorked) {
      await pauseFor(Math.min(pauseMs, LONGEST_WAIT_MS), signal);
      return true;
    }
    const asking = this.#watch.askDirectly(this.#directWords(reason), signal);
    await pauseFor(pauseMs, signal);
    await asking.stop();
    return true;
  }

  #directWords(reason: string): string {
    const { name } = this.#watch.machine;
    const missing = name === LOCAL_HOST_NAME ? 'Kneepoint is closed' : 'that connection is down';
    return this.#context.redact(
      `Read over Kneepoint’s own connection: per-second values will be missing while ${missing}. The client on ${name} cannot be used: ${reason.replace(/\.$/, '')}.`,
    );
  }
}

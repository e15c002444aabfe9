import { KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import { serverJob, serverReader } from '../../monitors/index.ts';
import type { MonitorProgram } from '../../monitors/monitor.ts';
import type { SourceAbout } from '../../store/store.ts';
import type { MonitoringOf } from '../../targets/target.ts';
import type { RunsContext } from '../context.ts';
import { pauseFor } from '../wait.ts';
import { askDirectly } from './ask-directly.ts';
import { HostWatcher } from './host-watcher.ts';
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
/** Between two attempts to reach a server that has not been reached yet. */
const LONGEST_WAIT_MS = 5_000;

export interface ServerOnHostWatch extends Watched {
  target: string;
  hostLines: NonNullable<MonitoringOf['hostLines']>;
  problem(message: string | undefined, how?: 'stopped' | 'in part'): void;
}

/**
 * Watches a server by its own client on its host, so that nothing is missing while there is no link. Where that client is missing, cannot log in or
 * is not to be had, the server is asked over the app's connection instead, to the end of the session; while a client that worked has died, until
 * it runs again. So there is one source at a time: the connection is used only after all that the client has printed was read.
 */
export class ServerOnHost {
  readonly #context: RunsContext;
  readonly #watch: ServerOnHostWatch;
  readonly #over = new AbortController();
  /** Aborts when the app closes or the session ends. */
  readonly #ends: AbortSignal;
  readonly #watcher: HostWatcher;
  #about: SourceAbout;
  /** Whether its client has told anything in this session. */
  #told: boolean;
  /** Whether nothing was ever to be started on its host before. */
  readonly #isFirst: boolean;
  /** How often it has told something, and its last words that were no sample. */
  #times = 0;
  #said: string | undefined;
  /** Why its client cannot be used here. */
  #refused: string | undefined;
  /** The last start failed as the server itself could not be reached. */
  #isUnreachable = false;
  readonly finished: Promise<void>;

  constructor(context: RunsContext, watch: ServerOnHostWatch, closing: AbortSignal) {
    this.#context = context;
    this.#watch = watch;
    this.#ends = AbortSignal.any([closing, this.#over.signal]);
    this.#told = context.store.monitored.extent(watch.source.id).samples > 0;
    this.#isFirst = context.store.monitored.jobs(watch.source.id).length === 0;
    this.#about = watch.source.about ?? {};
    const { hostLines, sessionId, source, machine, plannedSeconds } = watch;
    const program = serverReader(hostLines);
    this.#watcher = new HostWatcher(
      context,
      {
        ...{ sessionId, source, machine, plannedSeconds, program },
        job: () => this.#job(),
        problem: (message) => this.#problem(message),
        heard: (rows, said) => this.#heard(rows, said),
        mayStartAgain: (pauseMs, why, signal) => this.#mayStartAgain(pauseMs, why, signal),
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
    const listening = this.#listen();
    await this.#watcher.finished;
    if (this.#refused !== undefined && !this.#ends.aborted) {
      const { host: _, ...about } = this.#about;
      const direct = this.#directWords(this.#refused);
      this.#keep({ ...about, direct });
      await askDirectly(this.#context, this.#watch, direct, this.#ends).finished;
    }
    await listening;
  }

  /** What the account may see is found out over the app's connection. */
  async #job(): Promise<MonitorProgram['job']> {
    const { target } = this.#watch;
    const { targets } = this.#context;
    this.#isUnreachable = true;
    const session = await targets.open(target, this.#ends);
    try {
      const program = await session?.samplesOnHost?.();
      const { problems = [] } = (program && (await session?.sample?.())) ?? {};
      this.#isUnreachable = false;
      if (!program) {
        this.#refused = 'it cannot be told to connect in the way that the target asks for';
        throw new KneepointError({ code: 'unsupported', message: this.#directWords(this.#refused) });
      }
      const { untold: _, ...about } = this.#about;
      this.#keep(problems.length > 0 ? { ...about, untold: problems.join(' ') } : about);
      return serverJob(program);
    } finally {
      await session?.close().catch(() => undefined);
    }
  }

  #keep(about: SourceAbout): void {
    this.#about = about;
    try {
      this.#context.store.sources.setAbout(this.#watch.source.id, about);
    } catch (error) {
      // A full disk here is waited out elsewhere.
      this.#context.log.warn('what a server tells could not be stored', { message: problemOf(error).message });
    }
  }

  #heard(rows: number, said: string | undefined): void {
    this.#said = said;
    if (rows === 0) return;
    this.#told = true;
    this.#times += 1;
  }

  #problem(message: string | undefined): void {
    if (this.#refused !== undefined) return;
    if (message === undefined) this.#watch.problem(this.#about.untold, 'in part');
    else this.#watch.problem(this.#context.redact(message));
  }

  /** Ends a client that runs and gives nothing, although the server answers others. Does without one on a host that was never reached. */
  async #listen(): Promise<void> {
    let silent = 0;
    let times = this.#times;
    let unreached = 0;
    while (!this.#ends.aborted && this.#refused === undefined) {
      await pauseFor(LOOK_MS, this.#ends);
      const { state, message } = this.#watch.machine.link();
      const isUp = state === 'up';
      unreached = isUp ? Number.NEGATIVE_INFINITY : unreached + 1;
      if (unreached >= UNREACHED_LOOKS && (await this.#isNotNeeded())) {
        this.#refused = message ?? 'its host cannot be reached';
        return this.#watcher.abandon();
      }
      silent = isUp && this.#watcher.isFollowing && times === this.#times ? silent + 1 : 0;
      times = this.#times;
      if (silent === QUIET_LOOKS) await this.#watcher.look().catch(() => undefined);
      const enough = !this.#told && this.#said !== undefined ? REFUSED_LOOKS : SILENT_LOOKS;
      if (silent < enough || !(await this.#answers())) continue;
      silent = 0;
      await this.#watcher.endJobs().catch(() => undefined);
    }
  }

  /** Nothing was ever started on its host, and the app reaches the server without it. */
  async #isNotNeeded(): Promise<boolean> {
    const { target, machine } = this.#watch;
    return this.#isFirst && this.#context.targets.spec(target).via !== machine.name && this.#answers();
  }

  /** A server that is down, or has no connection left, is to be waited for. */
  async #answers(): Promise<boolean> {
    try {
      const session = await this.#context.targets.open(this.#watch.target, this.#ends);
      await session?.ping();
      await session?.close();
      return session !== undefined;
    } catch {
      return false;
    }
  }

  /** Over the connection in the meantime, in seconds of the clock of its host. One that has never worked there is not tried again. */
  async #mayStartAgain(pauseMs: number, why: string | undefined, signal: AbortSignal): Promise<boolean> {
    const reason = this.#said ?? why ?? 'it ended';
    if (!this.#told && !this.#isUnreachable) this.#refused ??= reason;
    if (this.#refused !== undefined) return false;
    if (!this.#told) {
      await pauseFor(Math.min(pauseMs, LONGEST_WAIT_MS), signal);
      return true;
    }
    const asking = askDirectly(this.#context, this.#watch, this.#directWords(reason), signal);
    await pauseFor(pauseMs, signal);
    await asking.stop();
    return true;
  }

  #directWords(reason: string): string {
    const { name } = this.#watch.machine;
    return this.#context.redact(
      `It is read over the connection of this computer, so seconds are missing while that is down. Its own client on ${name} does not read it: ${reason.replace(/\.$/, '')}.`,
    );
  }
}

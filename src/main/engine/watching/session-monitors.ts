import { problemOf } from '../../../shared/model/problem.ts';
import { clockOffset } from '../../../shared/monitoring/index.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { pauseFor, type SessionRecord } from '../runs/index.ts';
import type { RunRow, Source } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import type { WatchingContext } from './context.ts';
import { HostWatcher } from './host-watcher.ts';
import { CLOCK_ERROR_MS, canBeJudged, judgeNow, sealWatched } from './judged.ts';
import type { Watched as MonitorPlace } from './monitor-jobs.ts';
import { unreadLines } from './record.ts';
import { askDirectly, ServerWatcher, serverOnHost } from './server-watcher.ts';
import { type SilentSource, WatchedSources } from './sources.ts';
import { StatementWatch } from './statement-series.ts';
import { statementsDirectly, statementsOnHost, type WatchedStatement } from './statements-on-host.ts';
import { isReachedOn, type Watched, watchedIn } from './wanted.ts';

const POLL_MS = 100;

/**
 * Delays the first trial until the first samples, for a limited time: otherwise the trial's first seconds could be missing. A source that has
 * reported why it has none is not waited for.
 */
class FirstSamples {
  readonly #context: WatchingContext;
  readonly #record: SessionRecord;
  readonly #sources: WatchedSources;
  readonly #closing: AbortSignal;
  /** Start of the monitors, on the clock of waits. */
  #began = 0;
  #isOver = false;

  constructor(context: WatchingContext, record: SessionRecord, sources: WatchedSources, closing: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#sources = sources;
    this.#closing = closing;
  }

  begin(): void {
    this.#began = this.#context.clock.monotonic();
  }

  /** Waits once; later calls return at once. `asked`: a user wants no trial to start. */
  async wait(asked: () => boolean, waiting: (words: string) => void): Promise<void> {
    const { clock, monitors } = this.#context;
    const until = this.#began + (monitors.firstSampleMs ?? 0);
    while (!this.#isOver && !this.#closing.aborted && !asked()) {
      const silent = this.#sources.silent();
      this.#isOver = silent.length === 0 || clock.monotonic() >= until;
      if (this.#isOver) return this.#warnSilent(silent);
      waiting(`Waiting for the first sample of ${named(silent)}`);
      await pauseFor(POLL_MS, this.#closing);
    }
  }

  #warnSilent(silent: readonly SilentSource[]): void {
    const { machines, monitors } = this.#context;
    const { firstSampleMs = 0 } = monitors;
    if (firstSampleMs === 0) return;
    for (const { name, host } of silent) {
      const link = host === undefined ? undefined : machines.get(host).link();
      const why = link && link.state !== 'up' && link.message ? ` ${link.message.replace(/\.$/, '')}.` : '';
      const words = `No sample from “${name}” within ${firstSampleMs / 1000} s.${why} The trial starts anyway; its first seconds may be missing.`;
      this.#record.log('warn', words);
    }
  }
}

const named = (sources: readonly SilentSource[]): string =>
  [...new Set(sources.map(({ name }) => name))].map((name) => `“${name}”`).join(', ');

interface Watcher {
  readonly finished: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Monitors hosts and servers of a session: hosts by jobs of their own, servers by their own client on their host or over the app's connection. Starts
 * before the first trial, continues between trials, and ends with the session; while the app is closed, hosts are still monitored. It never blocks a
 * session: a failure is reported and retried.
 */
export class SessionMonitors {
  readonly #context: WatchingContext;
  readonly #record: SessionRecord;
  readonly #closing: AbortSignal;
  readonly #sources: WatchedSources;
  #watchers: readonly Watcher[] | undefined;
  /** Start of monitoring, epoch milliseconds: earlier trials were judged then, or have no monitoring data. */
  #since = 0;
  readonly #firstSamples: FirstSamples;
  /** Trials that have ended and are not judged yet. */
  #ended: RunRow[] = [];
  #judging: Promise<void> = Promise.resolve();

  constructor(context: WatchingContext, record: SessionRecord, closing: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#closing = closing;
    this.#sources = new WatchedSources(context, record, closing);
    this.#firstSamples = new FirstSamples(context, record, this.#sources, closing);
  }

  /** A second call has no effect. */
  start(): void {
    if (this.#watchers || this.#closing.aborted) return;
    this.#since = this.#context.clock.now();
    this.#firstSamples.begin();
    try {
      const { experiment } = this.#record.snapshot();
      this.#watchers = this.#begin(watchedIn(this.#context, experiment, this.#record.row()));
    } catch (error) {
      this.#record.log('warn', `Only the tool is monitored: ${problemOf(error).message}`);
      this.#watchers = [];
    }
  }

  /** Waits before the first trial until all sources have responded. `asked`: a user wants no trial to start. */
  firstSamples(asked: () => boolean, waiting: (words: string) => void): Promise<void> {
    return this.#firstSamples.wait(asked, waiting);
  }

  /** Reads the remaining data, and ends all monitors. */
  async stop(): Promise<void> {
    const watchers = this.#watchers ?? [];
    this.#watchers = undefined;
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    if (this.#closing.aborted) await this.#judging;
    if (this.#closing.aborted) return;
    for (const run of this.#record.runs()) this.#judge(run);
    await this.#judging;
    if (!this.#closing.aborted) sealWatched(this.#context, this.#record.id);
  }

  /** Judges trials whose monitoring data has all arrived; the others are judged at the end of the session. */
  trialEnded(run: RunRow): void {
    this.#ended.push(run);
    const { sources, monitored } = this.#context.store;
    const watched = sources.ofSession(this.#record.id).filter(({ kind }) => kind !== 'generator');
    const seen = watched.flatMap(({ id }) => this.#ours(id, monitored.extent(id).to));
    if (seen.length === 0 && watched.length > 0) return;
    // Without sources there is nothing to wait for.
    const until = Math.min(...seen) - CLOCK_ERROR_MS;
    const due = this.#ended.filter(({ endedAt }) => endedAt !== null && endedAt < until);
    this.#ended = this.#ended.filter((each) => !due.includes(each));
    for (const each of due) this.#judge(each);
  }

  /** Judges one run after the other, while trials continue. */
  #judge(run: RunRow): void {
    const judged = async (): Promise<void> => {
      if (this.#closing.aborted || !canBeJudged(run) || this.#isJudged(run)) return;
      if (run.endedAt === null || run.endedAt < Math.min(this.#since, this.#firstSeen())) return;
      await judgeNow(this.#context, run, this.#closing);
      this.#record.changed();
    };
    this.#judging = this.#judging.then(judged).catch((error) => {
      this.#context.log.warn('a run could not be judged', { run: run.id, message: problemOf(error).message });
    });
  }

  #isJudged({ id }: RunRow): boolean {
    return this.#context.store.judgements.version(id) !== undefined;
  }

  /** Time of the session's first sample, epoch milliseconds. Without sources, no trial was before it. */
  #firstSeen(): number {
    const { sources, monitored } = this.#context.store;
    const watched = sources.ofSession(this.#record.id).filter(({ kind }) => kind !== 'generator');
    if (watched.length === 0) return Number.NEGATIVE_INFINITY;
    const firsts = watched.flatMap(({ id }) => this.#ours(id, monitored.extent(id).from));
    return Math.min(...firsts) - CLOCK_ERROR_MS;
  }

  /** Converts a second of a source's clock to epoch milliseconds of ours. */
  #ours(sourceId: number, second: number | undefined): number[] {
    if (second === undefined) return [];
    return [second * 1000 + clockOffset(this.#context.store.sources.clocks(sourceId), second).offsetMs];
  }

  /** The app closes: jobs on hosts keep running. */
  async detach(): Promise<void> {
    await Promise.all((this.#watchers ?? []).map(({ finished }) => finished));
    await this.#judging;
  }

  #begin({ hosts, servers, statements, asked: at, commands }: Watched): Watcher[] {
    const { host, command, servers: areAsked = false } = this.#context.monitors;
    const onHosts = host
      ? hosts.map(({ name, roles, programs, ports, serverPorts }, position) => {
          const source = this.#sources.ensure({ kind: 'host', name, position }, { roles, host: name, programs });
          return this.#onHost(
            source,
            name,
            host({ processes: programs.server, ports, ofJobs: programs.tool, serverPorts }),
          );
        })
      : [];
    const ofCommands = command
      ? commands.map((spec, position) => {
          const program = command(spec);
          const about = { host: spec.host, rules: [...program.rules] };
          const source = this.#sources.ensure({ kind: 'own', name: spec.name, position }, about, 'start');
          return this.#onHost(source, spec.host, program);
        })
      : [];
    if (!areAsked) return [...onHosts, ...ofCommands];
    const ofPerson = statements.map((spec, index) => this.#statement(spec, commands.length + index));
    const there = at && this.#statementsOnHost(at, ofPerson);
    const remaining = there ? [] : ofPerson;
    const ofServers = servers.flatMap((server, position) =>
      this.#ofServer({ ...server, position }, position === 0 ? remaining : []),
    );
    const alone = at && servers.length === 0 && remaining.length > 0 ? [this.#statementsOf(at.name, remaining)] : [];
    return [...onHosts, ...ofCommands, ...ofServers, ...alone, ...(there ? [there] : [])];
  }

  #onHost(source: Source, host: string, program: MonitorProgram): Watcher {
    const problem = this.#sources.problemOf(source);
    const count = unreadLines(problem);
    const watch = {
      ...this.#watched(source, host),
      ...{ program, problem, job: () => program.job },
      onRows: (rows: number, _lastMessage: string | undefined, unread: number) => count(rows, unread),
    };
    return new HostWatcher(this.#context, watch, this.#closing);
  }

  #watched(source: Source, host: string): MonitorPlace {
    const { plannedSeconds } = this.#record.row();
    return { sessionId: this.#record.id, source, machine: this.#context.machines.get(host), plannedSeconds };
  }

  /** Uses the server's own client on its host, else the app's connection. */
  #ofServer(
    { name, host: place, position }: Watched['servers'][number] & { position: number },
    statements: readonly WatchedStatement[],
  ): Watcher[] {
    const { kind } = this.#context.targets.spec(name);
    const about = { target: kind, ...(place !== undefined && { place }) };
    const source = this.#sources.ensure({ kind: 'server', name, position }, about);
    const { direct } = source.about;
    const problem = this.#sources.problemOf(source);
    const own = (): Watcher[] => (statements.length > 0 ? [this.#statementsOf(name, statements)] : []);
    const hostLines = targetByKind(kind).monitoring?.hostLines;
    if (
      direct === undefined &&
      !this.#isOurs(source) &&
      place !== undefined &&
      hostLines &&
      isReachedOn(this.#context, name, place)
    ) {
      const there = this.#watched(this.#sources.ensure(source, { host: place }), place);
      const watch = { ...there, target: name, hostLines, problem };
      return [serverOnHost(this.#context, watch, this.#closing), ...own()];
    }
    if (direct !== undefined)
      return [askDirectly(this.#context, { target: name, source, problem }, direct, this.#closing), ...own()];
    const watch = { target: name, source, statements: this.#directly(statements), problem };
    return [new ServerWatcher(this.#context, watch, this.#closing)];
  }

  /** Whether it was begun over the connection, with the times of this computer. */
  #isOurs(source: Source): boolean {
    return source.about?.host === undefined && this.#context.store.monitored.extent(source.id).samples > 0;
  }

  /**
   * Uses the client on the server's host. Undefined if the statements are sent over the app's connection; statements that began there continue there.
   */
  #statementsOnHost(
    { name, host: place }: NonNullable<Watched['asked']>,
    statements: readonly WatchedStatement[],
  ): Watcher | undefined {
    const { kind } = this.#context.targets.spec(name);
    const statementLines = targetByKind(kind).monitoring?.statementLines;
    const direct = statements.find(({ source }) => source.about?.direct !== undefined)?.source.about?.direct;
    if (direct !== undefined)
      return statementsDirectly(this.#context, { target: name, statements }, direct, this.#closing);
    if (!statementLines || place === undefined || !isReachedOn(this.#context, name, place)) return undefined;
    if (statements.some(({ source }) => this.#isOurs(source))) return undefined;
    const [first, ...others] = statements.map((each) => ({
      ...each,
      source: this.#sources.ensure(each.source, { host: place, target: kind }),
    }));
    if (!first) return undefined;
    const { sessionId, machine, plannedSeconds } = this.#watched(first.source, place);
    return statementsOnHost(
      this.#context,
      { sessionId, machine, plannedSeconds, target: name, statementLines, statements: [first, ...others] },
      this.#closing,
    );
  }

  #statementsOf(target: string, statements: readonly WatchedStatement[]): Watcher {
    const asked = this.#directly(statements);
    const problem = (message: string | undefined): void => {
      if (message !== undefined) for (const each of asked) each.failed(message);
    };
    const watch = { target, source: undefined, statements: asked, problem };
    return new ServerWatcher(this.#context, watch, this.#closing);
  }

  #directly(statements: readonly WatchedStatement[]): StatementWatch[] {
    return statements.map(({ spec, source, problem }) => new StatementWatch(this.#context, spec, source, problem));
  }

  #statement(spec: Watched['statements'][number], position: number): WatchedStatement {
    const source = this.#sources.ensure({ kind: 'own', name: spec.name, position }, {});
    return { spec, source, problem: this.#sources.problemOf(source) };
  }
}

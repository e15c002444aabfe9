import type { Experiment } from '../../../../shared/model/experiment.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import type { MonitorProgram } from '../../monitors/monitor.ts';
import type { NewSource, RunRow, Source, SourceAbout } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import type { SessionRecord } from '../session/session-record.ts';
import { HostWatcher } from './host-watcher.ts';
import { CLOCK_DOUBT_MS, canBeJudged, judgeNow, sealWatched } from './judged.ts';
import { ServerWatcher } from './server-watcher.ts';
import { StatementWatch } from './statements.ts';
import { type Watched, watchedIn } from './wanted.ts';

interface Watcher {
  readonly finished: Promise<void>;
  stop(): Promise<void>;
}

/**
 * What is watched beside the tool of a session: hosts by jobs of their own, servers over the app's connection. Begins before the first trial,
 * goes on between trials, and ends with the session; while the app is closed, hosts are watched on. Nothing of it keeps a session from going
 * on: what cannot be watched is said, and tried again.
 */
export class SessionMonitors {
  readonly #context: RunsContext;
  readonly #record: SessionRecord;
  readonly #closing: AbortSignal;
  #watchers: readonly Watcher[] | undefined;
  /** When it began to watch, epoch milliseconds: earlier trials were judged then, or nothing was watched in them. */
  #since = 0;
  /** Trials that have ended and are not judged yet. */
  #ended: RunRow[] = [];

  constructor(context: RunsContext, record: SessionRecord, closing: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#closing = closing;
  }

  /** Asked twice, it goes on. */
  start(): void {
    if (this.#watchers || this.#closing.aborted) return;
    this.#since = this.#context.clock.now();
    try {
      const { experiment } = this.#record.snapshot();
      this.#watchers = this.#begin(experiment, watchedIn(this.#context, experiment, this.#record.row()));
    } catch (error) {
      this.#record.log('warn', `Nothing is watched beside the tool: ${problemOf(error).message}`);
      this.#watchers = [];
    }
  }

  /** Reads what is still to come, and ends all of it. */
  async stop(): Promise<void> {
    const watchers = this.#watchers ?? [];
    this.#watchers = undefined;
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    if (this.#closing.aborted) return;
    for (const run of this.#record.runs()) this.#judge(run);
    sealWatched(this.#context, this.#record.id);
  }

  /** Those of which all that was watched has come by now are judged; the others with the end of the session. */
  trialEnded(run: RunRow): void {
    this.#ended.push(run);
    const { sources, monitored } = this.#context.store;
    const watched = sources.ofSession(this.#record.id).filter(({ kind }) => kind !== 'generator');
    const seen = watched.flatMap(({ id }) => monitored.extent(id).to ?? []);
    if (seen.length === 0) return;
    const until = Math.min(...seen) * 1000 - CLOCK_DOUBT_MS;
    const due = this.#ended.filter(({ endedAt }) => endedAt !== null && endedAt < until);
    this.#ended = this.#ended.filter((each) => !due.includes(each));
    for (const each of due) this.#judge(each);
  }

  #judge(run: RunRow): void {
    if (!canBeJudged(run) || this.#context.store.judgements.get(run.id)) return;
    if (run.endedAt === null || run.endedAt < Math.min(this.#since, this.#firstSeen())) return;
    judgeNow(this.#context, run);
  }

  /** The first sample of the session, epoch milliseconds. */
  #firstSeen(): number {
    const { sources, monitored } = this.#context.store;
    const firsts = sources.ofSession(this.#record.id).flatMap(({ id }) => monitored.extent(id).from ?? []);
    return Math.min(...firsts) * 1000 - CLOCK_DOUBT_MS;
  }

  /** The app closes: jobs on hosts go on. */
  async detach(): Promise<void> {
    await Promise.all((this.#watchers ?? []).map(({ finished }) => finished));
  }

  #begin(experiment: Experiment, { hosts, servers, statements, commands }: Watched): Watcher[] {
    const { host, command, servers: areAsked = false } = this.#context.monitors;
    const onHosts = host
      ? hosts.map(({ name, roles, programs }, position) => {
          const processes = [...programs.tool, ...programs.server];
          const about = { roles, host: name, programs };
          return this.#onHost({ kind: 'host', name, position }, name, about, host({ processes }));
        })
      : [];
    const ofCommands = command
      ? commands.map((spec, position) => {
          const program = command(spec);
          const about = { host: spec.host, rules: [...program.rules] };
          return this.#onHost({ kind: 'own', name: spec.name, position }, spec.host, about, program);
        })
      : [];
    const asked = areAsked ? servers : [];
    const ofServers = asked.map(({ name, host: place }, position) =>
      this.#ofServer(
        { target: name, position, ...(place !== undefined && { place }) },
        position === 0 ? statements : [],
        commands.length,
      ),
    );
    const alone = areAsked && servers.length === 0 && statements.length > 0 ? experiment.where.target : undefined;
    return [
      ...onHosts,
      ...ofCommands,
      ...ofServers,
      ...(alone === undefined ? [] : [this.#ofServer({ target: alone }, statements, commands.length)]),
    ];
  }

  #onHost(wanted: NewSource, host: string, about: SourceAbout, program: MonitorProgram): Watcher {
    const source = this.#source(wanted, about);
    const watch = {
      sessionId: this.#record.id,
      source,
      machine: this.#context.machines.get(host),
      program,
      plannedSeconds: this.#record.row().plannedSeconds,
      problem: this.#problemOf(source),
    };
    return new HostWatcher(this.#context, watch, this.#closing);
  }

  #ofServer(
    { target, position, place }: { target: string; position?: number; place?: string },
    statements: Watched['statements'],
    commands: number,
  ): Watcher {
    const about = { target: this.#context.targets.spec(target).kind, ...(place !== undefined && { place }) };
    const source = position === undefined ? undefined : this.#source({ kind: 'server', name: target, position }, about);
    const asked = statements.map((spec, index) => {
      const own = this.#source({ kind: 'own', name: spec.name, position: commands + index }, {});
      return new StatementWatch(this.#context, spec, own, this.#problemOf(own));
    });
    const problem = source ? this.#problemOf(source) : () => {};
    return new ServerWatcher(this.#context, { target, source, statements: asked, problem }, this.#closing);
  }

  #source(wanted: NewSource, about: SourceAbout): Source {
    const { sources } = this.#context.store;
    const source = sources.ensure(this.#record.id, wanted);
    const kept = { ...source.about, ...about };
    sources.setAbout(source.id, kept);
    return { ...source, about: kept };
  }

  /** Told into the log when it begins, and kept with the source as long as it lasts. */
  #problemOf({ id, kind, name }: Source): (message: string | undefined, how?: 'stopped' | 'in part') => void {
    let last: string | undefined;
    return (message, how = 'stopped') => {
      if (message === last) return;
      last = message;
      try {
        this.#context.store.sources.setProblem(id, message);
        if (message === undefined || this.#closing.aborted) return;
        if (how === 'in part') this.#record.log('info', `“${name}” is watched in part: ${message}`);
        else this.#record.log('warn', `${WATCHING[kind]} “${name}” has stopped for now: ${message}`);
      } catch (error) {
        // A full disk here is waited out elsewhere; a session that is gone needs no words.
        this.#context.log.warn('a problem of a monitor could not be stored', { message: problemOf(error).message });
      }
    };
  }
}

const WATCHING = {
  generator: 'Watching',
  host: 'Watching the host',
  server: 'Watching the server',
  own: 'The monitor',
} as const satisfies Record<Source['kind'], string>;

import { problemOf } from '../../../shared/model/problem.ts';
import { toHostTime } from '../../../shared/monitoring/index.ts';
import { serverReader } from '../monitors/index.ts';
import { pauseFor, type RunsContext } from '../runs/index.ts';
import type { Source } from '../store/store.ts';
import type { MonitoringOf, TargetSession } from '../targets/target.ts';
import { ClientOnHost, type ClientWatch } from './client-on-host.ts';
import type { WatchingContext } from './context.ts';
import type { StatementWatch } from './statement-series.ts';

const EVERY_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
/** The end of an outage after an event is not known more exactly than this. */
const LONGEST_PAUSE_MS = 4_000;
/** A slower answer was delayed by a broken link or a hanging server: its time is unknown. */
const LONGEST_ANSWER_MS = 2_000;

export interface ServerWatch {
  target: string;
  /** Source of the server's counters; absent: only custom statements are sent. */
  source: Source | undefined;
  statements: readonly StatementWatch[];
  /** Converts epoch milliseconds of our clock to seconds of the source's clock; absent: it is ours. */
  toHostTime?(ms: number): number;
  problem(message: string | undefined, how?: 'stopped' | 'in part'): void;
}

/**
 * Reads a server once a second over the app's own connection. While it does not respond, or the link is down, there are no samples: the gap appears
 * in the series. A late answer is discarded.
 */
export class ServerWatcher {
  readonly #context: RunsContext;
  readonly #watch: ServerWatch;
  readonly #over = new AbortController();
  readonly #ends: AbortSignal;
  readonly finished: Promise<void>;

  constructor(context: RunsContext, watch: ServerWatch, closing: AbortSignal) {
    this.#context = context;
    this.#watch = watch;
    this.#ends = AbortSignal.any([closing, this.#over.signal]);
    this.finished = this.#run();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.finished;
  }

  async #run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!this.#ends.aborted) {
      let session: TargetSession | undefined;
      try {
        session = await this.#context.targets.open(this.#watch.target, this.#ends);
        if (!session?.sample) {
          await session?.close();
          return;
        }
        await this.#sample(session, () => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (error) {
        if (!this.#ends.aborted) this.#watch.problem(this.#context.redact(problemOf(error).message));
      }
      // A broken session may even fail to close; nothing is lost with it.
      await session?.close().catch(() => undefined);
      await pauseFor(pause, this.#ends);
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
    }
  }

  async #sample(session: TargetSession, onAnswer: () => void): Promise<void> {
    const { clock } = this.#context;
    let due = clock.monotonic();
    let unreported: string | undefined;
    while (!this.#ends.aborted) {
      // Only the first sample reports what the account may not see; that applies as long as the connection lasts.
      unreported = (await this.#readOnce(session)) ?? unreported;
      this.#watch.problem(unreported, 'in part');
      onAnswer();
      // No catching up after a late one: a missed second stays missing.
      due = Math.max(due + EVERY_MS, clock.monotonic());
      await pauseFor(due - clock.monotonic(), this.#ends);
    }
  }

  /** Resolves with what the server does not report. */
  async #readOnce(session: TargetSession): Promise<string | undefined> {
    const { source, statements } = this.#watch;
    const { store, clock } = this.#context;
    let unreported: string | undefined;
    if (source && session.sample) {
      const asked = clock.now();
      const { metrics, problems = [] } = await session.sample();
      if (this.#ends.aborted) return undefined;
      const answered = clock.now();
      const middle = (asked + answered) / 2;
      const rows = [{ t: this.#watch.toHostTime?.(middle) ?? middle / 1000, metrics }];
      if (answered - asked <= LONGEST_ANSWER_MS)
        store.relaxed(() => store.monitored.ingest({ sourceId: source.id, rows }));
      if (problems.length > 0) unreported = problems.join(' ');
    }
    for (const statement of statements) await statement.look(session, this.#ends);
    return unreported;
  }
}

type ServerOnHostWatch = Omit<ClientWatch, 'watched' | 'program' | 'prepare' | 'askDirectly'> & {
  hostLines: NonNullable<MonitoringOf['hostLines']>;
};

/** Reads counters of a server by its own client on its host. */
export const serverOnHost = (context: WatchingContext, watch: ServerOnHostWatch, closing: AbortSignal): ClientOnHost =>
  new ClientOnHost(
    context,
    {
      ...watch,
      watched: [watch.source],
      program: serverReader(watch.hostLines),
      prepare: async (session) => {
        const program = await session?.samplesOnHost?.();
        const { problems = [] } = (program && (await session?.sample?.())) ?? {};
        return { program, unreported: problems };
      },
      askDirectly: (why, signal) => askDirectly(context, watch, why, signal),
    },
    closing,
  );

/** Reads over the app's connection, and reports that for as long as it lasts: seconds are missing while it is down. */
export function askDirectly(
  context: RunsContext,
  { source, target, problem }: { source: Source } & Pick<ServerWatch, 'target' | 'problem'>,
  why: string,
  signal: AbortSignal,
): ServerWatcher {
  const { store } = context;
  const watch = {
    ...{ target, source, statements: [] },
    toHostTime: (ms: number) => toHostTime(store.sources.clocks(source.id), ms),
    problem: (message: string | undefined, how?: 'stopped' | 'in part') =>
      problem(message === undefined ? why : `${why} ${message}`, message === undefined ? 'in part' : how),
  };
  return new ServerWatcher(context, watch, signal);
}

import type { RunsContext } from '../context.ts';
import type { Hub } from '../hub.ts';
import { breakOff } from './breaking-off.ts';
import { Course } from './course.ts';
import { Ending } from './ending.ts';
import { Hindrances } from './hindrances.ts';
import { SessionRecord } from './session-record.ts';
import { Wishes } from './wishes.ts';

/** One session being executed, from wherever it stands to its end, a pause, or the app's closing. */
export class SessionRun {
  readonly id: number;
  readonly #context: RunsContext;
  readonly #record: SessionRecord;
  readonly #hindrances: Hindrances;
  readonly #wishes: Wishes;
  readonly #ending: Ending;
  readonly #course: Course;
  #over = false;
  readonly finished: Promise<void>;

  constructor(context: RunsContext, hub: Hub, id: number) {
    this.id = id;
    this.#context = context;
    this.#record = new SessionRecord(context, hub, id);
    this.#wishes = new Wishes(context.clock, this.#record.row().state);
    this.#ending = new Ending(context, this.#record, this.#wishes.ends);
    this.#hindrances = new Hindrances({
      hosts: this.#record.facts().experiment.where.generators,
      signal: this.#wishes.closing,
      log: (level, message) => this.#record.log(level, message),
      onChange: () => this.#record.changed(),
    });
    this.#course = new Course(context, this.#record, this.#wishes, () => this.#hindrances.stored());
    this.finished = this.#run();
  }

  /** Nothing more happens: it ended, is paused, or could not go on. */
  get over(): boolean {
    return this.#over || this.#course.over;
  }

  get stopping(): boolean {
    return this.#wishes.stopping;
  }

  get activity(): string | undefined {
    return this.#hindrances.words ?? this.#course.activity;
  }

  /** After the running trial, or before the first one. */
  pause(): void {
    if (this.#wishes.pausing || this.stopping) return;
    this.#record.set('pausing');
    this.#wishes.pause();
  }

  /** Takes a pause back that has not begun. */
  unpause(): void {
    if (!this.#wishes.pausing) return;
    this.#record.set(this.#record.row().startedAt === null ? 'starting' : 'running');
    this.#wishes.unpause();
  }

  /** Ends the running trial, which must be this one if it is named; false when it does not run. */
  skip(runId?: number): boolean {
    const { currentRun } = this.#course;
    if (currentRun === undefined || (runId ?? currentRun) !== currentRun || this.stopping) return false;
    this.#wishes.skip(currentRun);
    for (const job of this.#context.store.runs.get(currentRun)?.jobs ?? []) this.#ending.end(job, currentRun);
    return true;
  }

  /** Asked again while a generator does not answer, it gives the host up: otherwise a machine that is gone would keep the session open for ever. */
  stop(): void {
    if (this.#wishes.stopsAgain && this.#isCutOff()) {
      this.#wishes.giveUp();
      return;
    }
    this.#wishes.stop();
    for (const job of this.#jobsUnderWay()) this.#ending.end(job, this.#course.currentRun);
    this.#record.set('stopping');
  }

  #isCutOff(): boolean {
    const { generators } = this.#record.facts().experiment.where;
    return generators.some((name) => this.#context.machines.get(name).link().state !== 'up');
  }

  #jobsUnderWay(): readonly { host: string; jobId: string }[] {
    const { currentRun } = this.#course;
    const run = currentRun === undefined ? undefined : this.#context.store.runs.get(currentRun);
    if (run && run.jobs.length > 0) return run.jobs;
    const { prepareJob } = this.#record.facts();
    return prepareJob ? [prepareJob] : [];
  }

  /** The app closes: jobs on hosts go on, the session can be continued. */
  async detach(): Promise<void> {
    this.#wishes.close();
    await this.finished;
  }

  async #run(): Promise<void> {
    const unwatch = this.#context.machines.onLinks((links) => this.#hindrances.linksChanged(links));
    try {
      await this.#hindrances.withRoom(() => this.#course.follow());
    } catch (error) {
      this.#breakOff(error);
    } finally {
      this.#over = true;
      unwatch();
      await this.#ending.settled();
      this.#record.changed();
    }
  }

  #breakOff(error: unknown): void {
    breakOff(this.#context, this.#record, error, {
      closing: this.#wishes.closing.aborted,
      givenUp: this.#wishes.givenUp,
      stopping: this.stopping,
    });
  }
}

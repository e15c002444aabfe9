import { randomUUID } from 'node:crypto';
import { kindOf } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { eachGenerator } from '../plans/index.ts';
import {
  allOrNone,
  commandsOf,
  connectionOf,
  type Generator,
  generatorsOf,
  launchedCommand,
  moveRun,
  stepOf,
  untilReachable,
  type Waiting,
} from '../runs/index.ts';
import type { RunJob, RunRow, Source } from '../store/store.ts';
import type { Command } from '../tools/tool.ts';
import { endOrphanJobs } from '../watching/index.ts';
import { type JobOwner, keepForAWhile } from '../world/index.ts';
import type { TrialContext, TrialControl } from './context.ts';
import { launchStep } from './job-step.ts';

/** How long a tool waits on its host for the others to be ready. */
export const TIMEOUT_SECONDS = 300;
/** The start is at least this far ahead when the hosts are notified, and further by their response times: each must receive it in time. */
const LEAD_MS = 1000;
const LEAD_ROUND_TRIPS = 4;

/**
 * Starts the tool of a run on every generator, or finds it there; several start at the same moment, and those of parallel runs at moments on one
 * clock. Then the run is running. `start`: that of its parallel group.
 */
export async function launchRun(
  context: TrialContext,
  session: SessionSnapshot,
  run: RunRow,
  control: TrialControl,
  start?: CommonStart,
): Promise<RunRow> {
  const { experiment, tool, step } = stepOf(context, run);
  const connection = await connectionOf(context, tool, step);
  const generators = generatorsOf(context, step);
  // Trials of a session that an earlier version began get the seed that its other trials had.
  const seed = run.seed ?? experiment.measure.seed + run.repeat;
  const commands = generators.map(({ part }) =>
    launchedCommand(context, run, commandsOf(context, tool, step, { seed, connection, part }).run),
  );
  const findings = (
    await Promise.all(generators.map(({ machine }) => endOrphanJobs(context, machine, control)))
  ).flat();
  // Ids are stored before anything is sent: after a lost reply or a crash the same id attaches instead of starting twice.
  const jobs = generators.map(
    ({ machine }, index): RunJob => run.jobs[index] ?? { host: machine.name, jobId: randomUUID() },
  );
  const sources = context.store.atomically(() => {
    moveRun(context, run.id, 'launch', {
      jobs,
      command: eachGenerator(step.generators, ({ index }) => context.shownCommand(commands[index] as Command)),
      startedAt: run.startedAt ?? context.clock.now(),
      findings: [...doneBefore(context, run), ...findings],
    });
    context.store.jobs.runLaunched(run.id);
    return jobs.map(({ host }, position) =>
      context.store.sources.ensure(run.sessionId, { kind: 'generator', name: host, position }),
    );
  });
  control.onChanged();
  const starts = generators.map((generator, index) => ({
    generator,
    command: commands[index] as Command,
    job: jobs[index] as RunJob,
    source: sources[index] as Source,
  }));
  const waits = starts.length > 1 || start !== undefined;
  const together = { run, starts, ...(start && { group: { start, from: step.from ?? 0 } }) };
  const clocks = waits
    ? await startTogether(context, session, together, control)
    : await readClocks(context, starts, control);
  for (const { generator, command, job } of waits ? [] : starts)
    await launchStep(context, session, generator.machine, control, { command, jobId: job.jobId, owner: ownerOf(run) });
  // A user may have ended the trial while it was being launched, before there was anything to stop.
  if (control.ended()) await stopAll(context, starts, control);
  const known = context.store.runs.get(run.id)?.jobs ?? [];
  const running = moveRun(context, run.id, 'run', {
    jobs: jobs.map((job, index) => ({ ...job, ...known[index], ...(clocks[index] && { clock: clocks[index] }) })),
  });
  control.onChanged();
  return running;
}

/** Findings of the actions before the launch, which are stored with the run already. */
const doneBefore = ({ store }: TrialContext, { id }: RunRow): Finding[] =>
  (store.runs.get(id)?.findings ?? []).filter((finding) => kindOf(finding).by === 'before');

type Clock = NonNullable<RunJob['clock']>;

interface Start {
  generator: Generator;
  command: Command;
  job: RunJob;
  source: Source;
}

interface Together {
  run: RunRow;
  starts: readonly Start[];
  /** Its parallel group. `from`: seconds after the start of the group. */
  group?: { start: CommonStart; from: number };
}

const ownerOf = ({ id, sessionId }: RunRow): JobOwner => ({ sessionId, runId: id });

/** Starts every tool up to where it waits, then sends one moment to all of them, each by the clock of its own host. */
async function startTogether(
  context: TrialContext,
  session: SessionSnapshot,
  { run, starts, group }: Together,
  control: TrialControl,
): Promise<Clock[]> {
  try {
    // None is started to wait for one that cannot be reached.
    await ofEach(starts, control, ({ generator: { machine } }, waiting) =>
      untilReachable(machine, waiting, () => machine.exec('exit 0', { signal: waiting.signal })),
    );
    await startWaiting(context, session, { run, starts, ...(group && { group }) }, control);
    return control.ended() ? [] : await releaseAll(context, { run, starts, ...(group && { group }) }, control);
  } catch (error) {
    // Without all of them there is no trial: tools that are up must not measure, or wait, during the next one.
    if (!control.signal.aborted) {
      await stopAll(context, starts, control);
      for (const { job } of starts) keepForAWhile(context, job);
    }
    throw error;
  }
}

/**
 * Follows every launch to its end, even if another one fails: an interrupted launch may come up after we have looked for it, and would then wait in
 * vain.
 */
async function startWaiting(
  context: TrialContext,
  session: SessionSnapshot,
  { run, starts, group }: Together,
  control: TrialControl,
): Promise<void> {
  const launches = starts.map(({ generator, command, job }) =>
    launchStep(context, session, generator.machine, control, {
      command,
      jobId: job.jobId,
      owner: ownerOf(run),
      waitSeconds: TIMEOUT_SECONDS + (group?.from ?? 0),
    }),
  );
  const failed = (await Promise.allSettled(launches)).find((launch) => launch.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Reads the clock offsets of the generators, right before the tools start. */
const readClocks = (context: TrialContext, starts: readonly Start[], control: TrialControl): Promise<Clock[]> =>
  ofEach(starts, control, async ({ generator: { machine }, source }, waiting): Promise<Clock> => {
    const clock = await untilReachable(machine, waiting, () => context.readClock(machine, waiting.signal));
    if (clock === undefined) return { offsetMs: 0, roundTripMs: 0 };
    const { offsetMs, roundTripMs } = clock;
    const now = context.clock.now();
    const errorMs = roundTripMs / 2;
    context.store.sources.setClock(source.id, { offsetMs, errorMs, at: now });
    // The clock that the job will carry on from its start, a moment later.
    context.store.sources.addClock(source.id, { t: (now - offsetMs) / 1000, offsetMs, errorMs });
    return { offsetMs, roundTripMs };
  });

async function releaseAll(
  context: TrialContext,
  { run, starts, group }: Together,
  control: TrialControl,
): Promise<Clock[]> {
  const clocks = await readClocks(context, starts, control);
  const slowest = Math.max(...clocks.map((clock) => clock.roundTripMs));
  const leadMs = LEAD_MS + slowest * LEAD_ROUND_TRIPS;
  const common = group ? await group.start.arrive(leadMs, control.signal) : context.clock.now() + leadMs;
  if (common === undefined) return [];
  const moment = common + Math.round((group?.from ?? 0) * 1000);
  if (group) noteMoment(context, run, moment);
  await ofEach(starts, control, ({ generator: { machine, part }, job }, waiting) => {
    const hostMs = moment - (clocks[part.index] as Clock).offsetMs;
    return untilReachable(machine, waiting, () => context.jobs.release(machine, job.jobId, hostMs, waiting.signal));
  });
  return clocks;
}

/** Stored before the first tool is released, so the others get the same moment after any interruption. */
function noteMoment({ store }: TrialContext, { id }: RunRow, moment: number): void {
  const jobs = store.runs.get(id)?.jobs ?? [];
  store.runs.update(id, { startedAt: moment, jobs: jobs.map((job) => ({ ...job, startedAt: moment })) });
}

/** Runs for every start at once; results are in their order. */
const ofEach = <T>(
  starts: readonly Start[],
  control: TrialControl,
  act: (start: Start, waiting: Waiting) => Promise<T>,
): Promise<T[]> =>
  allOrNone(
    control.signal,
    starts.map((start) => (signal) => act(start, { ...control, signal })),
  );

async function stopAll(context: TrialContext, starts: readonly Start[], { signal }: TrialControl): Promise<void> {
  await Promise.all(
    starts.map(({ generator, job }) => context.jobs.stop(generator.machine, job.jobId, { cause: 'stop', signal })),
  );
}

/** The common start of parallel runs: each tool is started up to where it waits, then all are released on one clock. */
export class CommonStart {
  readonly #now: () => number;
  #missing: number;
  #leadMs = 0;
  readonly #moment = Promise.withResolvers<number | undefined>();

  /** `count`: runs that are expected to arrive. `known`: the moment that an earlier start of the app has sent to some of them. */
  constructor(now: () => number, count: number, known?: number) {
    this.#now = now;
    this.#missing = count;
    if (known !== undefined) this.#moment.resolve(known);
  }

  /**
   * A run is ready; its hosts need `leadMs` milliseconds of notice. Resolves with the moment, whole epoch milliseconds, once all are ready;
   * undefined if none is released any more. Throws `cancelled` when the signal aborts.
   */
  async arrive(leadMs: number, signal: AbortSignal): Promise<number | undefined> {
    this.#missing -= 1;
    this.#leadMs = Math.max(this.#leadMs, leadMs);
    if (this.#missing === 0) this.#moment.resolve(Math.round(this.#now() + this.#leadMs));
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = (): void => reject(new KneepointError({ code: 'cancelled', message: 'The start was interrupted.' }));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await Promise.race([this.#moment.promise, promise]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Runs that wait, or arrive later, do not start. */
  cancel(): void {
    this.#moment.resolve(undefined);
  }
}

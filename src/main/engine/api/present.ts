import { evaluateCost } from '../../../shared/costs/index.ts';
import type { CostResult } from '../../../shared/model/cost.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Run, RunGenerator, Session, SessionDetail } from '../../../shared/model/session.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import type { Overviews } from '../results/index.ts';
import { contextOf, type Sessions } from '../runs/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { RunJob, RunRow, SessionRow, Store } from '../store/store.ts';
import type { Prices } from './prices.ts';
import { waitsForVault } from './resuming.ts';

export interface PresentContext {
  store: Store;
  secrets: Secrets;
  sessions: Sessions;
  overviews: Overviews;
  prices: Prices;
  now(): number;
}

/** A session row with what a list shows of it. */
export function presentSession(context: PresentContext, row: SessionRow): Session {
  const { store, sessions } = context;
  const { experiment, plan, primaryMetric, target } = contextOf(row);
  const runs = store.runs.ofSession(row.id);
  const ended = runs.filter((run) => ENDED_RUN.includes(run.state));
  const { sparkline, best } = context.overviews.of(plan.cells, runs, primaryMetric);
  const activity = sessions.activity(row.id);
  const cost = priceOf(context, row);
  // The engine died while it was running, and nobody has taken it up again yet.
  const orphan = !sessions.isActive(row.id) && ['starting', 'running', 'pausing', 'stopping'].includes(row.state);
  const expectedEndAt = expectedEnd(context, row, runs);
  const locked = (orphan || row.state === 'interrupted') && waitsForVault(context, row);
  const message = locked ? WAITS_FOR_VAULT : row.message;
  const targetName = experiment.where.target ?? target?.name;
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    tags: row.tags,
    state: orphan ? 'interrupted' : row.state,
    tool: experiment.workload.tool,
    generators: experiment.where.generators,
    createdAt: row.createdAt,
    cells: plan.cells.length,
    repeats: experiment.measure.repeats,
    trialsTotal: runs.length,
    trialsEnded: ended.length,
    trialsFailed: ended.filter((run) => run.state === 'failed' || run.state === 'lost').length,
    primaryMetric,
    sparkline,
    ...(experiment.question !== undefined && { question: experiment.question }),
    ...(message !== null && { message }),
    ...(locked && { waitsForVault: true }),
    ...(targetName !== undefined && { target: targetName }),
    ...(row.startedAt !== null && { startedAt: row.startedAt }),
    ...(row.endedAt !== null && { endedAt: row.endedAt }),
    ...(best && { best }),
    ...(activity !== undefined && { activity }),
    ...(expectedEndAt !== undefined && { expectedEndAt }),
    ...(cost && { costPerHour: cost.perHour, currency: cost.currency }),
  };
}

const WAITS_FOR_VAULT =
  'Kneepoint ended while this session was under way, and the passwords it needs are in the locked vault. Unlock it, and the session goes on by itself.';

/** A stored price can name what a newer catalogue no longer has: the list then shows none, and the cost view says why. */
function priceOf(context: PresentContext, row: SessionRow): CostResult | undefined {
  if (!row.cost) return undefined;
  try {
    return evaluateCost(row.cost, context.prices.catalogue());
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'bad-request') return undefined;
    throw error;
  }
}

/** From the trials left: what each takes by plan, less what the running one has behind it. */
function expectedEnd(context: PresentContext, row: SessionRow, runs: readonly RunRow[]): number | undefined {
  if (!context.sessions.isActive(row.id) || row.state === 'starting') return undefined;
  const { plan, experiment } = contextOf(row);
  const perTrial = plan.seconds / Math.max(1, plan.trials.length);
  let seconds = 0;
  for (const run of runs) {
    if (run.state === 'pending' || run.state === 'launching') seconds += perTrial;
    else if (run.state === 'running') {
      const whole = experiment.measure.warmup + experiment.measure.duration;
      const gone = run.startedAt === null ? 0 : (context.now() - run.startedAt) / 1000;
      seconds += Math.max(0, whole - gone);
    }
  }
  return context.now() + seconds * 1000;
}

export function presentRun(store: Store, row: RunRow): Run {
  return {
    id: row.id,
    sessionId: row.sessionId,
    trial: row.trial,
    cell: row.cell,
    repeat: row.repeat,
    levels: row.levels,
    state: row.state,
    warmup: row.warmup,
    duration: row.duration,
    summary: row.summary,
    findings: row.findings,
    partial: row.partial,
    seconds: secondsOf(store, row),
    ...(row.jobs.length > 1 && {
      generators: row.jobs.map((job, index) => presentGenerator(store, row.id, job, index)),
    }),
    ...(row.message !== null && { message: row.message }),
    ...(row.exit !== null && { exit: row.exit }),
    ...(row.command !== null && { command: row.command }),
    ...(row.startedAt !== null && { startedAt: row.startedAt }),
    ...(row.endedAt !== null && { endedAt: row.endedAt }),
  };
}

/** Of several generators the one that has most: what can be seen of the run. */
const secondsOf = (store: Store, row: RunRow): number =>
  Math.max(store.samples.count(row.id, 0), ...row.jobs.map((_, generator) => store.samples.count(row.id, generator)));

const presentGenerator = (store: Store, runId: number, job: RunJob, generator: number): RunGenerator => ({
  host: job.host,
  seconds: store.samples.count(runId, generator),
  summary: job.summary ?? {},
  ...(job.startedAt !== undefined && { startedAt: job.startedAt }),
  ...(job.clock && { clockOffsetMs: job.clock.offsetMs, clockErrorMs: job.clock.roundTripMs / 2 }),
  ...(job.exit && { exit: job.exit }),
  ...(job.message !== undefined && { message: job.message }),
});

export function presentDetail(context: PresentContext, row: SessionRow): SessionDetail {
  const { experiment, plan, hosts, target, toolVersion, appVersion, findings } = contextOf(row);
  return {
    session: presentSession(context, row),
    experiment,
    experimentText: row.experimentText,
    plan,
    hosts,
    appVersion,
    findings,
    ...(target && { target }),
    ...(toolVersion !== undefined && { toolVersion }),
    ...(row.note !== '' && { note: row.note }),
  };
}

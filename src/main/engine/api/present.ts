import { evaluateCost } from '../../../shared/costs/index.ts';
import type { CostResult } from '../../../shared/model/cost.ts';
import { headlineStep, withoutSteps } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Run, RunGenerator, Session, SessionDetail } from '../../../shared/model/session.ts';
import { storedTargets, targetsOf } from '../../../shared/model/session-snapshot.ts';
import { EXECUTED_SESSION } from '../../../shared/model/states.ts';
import { TOOK } from '../../../shared/model/step.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { changedSinceStart, factFindings, nodeFindings } from '../comparing/index.ts';
import type { Figures, Overviews } from '../results/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { Sessions } from '../session/index.ts';
import type { RunJob, RunRow, SessionRow, Store } from '../store/store.ts';
import type { Prices } from './context.ts';
import { waitsForVault } from './resuming.ts';

export interface PresentContext {
  store: Store;
  secrets: Secrets;
  sessions: Sessions;
  overviews: Overviews;
  prices: Prices;
  now(): number;
}

/** A session row with the columns of a list. Reads neither snapshot nor samples: live pages ask four times a second. */
export function presentSession(
  context: PresentContext,
  row: SessionRow,
  {
    open = () => context.store.runs.open(row.id),
    figures = { overview: context.overviews.known(row), follow: false },
  }: { open?: () => readonly RunRow[]; figures?: Figures } = {},
): Session {
  const { store, sessions } = context;
  const { sparkline, curves, best, answer } = figures.overview;
  const headline = row.steps[headlineStep(row.steps)];
  const activity = sessions.activity(row.id);
  const activitySince = sessions.activitySince(row.id);
  const changesLeft = sessions.remainingChanges(row.id);
  const cost = priceOf(context, row);
  // The engine died while the session was running, and it has not been continued yet. With another engine on the library, it belongs to that one.
  const orphan =
    store.readOnly()?.code !== 'store-busy' && !sessions.isActive(row.id) && EXECUTED_SESSION.includes(row.state);
  const expectedEndAt = expectedEnd(context, row, open);
  const isOpen = row.endedAt === null && row.startedAt !== null;
  const idleSince = isOpen ? sessions.idleSince(row.id) : undefined;
  const needs = sessions.needs(row.id);
  const { missing, stoppedBy } = missingOf(context, row);
  const locked = (orphan || row.state === 'interrupted') && waitsForVault(context, row);
  const message = locked ? WAITS_FOR_VAULT : row.message;
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    tags: row.tags,
    state: orphan ? 'interrupted' : row.state,
    tool: headline?.tool ?? '',
    generators: row.generators,
    createdAt: row.createdAt,
    cells: row.cells,
    repeats: row.repeats,
    trialsTotal: row.trialsTotal,
    trialsEnded: row.trialsEnded,
    trialsFailed: row.trialsFailed,
    primaryMetric: headline?.metric ?? null,
    sparkline,
    ...(row.origin !== 'measured' && { origin: row.origin }),
    ...(row.mechanics && { mechanics: 'only' }),
    ...(row.steps.length > 1 && { steps: [...row.steps] }),
    ...(curves && { curves }),
    ...(figures.follow && { figuresFollow: true }),
    ...(row.experiment !== null && { experiment: row.experiment }),
    ...(row.question !== null && { question: row.question }),
    ...(message !== null && { message }),
    ...(locked && { waitsForVault: true }),
    ...(needs && { needs }),
    ...(missing > 0 && { trialsMissing: missing }),
    ...(stoppedBy !== undefined && { stoppedBy }),
    ...(row.targets.length === 1 && { target: row.targets[0] }),
    ...(row.targets.length > 1 && { targets: row.targets }),
    ...(row.startedAt !== null && { startedAt: row.startedAt }),
    ...(row.endedAt !== null && { endedAt: row.endedAt }),
    ...(row.idleMs > 0 && { idleMs: row.idleMs }),
    ...(idleSince !== undefined && { idleSince }),
    ...(best && { best }),
    ...(answer !== undefined && { answer }),
    ...(activity !== undefined && { activity }),
    ...(activitySince !== undefined && { activitySince }),
    ...(changesLeft && { changesLeft }),
    ...(expectedEndAt !== undefined && { expectedEndAt }),
    ...(cost && { costPerHour: cost.perHour, currency: cost.currency }),
    ...(cost?.asOf !== undefined && { pricesAsOf: cost.asOf }),
  };
}

const WAITS_FOR_VAULT =
  'Kneepoint ended while this session was under way, and the passwords it needs are in the locked vault. Unlock it to continue the session.';

/** Trials that a done session has not measured, and the stop rules behind that. */
function missingOf(
  { store }: PresentContext,
  { id, state, trialsMissing }: SessionRow,
): { missing: number; stoppedBy?: string } {
  const missing = state === 'done' ? trialsMissing : 0;
  if (missing === 0) return { missing };
  const notNeeded = store.runs.notNeeded(id);
  if (notNeeded === 0) return { missing };
  const stops = store.events.stops(id);
  const limits = stops.flatMap(({ rule, message }) => (rule === 'interval' ? [] : [message]));
  const cells = stops.length - limits.length;
  const reached = `${formatCount(cells, 'cell')} reached the requested interval`;
  const precise =
    cells === 0
      ? []
      : [
          limits.length > 0
            ? `${reached}.`
            : `${reached}, so ${formatCount(notNeeded, 'trial')} ${notNeeded === 1 ? 'was' : 'were'} not needed.`,
        ];
  return { missing: missing - notNeeded, stoppedBy: [...limits, ...precise].join(' ') };
}

/** A stored price can refer to an item that a newer catalogue no longer has: the list then shows none, and the cost view shows why. */
function priceOf(context: PresentContext, row: SessionRow): CostResult | undefined {
  if (!row.cost) return undefined;
  try {
    return evaluateCost(row.cost, context.prices.catalogue());
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'bad-request') return undefined;
    throw error;
  }
}

/** Remaining share of a session after a number of its trials, by session id. */
const shares = new WeakMap<Store, Map<number, { stamp: string; share: number }>>();

/** Cells may be measured for different times. Counted only when a trial has begun or ended. */
function remainingShare(
  { store }: PresentContext,
  { id, trialsEnded, trialsTotal }: SessionRow,
  running: number,
): number {
  const known = shares.get(store) ?? new Map<number, { stamp: string; share: number }>();
  shares.set(store, known);
  const stamp = `${trialsEnded} ${running} ${trialsTotal}`;
  const had = known.get(id);
  if (had?.stamp === stamp) return had.share;
  const share = store.runs.remainingShare(id);
  known.set(id, { stamp, share });
  return share;
}

/** Planned time of the remaining trials, minus the elapsed time of the running one. */
function expectedEnd(context: PresentContext, row: SessionRow, open: () => readonly RunRow[]): number | undefined {
  if (!context.sessions.isActive(row.id) || row.state === 'starting') return undefined;
  const running = open().filter(({ state }) => state === 'running');
  const remaining = running.map(({ warmup, duration, startedAt }) => {
    const gone = startedAt === null ? 0 : (context.now() - startedAt) / 1000;
    return warmup + duration - gone;
  });
  // Several runs belong to parallel steps, and the longest of them counts.
  const seconds = row.plannedSeconds * remainingShare(context, row, running.length) + Math.max(0, ...remaining);
  return context.now() + seconds * 1000;
}

/** `progress`: number of stored seconds of each generator. */
export function presentRun(
  context: Pick<PresentContext, 'store' | 'sessions' | 'now'>,
  row: RunRow,
  progress = context.store.samples.progress(row.id),
): Run {
  const stored = Math.max(0, ...progress.map(({ rows }) => rows));
  const lag = context.sessions.lag(row.id);
  const { name: stepName, metric } = context.store.sessions.get(row.sessionId)?.steps[row.step] ?? {};
  const taken = metric === TOOK ? elapsedSeconds(context, row) : undefined;
  return {
    id: row.id,
    sessionId: row.sessionId,
    trial: row.trial,
    cell: row.cell,
    repeat: row.repeat,
    ...(row.step > 0 && { step: row.step }),
    ...(stepName !== undefined && { stepName }),
    levels: row.levels,
    state: row.state,
    warmup: row.warmup,
    // A step that ends by itself has the length that it took.
    duration: taken ?? row.duration,
    summary: row.summary,
    findings: row.findings,
    partial: row.partial,
    // The generator with the most seconds: the visible part of the run.
    seconds: stored > 0 ? stored : (taken ?? watchedSeconds(context, row)),
    ...(row.jobs.length > 1 && {
      generators: row.jobs.map((job, index) =>
        presentGenerator(job, progress.find(({ generator }) => generator === index)?.rows ?? 0),
      ),
    }),
    ...(row.facts.length > 0 && { facts: row.facts }),
    ...(row.seed !== null && { seed: row.seed }),
    ...(row.excluded && { excluded: row.excluded }),
    ...(row.message !== null && { message: row.message }),
    ...(row.exit !== null && { exit: row.exit }),
    ...(row.command !== null && { command: row.command }),
    ...(row.startedAt !== null && { startedAt: row.startedAt }),
    ...(row.endedAt !== null && { endedAt: row.endedAt }),
    ...(lag !== undefined && { lag }),
  };
}

/** Whole seconds since the start of a run, or its duration once it has ended. Undefined before its start. */
const elapsedSeconds = ({ now }: Pick<PresentContext, 'now'>, { startedAt, endedAt }: RunRow): number | undefined =>
  startedAt === null ? undefined : Math.max(1, Math.ceil(((endedAt ?? now()) - startedAt) / 1000));

/** Seconds of a run whose tool has no samples because it measures nothing. 0 for any other. */
function watchedSeconds({ store, now }: Pick<PresentContext, 'store' | 'now'>, row: RunRow): number {
  const { startedAt, endedAt, sessionId, warmup, duration } = row;
  if (startedAt === null || store.sessions.get(sessionId)?.steps[row.step]?.metric !== null) return 0;
  return Math.min(warmup + duration, Math.max(0, Math.floor(((endedAt ?? now()) - startedAt) / 1000)));
}

const presentGenerator = (job: RunJob, seconds: number): RunGenerator => ({
  host: job.host,
  seconds,
  summary: job.summary ?? {},
  ...(job.startedAt !== undefined && { startedAt: job.startedAt }),
  ...(job.clock && { clockOffsetMs: job.clock.offsetMs, clockErrorMs: job.clock.roundTripMs / 2 }),
  ...(job.exit && { exit: job.exit }),
  ...(job.message !== undefined && { message: job.message }),
});

export function presentDetail(context: PresentContext, row: SessionRow): SessionDetail {
  const {
    experiment,
    experimentText,
    plan,
    hosts,
    toolVersion,
    appVersion,
    findings,
    later,
    measures,
    charts,
    ...facts
  } = context.store.sessions.snapshot(row.id);
  const detail = {
    session: presentSession(context, row),
    ...{ experiment, experimentText, hosts, appVersion },
    plan: { ...plan, cells: plan.cells.map(withoutSteps) },
    ...storedTargets(targetsOf(facts)),
    ...(toolVersion !== undefined && { toolVersion }),
    ...(facts.places && { places: facts.places }),
    ...(later && {
      later: later.map(({ grown, ...part }) => ({
        ...part,
        ...(grown && { grown: { ...grown, cells: grown.cells.map(withoutSteps) } }),
      })),
    }),
    ...(row.note !== '' && { note: row.note }),
    ...(measures && { measures: [...measures] }),
    ...(charts && { charts: [...charts] }),
  };
  return {
    ...detail,
    findings: [
      ...findings,
      ...context.store.events.findings(row.id),
      ...factFindings(detail),
      ...nodeFindings(detail),
      ...changedSinceStart(detail),
    ],
  };
}

import { type EngineFinding, isOfLaunch } from '../../../shared/checks/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatDuration, formatPercent, withinSentence } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import { mayBeAtWork } from '../jobs/job.ts';
import { isAct, partOf } from '../plans/index.ts';
import { type Generator, moveRun, stepOf, toLocalTime, untilReachable } from '../runs/index.ts';
import type { RunJob, RunRow } from '../store/store.ts';
import { keepForAWhile, removeLeftoverSecrets, secretsGone } from '../world/index.ts';
import type { Collected } from './collect.ts';
import type { TrialContext, TrialControl } from './context.ts';
import { TIMEOUT_SECONDS } from './launching.ts';
import { recordParallelSteps, scenarioEffects } from './scenario-acts.ts';
import { runSizes } from './sizes.ts';
import { mergeLatencies, mergeSummaries, noteCheckpoints } from './summaries.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { noteZero, zeroOfJob } from './zero.ts';

/** State change of a run by the verdict on its worst generator. */
const TRIGGERS = { done: 'finish', failed: 'fail', lost: 'lose', skipped: 'skip', stopped: 'stop' } as const;

/** Result of one generator: `job` with its second 0, and with the actual time of its start if it waited for others. */
interface Ended extends Verdict {
  job: RunJob;
  collected: Collected;
  endedAt: number;
}

/**
 * Stores the outcome of a run whose tools have all ended, or cannot be followed any further. `against`: findings against their measurement. Safe to
 * repeat.
 */
export async function conclude(
  context: TrialContext,
  run: RunRow,
  generators: readonly Generator[],
  collected: readonly Collected[],
  against: readonly Finding[],
  control: TrialControl,
): Promise<RunRow> {
  const parts = await Promise.all(
    generators.map((generator) => endedOf(context, run, generator, collected[generator.part.index], control)),
  );
  const [first] = parts;
  if (!first) throw new KneepointError({ code: 'internal', message: `Run ${run.id} has no job.`, run: run.id });
  const several = parts.length > 1;
  const worst = worstOf(parts, first);
  const fault = against.find(({ severity }) => severity === 'error');
  const isRefuted = worst.state === 'done' && fault !== undefined;
  const own = several && !control.ended() ? missingWords(parts) : worst.message;
  const words = fault && [fault.message, fault.next].filter(Boolean).join(' ');
  const message =
    [...(isRefuted ? [] : [own]), ...(control.ended() ? [] : [words])].filter(Boolean).join(' ') || undefined;
  const outcomes = parts.map(({ collected: { outcome } }) => outcome);
  const endedAt = Math.max(...parts.map((part) => part.endedAt));
  if (!isAct(stepOf(context, run).step)) recordParallelSteps(context, run, endedAt);
  const change = {
    exit: worst.collected.exit,
    endedAt,
    summary: {
      ...(several ? mergeSummaries(outcomes) : first.collected.outcome.summary),
      ...runSizes(context.store, run),
    },
    findings: [
      ...run.findings.filter(isOfLaunch),
      ...scenarioEffects(context, run),
      ...against,
      ...(several ? [...unevenLoadFindings(context, run, parts), ...parts.flatMap(named)] : first.findings),
    ],
    partial: worst.state !== 'done',
    jobs: parts.map((part) => (several ? storedJob(part) : part.job)),
    ...(message !== undefined && { message }),
  };
  const updated = context.store.atomically(() => {
    noteCheckpoints(context, run, outcomes);
    context.store.latencies.set(run.id, mergeLatencies(outcomes));
    parts.forEach(({ job }, index) => {
      noteZero(context.store, run, index, job);
    });
    return moveRun(context, run.id, isRefuted ? 'fail' : TRIGGERS[worst.state], change);
  });
  // Not sealed while an end is unknown: more output may come when a lost job is adopted.
  if (parts.every((part) => part.collected.status.state === 'ended')) {
    context.store.samples.seal(run.id);
    context.sealed?.(updated);
    for (const job of run.jobs) {
      keepForAWhile(context, job);
      context.store.jobs.jobEnded(job.host, job.jobId);
      secretsGone(context, job);
    }
  } else for (const { machine } of generators) await removeLeftoverSecrets(context, machine, control.signal);
  return updated;
}

async function endedOf(
  context: TrialContext,
  run: RunRow,
  { machine, part }: Generator,
  collected: Collected | undefined,
  control: TrialControl,
): Promise<Ended> {
  const launched = run.jobs[part.index];
  if (!launched || !collected)
    throw new KneepointError({ code: 'internal', message: `Run ${run.id} has no job.`, run: run.id });
  await endUnfollowed(context, machine, launched, collected, control);
  const zero = zeroOfJob(context.store, run.id, part.index, collected.recorder.places);
  const job = { ...launched, ...(zero && { zero }) };
  const { end } = collected;
  const endedAt = end ? await toLocalTime(context, machine, end.at, control.signal) : context.clock.now();
  const verdict = verdictOf(collected, endsOnRequest(context, run) ? undefined : control.ended(), control.why?.());
  if (part.count === 1 && stepOf(context, run).step.parallel === undefined)
    return { ...verdict, job, collected, endedAt };
  const { signal } = control;
  const began = await untilReachable(machine, control, () => context.jobs.startTime(machine, job.jobId, signal)).catch(
    unlessGone,
  );
  if (began === undefined)
    return { ...(control.ended() || verdict.state === 'lost' ? verdict : NEVER_STARTED), job, collected, endedAt };
  const clock = job.clock ?? (await untilReachable(machine, control, () => context.readClock(machine, signal)));
  const startedAt = began + (clock?.offsetMs ?? 0);
  const late = part.count === 1 && launched.startedAt !== undefined ? lateFindings(startedAt - launched.startedAt) : [];
  return {
    ...verdict,
    findings: [...verdict.findings, ...late],
    job: { ...job, startedAt, ...(clock && { clock }) },
    collected,
    endedAt,
  };
}

/** Whether a run that a user ends early is judged as if it had ended by itself. */
function endsOnRequest(context: TrialContext, run: RunRow): boolean {
  const { tool, step } = stepOf(context, run);
  return tool.endsOnRequest?.(step.options) ?? false;
}

/**
 * Ends a tool whose output cannot be followed any more: it would load the target during the next trial. If it cannot be ended, it is found again
 * before that trial.
 */
async function endUnfollowed(
  context: TrialContext,
  machine: Machine,
  job: RunJob,
  { status, lost }: Collected,
  control: TrialControl,
): Promise<void> {
  if (lost === undefined || !mayBeAtWork(status)) return;
  control.notice('warn', `${lost} Ending its tool, so that it puts no load on the target during the next trial.`);
  const { left } = await untilReachable(machine, control, () =>
    context.jobs.stop(machine, job.jobId, { cause: 'stop', signal: control.signal }),
  );
  if (left === 0) context.store.jobs.jobEnded(job.host, job.jobId);
}

/** Without its folder, the time of its start is lost too. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof KneepointError) || error.code !== 'job-lost') throw error;
}

const NEVER_STARTED: Verdict = {
  state: 'failed',
  message: `The tool was not started within ${TIMEOUT_SECONDS / 60} minutes after it was ready, so nothing was measured.`,
  findings: [],
};

/** The generator that decides the outcome: a lost one before a failed one, and the first of equals. */
function worstOf(parts: readonly Ended[], first: Ended): Ended {
  const lost = parts.find((part) => part.state === 'lost');
  return lost ?? parts.find((part) => part.state !== 'done') ?? first;
}

/** Describes which generators are missing and which are complete; undefined if none is missing. */
function missingWords(parts: readonly Ended[]): string | undefined {
  const missing = parts.filter((part) => part.state !== 'done');
  if (missing.length === 0) return undefined;
  const whole = parts.filter((part) => part.state === 'done').map(({ job }) => job.host);
  const words = missing.map(({ job, message, state }) => `${job.host}: ${message ?? `it ${state}.`}`).join(' ');
  const kept =
    whole.length > 0
      ? `${whole.join(', ')} measured to the end, but ${missing.length} of ${parts.length} generators did not: only seconds measured by all of them are summed.`
      : 'None of the generators measured to the end.';
  return `${words} ${kept}`;
}

/** Findings on differences between the generators' own figures. */
function unevenLoadFindings(context: TrialContext, run: RunRow, parts: readonly Ended[]): Finding[] {
  const jobs = parts.map(storedJob);
  const { tool, step, metric } = stepOf(context, run);
  const shares = parts.map((_, index) => {
    const own = partOf(tool, step.options, { index, count: parts.length });
    return tool.load?.connections?.(own) ?? tool.load?.workers?.count(own) ?? 1;
  });
  return [...startFindings(jobs), ...(metric === null ? [] : unevenFindings(jobs, metric, shares))];
}

const named = ({ job, findings }: Ended): Finding[] =>
  findings.map((finding) => ({ ...finding, message: `${job.host}: ${finding.message}` }));

const storedJob = ({ job, collected, message }: Ended): RunJob => ({
  ...job,
  exit: collected.exit,
  summary: collected.outcome.summary,
  ...(message !== undefined && { message }),
});

/** Generators that start further apart than this do not measure the same seconds any more. */
const WIDE_START_MS = 500;
/** Share of the best rate per connection. A lower rate means that something limits this generator or its connection to the target. */
const EVEN_SHARE = 0.8;

/** Reports how far apart the generators started, and how exactly that is known. */
export function startFindings(jobs: readonly RunJob[]): EngineFinding[] {
  const starts = jobs.flatMap(({ startedAt }) => startedAt ?? []);
  if (starts.length < 2) return [];
  const spread = Math.round(Math.max(...starts) - Math.min(...starts));
  const known = Math.ceil(Math.max(...jobs.map(({ clock }) => (clock?.roundTripMs ?? 0) / 2)));
  const wide = spread > WIDE_START_MS;
  return [
    {
      code: 'start-spread',
      severity: wide ? 'warn' : 'note',
      message: `The generators started within ${spread} ms of each other, with clock errors of up to ${known} ms.`,
      ...(wide && {
        next: 'Their seconds are aligned by start time, so not every generator covers the first and last seconds.',
      }),
    },
  ];
}

/** Reports a parallel step that began later than its group requires: its host was unreachable, for example. */
const lateFindings = (lateMs: number): EngineFinding[] =>
  lateMs <= WIDE_START_MS
    ? []
    : [
        {
          code: 'start-spread',
          severity: 'warn',
          message: `It started ${formatDuration(Math.round(lateMs / 1000))} later than planned relative to the parallel steps.`,
          next: 'Its seconds do not line up with those of the other steps. Repeat the trial.',
        },
      ];

/** Reports generators with a much lower rate per connection than the best one. `shares`: connections of each, in the order of `jobs`. */
export function unevenFindings(jobs: readonly RunJob[], metric: string, shares: readonly number[]): EngineFinding[] {
  const { combine, label } = metricOf(metric);
  if (combine !== 'sum') return [];
  const rates = jobs.flatMap(({ host, summary }, index) => {
    const figure = summary?.[metric];
    const share = shares[index];
    return figure === undefined || !share ? [] : [{ host, rate: figure / share }];
  });
  const best = Math.max(...rates.map(({ rate }) => rate));
  const slow = rates.filter(({ rate }) => rate < best * EVEN_SHARE);
  if (rates.length < 2 || slow.length === 0) return [];
  const words = slow.map(({ host, rate }) => `${host} ${formatPercent(1 - rate / best, 0)} fewer`).join(', ');
  return [
    {
      code: 'uneven-generators',
      severity: 'warn',
      message: `The generators did not produce equal load: per connection or thread ${words} ${withinSentence(label)} than the best one.`,
      next: 'Check CPU and network of the slower ones: they may be the limit, not the target.',
    },
  ];
}

import type { Experiment } from '../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { SessionStep } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { LaunchLimits } from '../../../shared/model/tool.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobSpec } from '../jobs/job.ts';
import {
  generatorSeed,
  hostsOf,
  nodeOn,
  partOf,
  restartOf,
  type Step,
  stepOfRun,
  type Workload,
} from '../plans/index.ts';
import type { RunRow } from '../store/store.ts';
import { GENERATOR_KIND } from '../targets/index.ts';
import { actToolById, preparedIn, RestartParser, withRestarts } from '../tools/index.ts';
import type { Command, ParseEvents, Parser, Part, Tool, ToolPlan } from '../tools/tool.ts';
import type { RunsContext } from './context.ts';
import { atServer, databaseKeyOf } from './occupied.ts';

const DAY_SECONDS = 86_400;

export function toolOf(context: Pick<RunsContext, 'tools'>, id: string): Tool {
  const tool = context.tools.find((entry) => entry.id === id) ?? actToolById(id);
  if (!tool)
    throw new KneepointError({ code: 'not-found', message: `This version of Kneepoint has no tool named “${id}”.` });
  return tool;
}

/** Returns each tool of these steps once. Throws not-found for an unknown one. */
export const toolsOf = (context: Pick<RunsContext, 'tools'>, steps: readonly Pick<SessionStep, 'tool'>[]): Tool[] =>
  [...new Set(steps.map(({ tool }) => tool))].map((id) => toolOf(context, id));

/** Facts that order the trials of an experiment, or of a step, by the data they need. Throws not-found for an unknown tool. */
export function workloadOf(
  context: Pick<RunsContext, 'tools' | 'targets'>,
  { workload }: Pick<Experiment, 'workload'>,
): Workload {
  return {
    tool: toolOf(context, workload.tool),
    kindOf: (target) => (target === undefined ? GENERATOR_KIND : context.targets.spec(target).kind),
    databaseOf: (target) => databaseOf(context, target),
  };
}

/** Key of a target's database: equal for two targets that lead to the same database. An unknown target is reported where it is needed. */
export function databaseOf({ targets }: Pick<RunsContext, 'targets'>, target: string): string {
  const specOf = (name: string) => (targets.shown(name) ? targets.spec(name) : undefined);
  const spec = specOf(target);
  return spec ? databaseKeyOf(spec, specOf) : target;
}

/** Returns the step of a run with its tool, the metric shown first for it, and the document of its session. */
export function stepOf(
  context: Pick<RunsContext, 'store' | 'tools'>,
  run: Pick<RunRow, 'sessionId' | 'cell' | 'levels' | 'step'>,
): { experiment: Experiment; tool: Tool; step: Step; metric: string | null } {
  const snapshot = context.store.sessions.snapshot(run.sessionId);
  const known = stepOfRun(snapshot, run, (id) => toolOf(context, id));
  if (!known)
    throw new KneepointError({
      code: 'not-found',
      message: `Trials of session ${run.sessionId} have no step ${run.step + 1}.`,
      session: run.sessionId,
    });
  return { experiment: snapshot.experiment, ...known, metric: snapshot.steps[run.step]?.metric ?? null };
}

/** The metric that the run's tool itself shows first; null if it only watches. */
export const metricOfRun = ({ steps }: Pick<SessionSnapshot, 'steps'>, { step }: Pick<RunRow, 'step'>): string | null =>
  steps[step]?.toolMetric ?? steps[step]?.metric ?? null;

/** The commands of one step: for all of it, or for one generator's part. */
export function commandsOf(
  context: Pick<RunsContext, 'nodePath' | 'assetsDir'>,
  tool: Tool,
  { options, warmup, duration, launch, ...places }: Step,
  { seed, connection, part = { index: 0, count: 1 } }: { seed: number; connection: ConnectionFacts; part?: Part },
): ToolPlan {
  const hosts = hostsOf(places);
  const plan = tool.plan({
    options: partOf(tool, options, part),
    connection: wayOf(tool, connection, places, part),
    warmup,
    duration,
    seed: generatorSeed(seed, part),
    part,
    generators: hosts.length,
    nodePath: nodeOn(hosts[part.index], context.nodePath),
    assetsDir: context.assetsDir,
  });
  return { ...plan, run: under(launch, plan.run) };
}

/**
 * Connection of one generator. If its tool shares its connections among addresses, it gets all addresses that the step uses, beginning with a
 * different one on each generator; otherwise it gets one of them, in turn by generator. Through the app, it gets the first one.
 */
export function wayOf(
  tool: Pick<Tool, 'load'>,
  { addresses = [], ...first }: ConnectionFacts,
  { nodes }: Pick<Step, 'nodes'>,
  { index }: Pick<Part, 'index'>,
): ConnectionFacts {
  const used = addresses.slice(0, nodes ?? addresses.length);
  if (used.length < 2 || first.relay !== undefined) return first;
  const from = index % used.length;
  const own = { ...first, ...used[from] };
  return tool.load?.sharesAddresses?.(used, first.kind)
    ? { ...own, addresses: [...used.slice(from), ...used.slice(0, from)] }
    : own;
}

/** The same connection to the first address only, for work that is done once. */
export const toFirst = ({ addresses: _all, ...first }: ConnectionFacts): ConnectionFacts => first;

/** Parser of a run's output on one generator. */
export function parserOf(
  context: Pick<RunsContext, 'store' | 'tools'>,
  run: Pick<RunRow, 'sessionId' | 'cell' | 'levels' | 'step'>,
  part: Part,
): (events: ParseEvents) => Parser {
  const { experiment, tool, step } = stepOf(context, run);
  const make = (events: ParseEvents): Parser => tool.parser('run', partOf(tool, step.options, part), events);
  return restartOf(experiment, run.step, { tool, step }) ? (events) => new RestartParser(make, events) : make;
}

/** The command that a run launches, in a loop if its tool is started again. */
export function launchedCommand(
  context: Pick<RunsContext, 'store' | 'tools'>,
  run: Pick<RunRow, 'sessionId' | 'cell' | 'levels' | 'step'>,
  command: Command,
): Command {
  const { experiment, tool, step } = stepOf(context, run);
  const again = restartOf(experiment, run.step, { tool, step });
  return again ? withRestarts(command, again) : command;
}

/** A command under the limits of its cell. */
export const under = ({ cpus, limits = {} }: LaunchLimits, command: Command): Command =>
  cpus === undefined && Object.keys(limits).length === 0
    ? command
    : { ...command, under: { ...(cpus && { cpus }), limits } };

/** Whether the tool runs on this computer as part of the app, and not on a host as other tools do. */
export const runsHere = (tool: Tool, generator: string): boolean =>
  tool.partOfApp !== undefined && generator === LOCAL_HOST_NAME;

/**
 * Connection of the tool in a step: to the saved target, or of the kind that a workload without one needs. A step that prepares or removes data
 * connects to the server by its first address, also behind a proxy.
 */
export async function connectionOf(context: RunsContext, tool: Tool, step: Step): Promise<ConnectionFacts> {
  return preparedIn(tool.id, step.options)
    ? toFirst(await connectionTo(context, tool, atServer(context, step)))
    : connectionTo(context, tool, step);
}

async function connectionTo(
  context: RunsContext,
  tool: Tool,
  { target, options, ...places }: Step,
): Promise<ConnectionFacts> {
  const hosts = hostsOf(places);
  if (actToolById(tool.id) && tool.needs(options).length === 0) return { kind: GENERATOR_KIND };
  if (target !== undefined)
    return hosts.every((name) => runsHere(tool, name))
      ? context.targets.connectionThroughApp(target)
      : seenFrom(await context.targets.connection(target), hosts);
  return { kind: tool.needs(options)[0] ?? GENERATOR_KIND };
}

/** The connection as these generators see it: a loopback address is each one's own. On this computer it may be a tunnel to anywhere. */
export const seenFrom = (connection: ConnectionFacts, generators: readonly string[]): ConnectionFacts =>
  isLoopback(connection.host ?? '') && !generators.includes(LOCAL_HOST_NAME)
    ? { ...connection, endsOnServerHost: true }
    : connection;

/** Seconds after which a tool is ended: a fifth more than planned, at least a minute more. One without a planned time, as a prepare step, has a day. */
export const toolLimit = (plannedSeconds: number): number =>
  plannedSeconds > 0 ? plannedSeconds + Math.max(60, plannedSeconds / 5) : DAY_SECONDS;

/**
 * A step as a job. The start time of its program is added to its limit.
 * `waitSeconds`: how long the job waits to be released.
 */
export function jobOf(command: Command, id: string, waitSeconds?: number): JobSpec {
  const { plannedSeconds, startSeconds = 0 } = command;
  const start = plannedSeconds > 0 ? startSeconds : 0;
  return {
    id,
    argv: command.argv,
    env: command.env,
    files: command.files,
    ...(command.under && { under: command.under }),
    limitSeconds: (waitSeconds ?? 0) + Math.ceil(start + toolLimit(plannedSeconds)),
    ...(waitSeconds !== undefined && { waitSeconds }),
  };
}

/** A host that generates load, and its place among the generators. */
export interface Generator {
  machine: Machine;
  part: Part;
}

/** Returns the generators of a step in document order; there is at least one. */
export const generatorsOf = (
  context: Pick<RunsContext, 'machines'>,
  step: Pick<Step, 'generators' | 'on'>,
): Generator[] =>
  hostsOf(step).map((name, index, { length }) => ({
    machine: context.machines.get(name),
    part: { index, count: length },
  }));

/** Runs all tasks at once. If one fails, aborts the others, waits until they have settled, and throws the first cause. */
export async function allOrNone<T>(
  signal: AbortSignal,
  tasks: readonly ((signal: AbortSignal) => Promise<T>)[],
): Promise<T[]> {
  const abort = new AbortController();
  const either = AbortSignal.any([signal, abort.signal]);
  let failure: { cause: unknown } | undefined;
  const results = await Promise.allSettled(
    tasks.map((task) =>
      task(either).catch((error: unknown) => {
        failure ??= { cause: error };
        abort.abort();
        throw error;
      }),
    ),
  );
  if (failure) throw failure.cause;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

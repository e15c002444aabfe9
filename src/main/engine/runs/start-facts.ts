import type { Experiment } from '../../../shared/model/experiment.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import {
  type FactsSnapshot,
  type SessionSnapshot,
  storedTargets,
  type TargetFacts,
  targetsOf,
} from '../../../shared/model/session-snapshot.ts';
import { startedWords } from '../../../shared/model/target.ts';
import type { Machine } from '../hosts/machine.ts';
import { cellsDurability, placesOf } from '../plans/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { RunsContext } from './context.ts';
import { untilReachable, untilTargetReachable, type Waiting } from './reachable.ts';
import { toolOf } from './steps.ts';

type HostWithFacts = FactsSnapshot['hosts'][number];

/** Reads what hosts and server say of themselves. */
export async function readStartFacts(
  context: RunsContext,
  experiment: Experiment,
  machines: readonly Machine[],
  waiting: Waiting,
): Promise<FactsSnapshot> {
  const { signal } = waiting;
  const hosts = await Promise.all(
    machines.map((machine) =>
      untilReachable(machine, waiting, async () => ({
        name: machine.name,
        facts: await context.readFacts(machine, signal),
      })),
    ),
  );
  const { targets } = placesOf(experiment, toolOf(context, experiment.workload.tool));
  const described = await Promise.all(
    targets.map((name) => untilTargetReachable(context, name, waiting, () => describeTarget(context, name, signal))),
  );
  return factsSnapshot(context, experiment, hosts, described);
}

/** What was true at the start: facts of every generator, tool version, and what the servers say of themselves. */
export function factsSnapshot(
  context: Pick<RunsContext, 'tools' | 'version'>,
  { workload }: Experiment,
  hosts: readonly HostWithFacts[],
  targets: readonly TargetFacts[],
): FactsSnapshot {
  const { id, partOfApp } = toolOf(context, workload.tool);
  const versions = partOfApp
    ? [context.version]
    : hosts.flatMap(({ facts }) => facts?.tools.find(({ tool }) => tool === id)?.version ?? []);
  return {
    hosts: [...hosts],
    ...(versions.length > 0 && { toolVersion: [...new Set(versions)].join(', ') }),
    ...storedTargets(targets),
  };
}

/**
 * The facts again, once the tables of the first cells have been made: how they are kept decides what a power cut costs, and how large they
 * are is known only now. Undefined where no target has anything to tell of tables.
 */
export async function readTables(
  context: RunsContext,
  { experiment, plan, hosts, toolVersion, ...facts }: SessionSnapshot,
  waiting: Waiting,
): Promise<FactsSnapshot | undefined> {
  const before = targetsOf(facts);
  if (!before.some(({ description }) => description?.storage)) return undefined;
  const tool = toolOf(context, experiment.workload.tool);
  const now = await Promise.all(
    before.map(async (target) => {
      if (!target.description?.storage) return target;
      const { name } = target;
      const read = (): Promise<TargetFacts> => describeTarget(context, name, waiting.signal);
      return withDurability(experiment, plan.cells, tool, await untilTargetReachable(context, name, waiting, read));
    }),
  );
  return { hosts, ...(toolVersion !== undefined && { toolVersion }), ...storedTargets(now) };
}

function withDurability(experiment: Experiment, cells: readonly Cell[], tool: Tool, target: TargetFacts): TargetFacts {
  const durability = cellsDurability(experiment, cells, tool, target);
  const { description } = target;
  return { ...target, ...(description && { description: { ...description, ...(durability && { durability }) } }) };
}

type Asked = Pick<RunsContext, 'targets' | 'machines' | 'readFacts'>;

/** Longest time that the host of a server is asked: nothing of a session depends on its answer. */
const HOST_PATIENCE_MS = 15_000;

/** Undefined where the host of the server cannot be asked, or nobody has said which it is. */
async function hostFactsOf(
  { machines, readFacts }: Asked,
  host: string | undefined,
  signal: AbortSignal,
): Promise<HostFacts | undefined> {
  if (host === undefined) return undefined;
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(HOST_PATIENCE_MS)]);
    return await readFacts(machines.get(host), patience);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

export async function describeTarget(context: Asked, name: string, signal: AbortSignal): Promise<TargetFacts> {
  const { kind, server } = context.targets.spec(name);
  const { host, port, socket, path } = await context.targets.connection(name);
  const address = host !== undefined ? `${host}${port === undefined ? '' : `:${port}`}` : (socket ?? path);
  const connection = await context.targets.open(name, signal);
  try {
    const hostFacts = await hostFactsOf(context, server?.host, signal);
    const description = await connection?.describe();
    const settings = await connection?.settings?.();
    return {
      name,
      kind,
      ...(address !== undefined && { address }),
      ...(server && { server: { host: server.host, started: startedWords(server.control) } }),
      ...(hostFacts && { hostFacts }),
      ...(description && { description }),
      ...(settings && { settings }),
    };
  } finally {
    await connection?.close();
  }
}

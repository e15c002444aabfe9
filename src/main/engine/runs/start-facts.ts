import type { Experiment } from '../../../shared/model/experiment.ts';
import type { FactsSnapshot, SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import type { Machine } from '../hosts/machine.ts';
import { cellsDurability, placesOf } from '../plans/index.ts';
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
  const [target] = await Promise.all(
    targets.map((name) => untilTargetReachable(context, name, waiting, () => describeTarget(context, name, signal))),
  );
  return factsSnapshot(context, experiment, hosts, target);
}

/** What was true at the start: facts of every generator, tool version, and what the server says of itself. */
export function factsSnapshot(
  context: Pick<RunsContext, 'tools' | 'version'>,
  { workload }: Experiment,
  hosts: readonly HostWithFacts[],
  target: FactsSnapshot['target'],
): FactsSnapshot {
  const { id, partOfApp } = toolOf(context, workload.tool);
  const versions = partOfApp
    ? [context.version]
    : hosts.flatMap(({ facts }) => facts?.tools.find(({ tool }) => tool === id)?.version ?? []);
  return {
    hosts: [...hosts],
    ...(versions.length > 0 && { toolVersion: [...new Set(versions)].join(', ') }),
    ...(target && { target }),
  };
}

/**
 * The facts again, once the tables of the first cells have been made: how they are kept decides what a power cut costs, and how large they
 * are is known only now. Undefined where the target has nothing to tell of tables.
 */
export async function readTables(
  context: RunsContext,
  { experiment, plan, hosts, toolVersion, target }: SessionSnapshot,
  waiting: Waiting,
): Promise<FactsSnapshot | undefined> {
  const name = target?.description?.storage && experiment.where.target;
  if (name === undefined) return undefined;
  const now = await untilTargetReachable(context, name, waiting, () => describeTarget(context, name, waiting.signal));
  const durability = cellsDurability(experiment, plan.cells, toolOf(context, experiment.workload.tool), now);
  return {
    hosts,
    ...(toolVersion !== undefined && { toolVersion }),
    target: {
      ...now,
      ...(now.description && { description: { ...now.description, ...(durability && { durability }) } }),
    },
  };
}

export async function describeTarget(
  context: Pick<RunsContext, 'targets'>,
  name: string,
  signal: AbortSignal,
): Promise<NonNullable<FactsSnapshot['target']>> {
  const { kind } = context.targets.spec(name);
  const { host, port, socket, path } = await context.targets.connection(name);
  const address = host !== undefined ? `${host}${port === undefined ? '' : `:${port}`}` : (socket ?? path);
  const connection = await context.targets.open(name, signal);
  try {
    const description = await connection?.describe();
    const settings = await connection?.settings?.();
    return {
      name,
      kind,
      ...(address !== undefined && { address }),
      ...(description && { description }),
      ...(settings && { settings }),
    };
  } finally {
    await connection?.close();
  }
}

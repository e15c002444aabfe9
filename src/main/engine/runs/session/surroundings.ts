import type { Machine } from '../../hosts/machine.ts';
import { toolById } from '../../tools/index.ts';
import type { RunsContext, SessionContext } from '../context.ts';
import { untilReachable, type Waiting } from '../reachable.ts';
import { removeOldJobs } from '../tidy.ts';

/** What was true at the start: facts of every generator, tool version, and what the server says of itself. */
export async function readSurroundings(
  context: RunsContext,
  session: SessionContext,
  machines: readonly Machine[],
  waiting: Waiting,
): Promise<SessionContext> {
  const { signal } = waiting;
  const hosts = await Promise.all(
    machines.map((machine) =>
      untilReachable(machine, waiting, async () => {
        const facts = await context.readFacts(machine, signal);
        await removeOldJobs(context, machine);
        return { name: machine.name, facts };
      }),
    ),
  );
  const { tool } = session.experiment.workload;
  const versions = toolById(tool)?.partOfApp
    ? [session.appVersion]
    : hosts.flatMap(({ facts }) => facts.tools.find((entry) => entry.tool === tool)?.version ?? []);
  // A target can be reached through one of the generators.
  const [first] = machines;
  const tell = () => describeTarget(context, session, signal);
  const target = first ? await untilReachable(first, waiting, tell) : await tell();
  return {
    ...session,
    hosts,
    ...(versions.length > 0 && { toolVersion: [...new Set(versions)].join(', ') }),
    ...(target && { target }),
  };
}

async function describeTarget(
  context: RunsContext,
  session: SessionContext,
  signal: AbortSignal,
): Promise<SessionContext['target']> {
  const name = session.experiment.where.target;
  if (name === undefined) return undefined;
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

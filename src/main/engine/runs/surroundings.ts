import type { Machine } from '../hosts/machine.ts';
import type { RunsContext, SessionContext } from './context.ts';
import { removeOldJobs } from './tidy.ts';

/** What was true at the start: host facts, tool version, and what the server says of itself. */
export async function readSurroundings(
  context: RunsContext,
  session: SessionContext,
  machine: Machine,
  signal: AbortSignal,
): Promise<SessionContext> {
  const facts = await context.readFacts(machine, signal);
  await removeOldJobs(context, machine);
  const toolVersion = facts.tools.find((tool) => tool.tool === session.experiment.workload.tool)?.version;
  const target = await describeTarget(context, session, signal);
  return {
    ...session,
    hosts: [{ name: machine.name, facts }],
    ...(toolVersion !== undefined && { toolVersion }),
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

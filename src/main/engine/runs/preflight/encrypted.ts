import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { ConnectionFacts, TargetDescription } from '../../../../shared/model/target.ts';
import { cellsAgainst, effectsOf, expandCells } from '../../plans/index.ts';
import type { Tool } from '../../tools/tool.ts';

/**
 * Whether the connections of the tool to a target are encrypted in some cell: as the tool says, else as the target is set. What that leaves to the
 * server is taken to be as the app's own connection is.
 */
export function isEncrypted(
  experiment: Experiment,
  tool: Tool,
  target: { name: string; connection: ConnectionFacts; description?: TargetDescription | undefined },
): boolean {
  const { connection, description } = target;
  if (connection.socket !== undefined) return false;
  const { tls = 'disabled' } = connection;
  const asSet = tls === 'preferred' ? description?.encrypted === true : tls !== 'disabled';
  return cellsAgainst(experiment, expandCells(experiment), tool, target.name).some(
    (cell) => tool.encrypts?.(effectsOf(experiment, cell, tool).options, connection) ?? asSet,
  );
}

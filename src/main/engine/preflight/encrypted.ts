import type { ConnectionFacts, TargetDescription } from '../../../shared/model/target.ts';
import type { PreflightState } from './state.ts';

/**
 * Whether the connections of the tool to a target are encrypted in some cell: as the tool says, else as the target is set. What that leaves to the
 * server is taken to be as the app's own connection is.
 */
export function isEncrypted(
  { steps, tool }: Pick<PreflightState, 'steps' | 'tool'>,
  target: { name: string; connection: ConnectionFacts; description?: TargetDescription | undefined },
): boolean {
  const { connection, description } = target;
  if (connection.socket !== undefined) return false;
  const { tls = 'disabled' } = connection;
  const asSet = tls === 'preferred' ? description?.encrypted === true : tls !== 'disabled';
  return steps.some((step) => step.target === target.name && (tool.encrypts?.(step.options, connection) ?? asSet));
}

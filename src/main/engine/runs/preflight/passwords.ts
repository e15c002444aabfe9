import type { Finding } from '../../../../shared/model/finding.ts';
import { isLoopback } from '../../../../shared/util/loopback.ts';
import { effectsOf, expandCells } from '../../plans/index.ts';
import { seenFrom } from '../steps.ts';
import type { Knowledge } from './knowledge.ts';

/**
 * Whether the tool, which connects by itself, would let others read the password of the target. The app's own connections refuse that
 * (docs/passwords.md); the clients that some tools are built with have no option for it.
 */
export function passwordFindings({ experiment, tool, generators, connection }: Knowledge): Finding[] {
  if (!connection?.password || connection.allowCleartextPassword || connection.socket !== undefined) return [];
  if (isLoopback(connection.host ?? '')) return [];
  const names = generators.map(({ machine }) => machine.name);
  if (seenFrom(connection, names).endsOnServerHost) return [];
  const reasons = new Set(
    expandCells(experiment).flatMap((cell) => {
      const { options } = effectsOf(experiment, cell, tool);
      const versions = generators.map(({ facts }) => facts?.tools.find((entry) => entry.tool === tool.id)?.version);
      return versions.flatMap((version) => tool.readablePassword?.({ options, connection, version }) ?? []);
    }),
  );
  return [...reasons].map((reason) => ({
    code: 'readable-password',
    severity: 'warn',
    message: `${tool.title} sends the password of ${connection.user ?? 'the account'} without TLS, and cannot be kept from giving it away. ${reason}`,
    next: 'On a network that you do not trust use TLS or a socket, or an account that is made for the benchmark alone.',
  }));
}

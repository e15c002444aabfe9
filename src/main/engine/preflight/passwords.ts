import { isLoopback } from '../../../shared/util/loopback.ts';
import { seenFrom } from '../runs/index.ts';
import type { StartFinding } from './check.ts';
import type { KnownTarget, PreflightState } from './state.ts';

/**
 * Whether the tool, which connects by itself, would let others read the password of the target. The app's own connections refuse that
 * (docs/passwords.md); the clients that some tools are built with have no option for it, so the start is refused instead.
 */
export function passwordFindings(
  { steps, tool, generators }: PreflightState,
  { name, connection }: KnownTarget,
): StartFinding[] {
  if (!connection?.password || connection.allowCleartextPassword || connection.socket !== undefined) return [];
  if (isLoopback(connection.host ?? '')) return [];
  const names = generators.map(({ machine }) => machine.name);
  if (seenFrom(connection, names).endsOnServerHost) return [];
  const reasons = new Set(
    steps.flatMap(({ options, target }) => {
      if (target !== name) return [];
      const versions = generators.map(({ facts }) => facts?.tools.find((entry) => entry.tool === tool.id)?.version);
      return versions.flatMap((version) => tool.readablePassword?.({ options, connection, version }) ?? []);
    }),
  );
  return [...reasons].map((reason) => ({
    code: 'readable-password',
    severity: 'block',
    message: `${tool.title} would send the password of ${connection.user ?? 'the account'} without TLS, where others can read it. ${reason}`,
    next: 'Use TLS or a socket. On a network that you trust, or with an account made for the benchmark alone, switch on “Allow a readable password” in the target.',
    fix: { kind: 'allow-cleartext', target: name },
  }));
}

import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Problem } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';
import { useAction, useCall } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';
import { PasswordForm, VaultUnlock } from './problems.tsx';

/** Input that a session waits for, with the field or the place to provide it; the session then continues by itself. */
export function SessionNeeds({ session }: { session: Pick<Session, 'id' | 'needs'> }) {
  const again = useAction('sessions.resume');
  const { needs } = session;
  if (!needs) return null;
  if (needs.code === 'vault-locked') return <VaultUnlock problem={needs} onUnlocked={() => undefined} />;
  // It is retried continuously.
  if (needs.code === 'target-unreachable')
    return <ProblemBanner tone="warn" problem={needs} actions={<TargetLink problem={needs} />} />;
  return (
    <ProblemBanner
      tone="warn"
      problem={again.error?.problem ?? needs}
      actions={
        <>
          {needs.code === 'secret-missing' ? (
            <PasswordForm host={needs.host} target={needs.target} />
          ) : (
            <HostLink problem={needs} />
          )}
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate({ id: session.id })}>
            Try again
          </Button>
        </>
      }
    />
  );
}

/** Link to where its server is started, or its connection is tested. */
function TargetLink({ problem: { target } }: { problem: Problem }) {
  const found = useCall('targets.list', {}).data?.find(({ spec }) => spec.name === target);
  return found ? <Link href={`/targets/${found.id}`}>Open {target}</Link> : null;
}

/** Link to where a key is accepted or a login is corrected. */
function HostLink({ problem: { code, host } }: { problem: Problem }) {
  const found = useCall('hosts.list', {}).data?.find(({ spec }) => spec.name === host);
  if (!found || code === 'disk-full') return null;
  return <Link href={`/hosts/${found.id}`}>Open {host}</Link>;
}
